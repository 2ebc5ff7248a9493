"""What a check is, and how it fails."""

import inspect
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from inspect import isfunction
from types import ModuleType
from typing import Any, TypeVar

from attrs import field, frozen

from coc_check.results import WrongResult, results_checked
from coc_core.plugin import plugin_frame
from coc_core.text import described, find_unprintable

SubjectT = TypeVar("SubjectT")
CheckFunctionT = TypeVar("CheckFunctionT", bound=Callable[..., None])


PLAIN_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
"""Names that files and the command line can hold: lower-case letters, digits and dashes."""
WARNING = "warning"  # what `Check.tried` calls a finding that may be meant


class Nonconforming(AssertionError):
    """A part breaks a promise of its interface. The message says what was found; `example` is what it was found with.

    Checks try small examples before large ones, so the example is the smallest of those that were tried. `where` is the
    place in the author's code, as `file:line in function`, if it is known.
    """

    def __init__(self, complaint: str, example: str = "", where: str = "") -> None:
        super().__init__(complaint, example, where)
        self.complaint = complaint
        self.example = example
        self.where = where

    def __str__(self) -> str:
        told = f"{self.complaint}\n  with {self.example}" if self.example else self.complaint
        return f"{told}\n  at {self.where}" if self.where else told


@frozen
class Check:
    """A promise of the part `part` of a kind such as `domain`; `run` raises Nonconforming if it is broken.

    `promise` says in one line what is expected, `hint` where to look if it is broken. `needs` names the checks of the
    same part without which this one says nothing new: where one of them has failed, it need not be run. `tried` has
    what the checks of the part that have run were tried with, such as sizes.
    """

    kind: str
    part: str
    name: str
    promise: str
    hint: str
    run: Callable[[], None]
    needs: tuple[str, ...] = ()
    tried: Mapping[str, str] = field(factory=dict, eq=False)

    def first_cause(self, failed: Iterable["Check"]) -> str | None:
        """Return the first of the checks needed that is among the `failed` ones; None if none is."""
        names = {check.name for check in failed if (check.kind, check.part) == (self.kind, self.part)}
        return next(filter(names.__contains__, self.needs), None)

    @property
    def command(self) -> str:
        """What runs this check alone."""
        return f"coc check {shlex.quote(self.part)} --kind {self.kind} --only {self.name}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.part}-{self.name}"


def needs(*names: str) -> Callable[[CheckFunctionT], CheckFunctionT]:
    """Marks a check that says nothing new where one of these other checks of the same part has failed."""

    def mark(check: CheckFunctionT) -> CheckFunctionT:
        check.__dict__["needs"] = names
        return check

    return mark


def checks_in(*modules: ModuleType) -> dict[Callable[[Any], None], tuple[str, ...]]:
    """Return the checks in these modules, each after those that it needs, with the names of these.

    They are the modules' public functions. One that is not marked with `needs` needs what NEEDS of its module names.
    """
    found = {
        name: (value, getattr(value, "needs", getattr(module, "NEEDS", ())))
        for module in modules
        for name, value in vars(module).items()
        if isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }

    def with_needs(name: str) -> list[str]:
        return [*dict.fromkeys(before for need in found[name][1] for before in with_needs(need)), name]

    order = dict.fromkeys(name for last in found for name in with_needs(last))
    return {found[name][0]: tuple(with_needs(name)[:-1]) for name in order}


def bound(
    kind: str, part: str, check: Callable[[SubjectT], None], subject: SubjectT, needed: tuple[str, ...] = ()
) -> Check:
    """Return the check of one subject that the function `check` makes.

    Its docstring's first paragraph is the promise, the rest the hint. Any other exception that comes out of it is a
    broken promise too: a part raises nothing but what its interface names.
    """
    promise, _, hint = map(_on_one_line, inspect.cleandoc(str(check.__doc__)).partition("\n\n"))
    run = partial(_run, part, check, subject)
    return Check(kind, part, check.__name__, promise, hint, run, needed, getattr(subject, "tried", {}))


def require(condition: bool, complaint: str, example: str = "", where: str = "") -> None:
    """Raises Nonconforming with `complaint` unless `condition` holds."""
    if not condition:
        raise Nonconforming(complaint, example, where)


def one_line(text: str) -> bool:
    """Return whether a text is one line of printable ASCII that says something."""
    return bool(text.strip()) and find_unprintable(text) is None and "\n" not in text


@contextmanager
def trying(example: str) -> Iterator[None]:
    """Give whatever the block raises, but for a Nonconforming, is a broken promise with this example."""
    try:
        yield
    except Nonconforming:
        raise
    except (Exception, SystemExit) as error:
        raise _broken("it", error, example) from error


def _run(part: str, check: Callable[[SubjectT], None], subject: SubjectT) -> None:
    try:
        with results_checked(getattr(subject, "watched", ())):
            check(subject)
    except Nonconforming:
        raise
    except (Exception, SystemExit) as error:
        raise _broken(part, error) from error


def _broken(part: str, error: BaseException, example: str = "") -> Nonconforming:
    """Return the broken promise that an exception is: the wrong result that caused it, or else the exception itself."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, WrongResult):
            return Nonconforming(str(cause), example, cause.where)
        cause = cause.__cause__
    return Nonconforming(f"{part} raised {described(error)}", example, plugin_frame(error) or "")


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
