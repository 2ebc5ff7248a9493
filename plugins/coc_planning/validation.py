"""`coc.validate`: whether a plan from any source solves a problem."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO
from itertools import chain
from typing import IO, Any, Literal

from attrs import asdict, evolve, frozen

from coc_core.api import choose_problem, html, open_registry
from coc_core.domain import Domain, PlanFormat, has_entry
from coc_core.errors import ActionFault, ArtefactError, UsageError
from coc_core.options import PROBLEM, OneProblem, Option, PathLike, PluginOptions, Source, option, shared, takes
from coc_core.plugin import DomainSpec, PlanFormatSpec, Registry, open_format, suitable_formats
from coc_core.storage import open_source
from coc_core.text import counted, quoted

_Form = PlanFormat[Any, Any, Any]
LARGEST = 1 << 36
"""The largest size of a file with a plan, in bytes."""


@frozen(kw_only=True, slots=False)
class ValidateOptions(PluginOptions, OneProblem):
    """What `coc.validate` takes, and `coc validate` among others."""

    domain: str | None = option(shared.DOMAIN)
    plan: PathLike | Iterable[str] = option(
        Option("The plan: a file, or - for standard input.", (), Source("PLAN"), PROBLEM)
    )
    plan_format: str | None = option(
        shared.PLAN_FORMAT,
        None,
        help="Read the plan in this format: text, json, or a format from a plugin.",
        shown="recognised by its first line",
    )


@frozen(repr=False)
class PlanReport(ABC):
    """Whether a plan solves a problem.

    Attributes:
        domain: The name of the domain.
        problem: The problem: its text or, in PDDL, its name.
        verdict: `solved`, `unsolved` if all actions are legal but the goal is not reached, or `illegal`.
        actions: How many actions are legal, up to the first one that is not.
        at: The number of the first illegal action, counted from 1; None if all are legal.
        action: Its text.
        why: Why it is illegal, in the words of the domain.
    """

    domain: str
    problem: str
    verdict: Literal["solved", "unsolved", "illegal"]
    actions: int
    at: int | None = None
    action: str = ""
    why: str = ""

    @property
    def solved(self) -> bool:
        """Whether the plan reaches the goal."""
        return self.verdict == "solved"

    @property
    def legal(self) -> str:
        """How many actions are legal, in words."""
        return counted(self.actions, "legal action")

    @property
    def reason(self) -> str:
        """In one line: why the first illegal action is one, or what is wrong with the whole plan; empty if nothing."""
        if self.at is not None:
            return f"action {self.at:,}, {quoted(self.action)}, is illegal: {self.why}"
        return "" if self.solved else self._lack

    @property
    @abstractmethod
    def _lack(self) -> str:
        """What is wrong with a plan of legal actions that doesn't reach the goal."""

    def document(self) -> dict[str, Any]:
        """Return the report as plain data, as `coc validate --json` prints it."""
        found = asdict(self)
        return found | {"reason": found.pop("why")}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.domain:.24} {self.problem:.24}: {self._summary:.45}>"

    def _repr_html_(self) -> str:
        return html.paragraph(self.verdict, f"{self.domain} {self.problem}: {self._summary}")

    @property
    def _summary(self) -> str:
        return "; ".join(filter(None, (f"{self.verdict}, {self.legal}", self.reason)))


@frozen(repr=False)
class ValidationReport(PlanReport):
    """Whether a plan solves a problem. Make one with `coc.validate`.

    Attributes:
        moves: How many of the legal actions moved something.
        plan_format: The format that the plan was read in.
    """

    moves: int = 0
    plan_format: str = ""

    @property
    def _lack(self) -> str:
        return "the goal is not reached" if self.actions else "the plan is empty"


@takes(ValidateOptions, "domain", "plan", "n")
def validate(options: ValidateOptions) -> ValidationReport:
    """Check whether a plan solves a problem, as `coc validate` does. No model is involved.

    Each action is taken with the rules of the domain. A wrong plan raises nothing: the report says what is wrong. The
    plan may be a path, a text (a str), or its lines, as the plan of a run has them.

    Raises:
        UsageError: A name is unknown, there is no such problem, or the file can't be read.
        ArtefactError: The plan can't be read, has an action that the domain does not have, or is for another problem.
        PluginError: A plugin failed to load, or raised an exception.
    """
    return validated(open_registry(options.plugins), options)


def validated(registry: Registry, options: ValidateOptions) -> ValidationReport:
    """Return the report on a plan, with what is installed; errors as for `validate`."""
    subject = registry.create(DomainSpec, str(options.domain))
    chosen, plan_format = choose_problem(subject, options), options.plan_format
    with plan_lines(options.plan, lines_of) as source:
        lines: Iterable[str] = _listed(registry, source)
        if plan_format is None:
            form, plan_format, lines = _recognised(registry, subject, chosen, lines)
        else:
            form = open_format(registry, plan_format, subject, chosen)
        return evolve(check_plan(form, lines), plan_format=plan_format)


_LONGEST = 1 << 16  # characters of a part of a line


def lines_of(file: IO[str]) -> Iterator[str]:
    """Yield the lines of a file, those of more than 65,536 characters in parts; ArtefactError if it is not text."""
    try:
        while line := file.readline(_LONGEST):
            yield line
    except UnicodeDecodeError:
        raise ArtefactError("the plan is not text") from None


@contextmanager
def plan_lines(plan: PathLike | Iterable[str], lines_of: Callable[[IO[str]], Iterator[str]]) -> Iterator[Iterable[str]]:
    """Give the lines of a plan: of a text or a file, by `lines_of`, or those themselves, without ends."""
    if isinstance(plan, str):
        yield lines_of(StringIO(plan))
    elif isinstance(plan, os.PathLike):
        with open_source(os.fspath(plan), LARGEST, "plan") as file:
            yield lines_of(file)
    else:
        yield (f"{line}\n" for line in plan)


def _listed(registry: Registry, lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a plan; ArtefactError if it is in a format that is not a list of actions."""
    for number, line in enumerate(lines):
        for spec in () if number else registry.specs(PlanFormatSpec):
            if spec.opening and line.startswith(spec.opening):
                raise ArtefactError(f"the plan is a {spec.name}, not a list of actions", remedy=spec.instead)
        yield line


def _recognised(
    registry: Registry, domain: Domain[Any, Any, Any, Any], problem: Any, lines: Iterable[str]
) -> tuple[_Form, str, Iterable[str]]:
    """Return the format of a plan and its name, and the lines again; ArtefactError if no format suits."""
    forms = dict[str, _Form]()
    for spec in suitable_formats(registry, domain):
        with suppress(UsageError):  # a format of answers to items, and this problem is none
            forms[spec.name] = open_format(registry, spec.name, domain, problem)
    form, first, again = recognised([*forms.values()], lines)
    if form is None:
        raise ArtefactError(
            f"not a plan of {domain.name}: {quoted(first.strip())} is an action in none of the formats"
            f" {', '.join(forms)}{_elsewhere(registry, first.strip())}"
        )
    return form, next(name for name, each in forms.items() if each is form), again


def _elsewhere(registry: Registry, action: str) -> str:
    """Return in which domains a text is an action, for an error message; empty if in none."""
    found = []
    for spec in registry.specs(DomainSpec):
        try:
            registry.create(DomainSpec, spec.name).actions.parse(action)
        except ValueError:
            continue
        found.append(spec.name)
    return f"; it is one of {', '.join(found)}" if found else ""


def check_plan(form: _Form, lines: Iterable[str]) -> ValidationReport:
    """Take each action of a plan with the rules of the domain, and look whether the last state is a goal. The lines, as
    `PlanFormat.entries` takes them, are read once, up to the first illegal action. ArtefactError if they are no plan of
    this format, or for another domain or problem.
    """
    domain, actions, moves = form.domain, 0, 0
    state, names = domain.initial(form.problem), (domain.name, domain.problems.format(form.problem))
    for number, entry in enumerate(_entries(form, lines), 1):
        try:
            for action in _actions(form, state, entry, number):
                after = domain.apply(state, action)
                actions, moves = actions + 1, moves + (domain.effect(state, action) is not None)
                state = after
        except ActionFault as fault:
            return ValidationReport(*names, "illegal", actions, number, entry, fault.message, moves)
    reached = domain.is_goal(form.problem, state)
    return ValidationReport(*names, "solved" if reached else "unsolved", actions, moves=moves)


def recognised(forms: Sequence[_Form], lines: Iterable[str]) -> tuple[_Form | None, str, Iterator[str]]:
    """Find the format of a plan by its first line that is neither blank nor a comment; of several that fit, the first.
    Returns it, or None; that line, empty if there is none; and all the lines again.
    """
    remaining = iter(lines)
    for line in remaining:
        if has_entry(line):
            return next((form for form in forms if form.begins(line)), None), line, chain([line], remaining)
    return forms[0], "", iter(())


def _entries(form: _Form, lines: Iterable[str]) -> Iterator[str]:
    try:
        yield from form.entries(lines)
    except ValueError as error:
        raise ArtefactError(f"the plan can't be read: {error}") from None


def _actions(form: _Form, state: Any, entry: str, number: int) -> Sequence[Any]:
    try:
        return form.read(state, entry)
    except ValueError as error:
        raise ArtefactError(f"action {number:,} of the plan is none of {form.domain.name}: {error}") from None
