"""What was found, for people: in words, and as a test to paste."""

import re
from collections.abc import Sequence
from pathlib import Path

from attrs import fields

from coc_check.fuzz.case import Case, setting_of
from coc_check.fuzz.trial import try_case
from coc_check.plain import Difference
from coc_core.plugin import Registry
from coc_core.text import escaped


class Differs(AssertionError):
    """An executor does not do what Algorithm 1 says; the message says where and in what."""


def reproduce(registry: Registry, case: Case) -> None:
    """Try a case again; raises `Differs` if the executor still does something else than Algorithm 1."""
    found = try_case(registry, case)
    if found is not None:
        raise Differs("\n".join(in_words(case, found)))


def in_words(case: Case, found: Difference) -> tuple[str, str, str]:
    """Return what differs, in a line; what should be, and what is, in another one each."""
    which = f" of run {found.problem + 1} of {case.runs}" if case.runs > 1 else ""
    return (
        f"{case.executor} is not Algorithm 1 at step {found.step}{which}: {found.what}",
        f"  should be {escaped(found.wanted)}",
        f"  but is    {escaped(found.found)}",
    )


def size_of(registry: Registry, case: Case) -> int:
    """Return the size n of the largest problem of a case."""
    setting = setting_of(registry, case)
    return max(setting.domain.size(setting.domain.problems.parse(text)) for text in case.problems)


def as_test(case: Case, files: Sequence[Path] = ()) -> str:
    """Return a module with one test, which fails for as long as the executor differs in this case.

    `files` are the plugins that are files.
    """
    return _MODULE.format(
        path="from pathlib import Path\n\n" if files else "",
        names="Case, Cut, reproduce" if case.cuts else "Case, reproduce",
        name=re.sub(r"\W", "_", case.executor),
        case=as_call(case),
        files=f"[{', '.join(f'Path({str(file)!r})' for file in files)}]" if files else "",
    )


_MODULE = """\
{path}from coc_core.plugin import Registry
from coc_check.fuzz import {names}


def test_{name}_does_as_algorithm_1_says():
    case = {case}
    reproduce(Registry.installed({files}), case)
"""


def as_call(case: Case) -> str:
    """Return the expression that makes a case, an argument a line; what is as it is by default is left out."""
    plain = Case(case.executor, case.domain, case.memory, case.arith, case.problems)
    values = {each.name: (getattr(case, each.name), getattr(plain, each.name)) for each in fields(Case)}
    shown = [f"{name}={value!a}" for name, (value, usual) in values.items() if value != usual or name in _FIRST]
    return "Case(" + "".join(f"\n        {line}," for line in shown) + "\n    )"


_FIRST = ("executor", "domain", "memory", "arith", "problems")
