"""What a check is, what it is of, how it fails, and what comes of it."""

import inspect
import re
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar, Literal, TypeVar

from attrs import evolve, field, frozen

from coc_core.errors import UsageError
from coc_core.plugin import Registry, Spec, suggest
from coc_core.text import find_unprintable

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
        self.complaint, self.example, self.where = complaint, example, where

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

    @property
    def command(self) -> str:
        """What runs this check alone."""
        return f"coc check {shlex.quote(self.part)} --kind {self.kind} --only {self.name}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.part}-{self.name}"


@frozen
class Result:
    """What came of one check, and how long it took.

    `complaint`, `example` and `where` are those of the failure. A check that needs one that has failed is `skipped`,
    and `reason` names that check.
    """

    check: Check
    outcome: Literal["passed", "failed", "skipped"]
    complaint: str = ""
    example: str = ""
    reason: str = ""
    seconds: float = 0.0
    where: str = ""


def examine(check: Check, before: Iterable[Result] = ()) -> Result:
    """Run a check, unless it needs one that failed `before`, or that was itself skipped."""
    for other in before:
        same = (other.check.kind, other.check.part) == (check.kind, check.part)
        if same and other.check.name in check.needs and other.outcome != "passed":
            return Result(check, "skipped", reason=other.reason or f"because {other.check.name} failed")
    found, started = Result(check, "passed"), time.perf_counter()
    try:
        check.run()
    except Nonconforming as failure:
        found = Result(check, "failed", failure.complaint, failure.example, where=failure.where)
    return evolve(found, seconds=time.perf_counter() - started)


def select(checks: Sequence[Check], names: Iterable[str]) -> list[Check]:
    """Return the checks of these names, in their own order; UsageError, with a suggestion, for any other name.

    A check is named as `policy_is_deterministic`, or in full as `domain-hanoi-policy_is_deterministic`.
    """
    wanted = set(names)
    for name in sorted(wanted - {name for check in checks for name in (check.name, str(check))}):
        raise UsageError(f"there is no check {name!r}", remedy=suggest(name, {check.name for check in checks}))
    return [check for check in checks if wanted & {check.name, str(check)}]


class Subject:
    """A part under test, of the `kind` that a subclass names. What a check needs of it is made when it is first used.

    Attributes:
        spec: The part's spec.
        tried: What the checks were tried with so far, for people.
        at: What is being tried: the example of whatever fails next. Small ones come before large ones.
        watched: The classes whose results are tested while a check runs; by default that of what the factory makes.
    """

    kind: ClassVar[type[Spec]]

    def __init__(self, registry: Registry, name: str) -> None:
        self.registry, self.name = registry, name
        self.tried: dict[str, str] = {}
        self.at = ""
        self.spec: Any = registry.find(self.kind, name)

    @cached_property
    def watched(self) -> Iterable[type]:
        return (type(self.registry.create(self.kind, self.name)),)  # type: ignore[type-var]


def needs(*names: str) -> Callable[[CheckFunctionT], CheckFunctionT]:
    """Mark a check that says nothing new where one of these checks of the same part, which come before it, failed."""

    def mark(check: CheckFunctionT) -> CheckFunctionT:
        check.__dict__["needs"] = names
        return check

    return mark


def checks_in(*modules: ModuleType) -> list[Callable[[Any], None]]:
    """Return the checks in these modules: their public functions."""
    own = ((module, value) for module in modules for value in vars(module).values() if inspect.isfunction(value))
    return [value for module, value in own if value.__module__ == module.__name__ and value.__name__[0] != "_"]


def require(condition: bool, complaint: str, example: str = "", where: str = "") -> None:
    """Raise Nonconforming with `complaint` unless `condition` holds; the example is by default what is being tried."""
    if not condition:
        raise Nonconforming(complaint, example, where)


def one_line(text: str) -> bool:
    """Return whether a text is one line of printable ASCII that says something."""
    return bool(text.strip()) and find_unprintable(text) is None and "\n" not in text
