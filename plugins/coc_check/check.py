"""What a check is, what it is of, and how it fails."""

import inspect
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from attrs import field, frozen

from coc_core.plugin import Registry, Spec
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
    """Mark a check that says nothing new where one of these other checks of the same part has failed."""

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
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }

    def with_needs(name: str) -> list[str]:
        return [*dict.fromkeys(before for need in found[name][1] for before in with_needs(need)), name]

    order = dict.fromkeys(name for last in found for name in with_needs(last))
    return {found[name][0]: tuple(with_needs(name)[:-1]) for name in order}


def require(condition: bool, complaint: str, example: str = "", where: str = "") -> None:
    """Raise Nonconforming with `complaint` unless `condition` holds; the example is by default what is being tried."""
    if not condition:
        raise Nonconforming(complaint, example, where)


def one_line(text: str) -> bool:
    """Return whether a text is one line of printable ASCII that says something."""
    return bool(text.strip()) and find_unprintable(text) is None and "\n" not in text
