"""Plans as grammars: solved for, written to a file, one JSON object with a rule a line, and read from one."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_certify.plan import Grammar, GrammarPlan, Rule
from coc_core.api import Files, check_skips, new_job, open_registry, warn
from coc_core.domain import Domain, parse_problem
from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.execution import ProcedureSummary, SummaryListener
from coc_core.models import outside
from coc_core.options import PathLike, SolveOptions, takes
from coc_core.plugin import DomainSpec
from coc_core.storage import FreshFile, parse_json_object, read_bytes, read_document
from coc_core.text import quoted
from coc_core.types import Outcome

FORMAT, VERSION = "coc-plan-grammar", 1

MOST_ACTIONS = 10**200
"""The largest number of actions in a plan."""

_MAX_BYTES = 1 << 26


@frozen
class _Document:
    format: str
    version: int
    domain: str
    problem: str
    rules: tuple[tuple[Any, ...], ...]


class GrammarRecorder(SummaryListener):
    """A listener that makes the plan of a run a grammar, from the steps that were taken and those that were skipped."""

    def __init__(self, domain: Domain[Any, Any, Any, Any]) -> None:
        self._domain = domain
        self._items: list[Any] = []

    def __call__(self, record: Any) -> None:
        self._items += record.actions

    def skip(self, summary: ProcedureSummary) -> None:
        self._items.append(summary)

    def plan(self, problem: Any, outcome: Outcome | None = None) -> GrammarPlan:
        """Return the plan so far, and how the run ended if it has."""
        return GrammarPlan(self._domain, problem, _grammar(self._items, self._domain.actions.format), outcome)


def _grammar(items: list[Any], text_of: Callable[[Any], str]) -> Grammar:
    """Return a grammar with a rule for each different summary that is more than one text or rule."""
    numbers: dict[Rule, int] = {}
    short: dict[ProcedureSummary, Rule] = {}  # nothing, one text or the number of a rule

    def body(items: Iterable[Any]) -> Rule:
        parts = (short[item] if isinstance(item, ProcedureSummary) else (text_of(item),) for item in items)
        return tuple(each for part in parts for each in part)

    pending = [item for item in reversed(items) if isinstance(item, ProcedureSummary)]
    while pending:
        summary = pending[-1]
        unknown = [part for part in summary.body if isinstance(part, ProcedureSummary) and part not in short]
        if unknown:
            pending += reversed(unknown)
            continue
        pending.pop()
        rule = body(summary.body)
        short[summary] = rule if len(rule) < 2 else (numbers.setdefault(rule, len(numbers)),)
    last = body(items)
    return Grammar((*numbers, *([] if numbers and last == (len(numbers) - 1,) else [last])))


def format_plan(plan: GrammarPlan) -> str:
    """Return the text of the file of a plan."""
    names = {"domain": plan.domain.name, "problem": plan.domain.problems.format(plan.problem)}
    head = {"format": FORMAT, "version": VERSION, **names}
    rules = ",\n".join(json.dumps(rule) for rule in plan.grammar.rules)
    return f'{json.dumps(head)[:-1]}, "rules": [\n{rules}\n]}}\n'


def read_plan(path: Path, domain_named: Callable[[str], Domain[Any, Any, Any, Any]]) -> GrammarPlan:
    """Read the file of a plan; `domain_named` makes the domain of a name, or raises UsageError.

    ArtefactError if the file can't be read, is not such a file, or its domain is not installed.
    """
    data, where = read_bytes(path, _MAX_BYTES), f"the plan {path}"
    found = parse_json_object(data, where) if data.startswith(b"{") else {}
    if found.get("format") != FORMAT:
        remedy = "`--plan-format grammar` writes one; `coc validate` checks plans that list their actions"
        raise ArtefactError(f"{where} is not a plan as a grammar", remedy=remedy)
    if found.get("version") != VERSION:
        raise ArtefactError(f"{where} has version {found.get('version')!a}, this is version {VERSION}")
    document = read_document(_Document, found, where)
    try:
        domain = domain_named(document.domain)
        problem = parse_problem(domain, document.problem)
    except UsageError as error:
        raise ArtefactError(f"{where} can't be read: {error}") from None
    plan = GrammarPlan(domain, problem, Grammar(_checked(document.rules, domain, where)))
    if format_plan(plan).encode() != data:
        raise ArtefactError(f"{where} is not written as coc writes it")
    return plan


def _checked(rules: tuple[Rule, ...], domain: Domain[Any, Any, Any, Any], where: str) -> tuple[Rule, ...]:
    """Return the rules, if each has actions of the domain and numbers of earlier rules, and is used by a later one."""
    used, lengths = set[int](), list[int]()
    for number, rule in enumerate(rules):
        lengths.append(0)
        for item in rule:
            if type(item) is int and 0 <= item < number:
                used.add(item)
                lengths[number] += lengths[item]
            elif type(item) is str and _is_action(item, domain):
                lengths[number] += 1
            else:
                raise ArtefactError(
                    f"{where} has a rule {number:,} with {quoted(str(item), 24)}, which is neither an action nor an"
                    " earlier rule"
                )
        if lengths[number] > MOST_ACTIONS:
            raise ArtefactError(f"{where} has more than 10^200 actions")
    if len(used) + 1 != len(rules):
        raise ArtefactError(f"{where} has no rules, or unused ones")
    return rules


def _is_action(text: str, domain: Domain[Any, Any, Any, Any]) -> bool:
    try:
        return domain.actions.format(domain.actions.parse(text)) == text
    except ValueError:
        return False


@takes(SolveOptions, "domain", "n")
def plan(options: SolveOptions) -> GrammarPlan:
    """Solve one problem, and give its plan as a grammar, however long it is. No step is kept, and most are not taken.

    The plan's `outcome` says how the run ended.

    Raises:
        UsageError: The choices make no sense, or steps can't be skipped here.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during the run.
    """
    job = new_job(open_registry(options.plugins), options, every_step=False)
    check_skips(job)
    warn([outside(job.model, [job.setting.domain.size(job.problem)])])
    recorder = GrammarRecorder(job.setting.domain)
    _, outcome = job.perform([lambda: nullcontext(recorder)])
    return recorder.plan(job.problem, outcome)


def load_plan(path: PathLike, *, plugins: Files = ()) -> GrammarPlan:
    """Read a plan that is a grammar, as `coc run --plan-format grammar` writes it.

    Args:
        path: The file.
        plugins: Python files that are plugins, too.

    Raises:
        ArtefactError: The file is no such plan, is broken, or its domain is not installed.
    """
    return read_plan(Path(path), partial(open_registry(plugins).create, DomainSpec))


@contextmanager
def grammar_file(path: Path, domain: Domain[Any, Any, Any, Any], problem: Any) -> Iterator[GrammarRecorder]:
    """Give a listener that lets steps be skipped, and writes the plan as a grammar to a file that is made or replaced.

    If the block raises an exception, the old file stays; but after an error of a plugin, the actions before it are the
    plan.

    Raises:
        StorageError: The file can't be written, or another process is writing it.
    """
    recorder = GrammarRecorder(domain)
    with FreshFile(path, "plan") as file:
        try:
            yield recorder
        except PluginError:
            file.write(format_plan(recorder.plan(problem)).encode())
            file.keep()
            raise
        file.write(format_plan(recorder.plan(problem)).encode())
        file.keep()
