"""What a check is, what it is of, how it fails, and what comes of it."""

import inspect
import re
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from types import ModuleType
from typing import Any, ClassVar, Literal

from attrs import evolve, field, frozen

from coc_check.results import Nonconforming, results_checked
from coc_core.errors import UsageError
from coc_core.plugin import KINDS, Registry, Spec, plugin_frame, suggest
from coc_core.text import described, find_unprintable

PLAIN_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
"""Names that files and the command line can hold: lower-case letters, digits and dashes."""
WARNING = "warning"  # what `Check.tried` calls a finding that may be meant


@frozen
class Check:
    """A promise of the part `part` of a kind such as `domain`; `run` raises Nonconforming if it is broken.

    `promise` says in one line what is expected, `hint` where to look if it is broken. `tried` has what the checks of
    the part that have run were tried with, such as sizes.
    """

    kind: str
    part: str
    name: str
    promise: str
    hint: str
    run: Callable[[], None]
    tried: Mapping[str, str] = field(factory=dict, eq=False)

    @property
    def command(self) -> str:
        """What runs this check alone."""
        return f"coc check {shlex.quote(self.part)} --kind {self.kind} --only {self.name}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.part}-{self.name}"


@frozen
class Result:
    """What came of one check, and how long it took; `complaint`, `example` and `where` are those of the failure."""

    check: Check
    outcome: Literal["passed", "failed", "skipped"]
    complaint: str = ""
    example: str = ""
    reason: str = ""
    seconds: float = 0.0
    where: str = ""


def examine(check: Check, before: Iterable[Result] = ()) -> Result:
    """Run a check, unless one of the same part failed `before`: then it is skipped, since it builds on that one."""
    for other in before:
        if other.outcome == "failed" and (other.check.kind, other.check.part) == (check.kind, check.part):
            return Result(check, "skipped", reason=f"because {other.check.name} failed")
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

    def check(self, function: Callable[[Any], None]) -> Check:
        """Return the check of this part that a function makes: its docstring is the promise, then the hint.

        Any other exception that comes out of it is a broken promise too: a part raises nothing but what its interface
        names.
        """
        promise, _, hint = (" ".join(each.split()) for each in inspect.getdoc(function).partition("\n\n"))  # type: ignore[union-attr]
        run = partial(self._attempt, function)
        return Check(KINDS[self.kind], self.name, function.__name__, promise, hint, run, self.tried)

    def _attempt(self, function: Callable[[Any], None]) -> None:
        self.at = ""
        try:
            with results_checked(self.watched):
                function(self)
        except (Exception, SystemExit) as error:
            cause: BaseException | None = error
            while cause is not None and not isinstance(cause, Nonconforming):
                cause = cause.__cause__  # a wrong result may lead to another error
            found = cause or Nonconforming(f"{self.name} raised {described(error)}", where=plugin_frame(error) or "")
            raise Nonconforming(found.complaint, found.example or self.at, found.where) from error


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
