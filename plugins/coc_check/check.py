"""What a check is, what it is of, how it fails, and what comes of it.

While a check runs, what each method of an interface gives is tested at every call. A wrong result, such as None where a
`return` is missing, is so found where it arises, and not where something else stumbles over it.
"""

import inspect
import re
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial, wraps
from types import ModuleType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints
from unittest.mock import patch

from attrs import evolve, field, frozen

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.errors import UsageError
from coc_core.memories import Convention, Memory
from coc_core.models import DraftVerifier, Model
from coc_core.plugin import KINDS, Registry, Spec, plugin_frame, suggest
from coc_core.text import described, find_unprintable

PLAIN_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
"""Names that files and the command line can hold: lower-case letters, digits and dashes."""
RESULTS: Mapping[type, str] = {
    Domain: "_problem _every_problem size start expand initial apply effect every_action neighbours is_goal render"
    " expect",
    Memory: "read windows key",
    Convention: "_window prompt expressions registers write compose",
    ArithmeticOracle: "_resolve",
    Model: "_complete describe",
    DraftVerifier: "_verify",
}
"""The methods whose results are tested, by interface."""


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

    def __init__(self, registry: Registry, name: str, *, offered: bool = True) -> None:
        self.registry, self.name = registry, name
        self.tried: dict[str, str] = {}
        self.at = ""
        self.spec: Any = registry.find(self.kind, name) if offered else None

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


def shown(value: Any) -> str:
    """Return what a value is, for the author of a method that gave it."""
    if value is None:
        return "None"
    return f"the class {value.__name__}" if isinstance(value, type) else f"a value of type {type(value).__name__}"


def definition(kind: type, name: str = "") -> str:
    """Return where a class, or its method of that name, is defined, as `file:line in function`; empty if unknown."""
    found: Any = getattr(kind, name, kind) if name else kind
    try:
        code = getattr(inspect.unwrap(found), "__code__", None)
        if code is not None:
            return f"{code.co_filename}:{code.co_firstlineno} in {name}"
        return f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]} in {kind.__name__}"
    except (OSError, TypeError):  # its source is nowhere
        return ""


def _classes(hint: Any) -> list[type]:
    """Return the classes of which an annotation allows values; `object` stands for whatever is not None."""
    if isinstance(hint, UnionType):
        return [kind for each in get_args(hint) for kind in _classes(each)]
    return [object if isinstance(hint, TypeVar) or hint is Any else get_origin(hint) or hint]


def _in_words(kind: type) -> str:
    if kind is type(None):
        return "None"
    name = "value" if kind is object else kind.__name__
    return f"a{'n' * (name[0] in 'AEIOUaeiou')} {name}"


@contextmanager
def results_checked(kinds: Iterable[type]) -> Iterator[None]:
    """Test every result of the methods of these classes; a wrong one raises Nonconforming."""
    with ExitStack() as undo:
        for kind in dict.fromkeys(kinds):
            for interface, names in RESULTS.items():
                for name in names.split() if issubclass(kind, interface) else ():
                    found = inspect.getattr_static(kind, name, None)
                    if inspect.isfunction(found):
                        hint = get_type_hints(getattr(interface, name))["return"]
                        tested = _tested(definition(kind, name), name, found, _classes(hint))
                        undo.enter_context(patch.object(kind, name, tested))
        yield


def _tested(where: str, name: str, method: Callable[..., Any], kinds: list[type]) -> Callable[..., Any]:
    """Return a method that does the same, and tests its result.

    A bool is not an int, and a text not a sequence; a list may be any sequence.
    """
    allowed = tuple(Sequence if kind is list else kind for kind in kinds)
    odd = {type(None)}.difference(kinds) if object in kinds else {bool, str}.difference(kinds)

    @wraps(method)
    def tested(part: Any, *arguments: Any, **named: Any) -> Any:
        value = method(part, *arguments, **named)
        if not isinstance(value, allowed) or type(value) in odd:
            missing, words = "; is a `return` missing?" if value is None else "", " or ".join(map(_in_words, kinds))
            raise Nonconforming(f"`{name}` returned {shown(value)}, not {words}{missing}", where=where)
        return value

    return tested
