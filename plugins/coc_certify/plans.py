"""Plans as grammars: sequences of actions that are never written out, and the states on their way.

They are solved for, written to a file, one JSON object with a rule a line, and read from one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, overload

from attrs import define, field, frozen

from coc_core.api import Files, check_skips, new_job, open_registry, warn
from coc_core.domain import Domain, HasOperators, Operator, compose, parse_problem
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
_REMEMBERED = 1 << 12  # operators of single actions

Part = str | int
"""A text, or the number of a rule, counted from 0."""

Rule = tuple[Part, ...]
"""What a rule is written out as: texts, and the numbers of earlier rules."""


@define(eq=False)
class Grammar:
    """A straight-line grammar: a sequence of texts of any length as rules, the last of which is the whole of it.

    A number in a rule is that of an earlier one. So no rule leads back to itself, and a text is found in time
    proportional to how deep the rules are nested. `lengths` has the number of texts that each rule is written out as.
    """

    rules: tuple[Rule, ...] = field(repr=lambda rules: f"<{len(rules):,} rules>")
    lengths: list[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.lengths = []
        for rule in self.rules:
            self.lengths.append(sum(map(self.count, rule)))

    def count(self, part: Part) -> int:
        """Return how many texts a part is written out as."""
        return self.lengths[part] if isinstance(part, int) else 1

    def before(self, place: int) -> Iterator[Part]:
        """Yield the fewest parts that are written out as all texts before a place, from 0 to the length."""
        pending: list[Part] = [len(self.rules) - 1]
        while place:
            part = pending.pop()
            count = self.count(part)
            if count <= place:
                place -= count
                yield part
            elif isinstance(part, int):
                pending = [*reversed(self.rules[part])]

    def texts(self, start: int, stop: int) -> Iterator[str]:
        """Yield the texts from one place to before another, which are written out as they are read."""
        pending: list[Part] = [len(self.rules) - 1]
        place = 0
        while place < stop:
            part = pending.pop()
            count = self.count(part)
            if place + count <= start:
                place += count
            elif isinstance(part, int):
                pending += reversed(self.rules[part])
            else:
                place += 1
                yield part


class GrammarPlan(Sequence[str]):
    """A plan of any length: the text of each action, in order, and the states on its way.

    Attributes:
        domain: The domain of the plan.
        problem: The problem that the plan is for, as the domain has it.
        grammar: The rules that the plan is written as.
        outcome: How the run ended that made the plan, if that is known.
        length: The number of actions. `len` gives it, too, unless it is larger than `sys.maxsize`.
    """

    def __init__(
        self, domain: Domain[Any, Any, Any, Any], problem: Any, grammar: Grammar, outcome: Outcome | None = None
    ) -> None:
        self.domain, self.problem, self.grammar, self.outcome = domain, problem, grammar, outcome
        self.length = grammar.lengths[-1]

    def __len__(self) -> int:
        return self.length

    def __bool__(self) -> bool:
        return self.length > 0

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return one action, or those in a slice."""
        places = range(self.length)[index]
        if isinstance(places, int):
            return next(self.grammar.texts(places, places + 1))
        if places.step == 1:
            return list(self.grammar.texts(places.start, places.stop))
        return [self[place] for place in places]

    def __iter__(self) -> Iterator[str]:
        return self.grammar.texts(0, self.length)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, str) and any(action in rule for rule in self.grammar.rules)

    def __repr__(self) -> str:
        return f"<GrammarPlan: {self.domain.name}, {self.length:,} actions, {len(self.grammar.rules):,} rules>"

    def state(self, actions: int) -> Any:
        """Return the state after so many actions, in time proportional to the depth of the rules.

        Raises:
            UsageError: The plan has fewer actions, one of them is illegal, or the domain's actions aren't operators.
        """
        if not 0 <= actions <= self.length:
            raise UsageError(f"the plan has no state after {actions:,} actions", remedy=f"it has {self.length:,}")
        illegal = self.first_illegal
        if illegal is not None and illegal < actions:
            raise UsageError(f"action {illegal + 1:,} of the plan is illegal", remedy="look at a state before it")
        legal = filter(None, map(self._operator, self.grammar.before(actions)))
        sets = {variable: value for operator in legal for variable, value in operator.sets.items()}
        return self._domain.assign(self.domain.initial(self.problem), sets)

    @property
    def reaches_goal(self) -> bool:
        """Whether all actions are legal and the last state is a goal; errors as for `state`."""
        return self.first_illegal is None and self.domain.is_goal(self.problem, self.state(self.length))

    @property
    def verdict(self) -> str | None:
        """`complete`, `incomplete` if it ends before the goal, or `illegal`; None if the actions aren't operators."""
        if not isinstance(self.domain, HasOperators):
            return None
        if self.first_illegal is not None:
            return "illegal"
        return "complete" if self.reaches_goal else "incomplete"

    @cached_property
    def first_illegal(self) -> int | None:
        """The index of the first illegal action; None if all are legal. UsageError if they aren't operators."""
        domain, state, place = self._domain, self.domain.initial(self.problem), 0
        pending: list[Part] = [len(self.grammar.rules) - 1]
        while pending:
            part = pending.pop()
            operator = self._operator(part)
            if operator is not None and operator.applicable(domain.variables(state)):
                state = domain.assign(state, operator.sets)
                place += self.grammar.count(part)
            elif isinstance(part, int):
                pending += reversed(self.grammar.rules[part])
            else:
                return place
        return None

    @property
    def _domain(self) -> HasOperators[Any, Any, Any, Any]:
        if not isinstance(self.domain, HasOperators):
            raise UsageError(f"the actions of {self.domain.name} aren't operators, so only the actions can be shown")
        return self.domain

    @cached_property
    def _operator(self) -> Callable[[Part], Operator | None]:
        """What a text or a rule needs and sets; None if it is legal nowhere."""
        domain, parse, of_rules = self._domain, self.domain.actions.parse, list[Operator | None]()
        of_text = lru_cache(_REMEMBERED)(lambda text: domain.operator(parse(text)))

        def of(part: Part) -> Operator | None:
            return of_rules[part] if isinstance(part, int) else of_text(part)

        for rule in self.grammar.rules:
            known = [operator for operator in map(of, rule) if operator is not None]
            of_rules.append(compose(known) if len(known) == len(rule) else None)
        return of


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
