"""An option: what it is called, what it takes, and the words that describe it.

An option is a field of a frozen record, and is stated once. The command line is generated from the fields, the front
door takes them as keyword arguments, and both check values in the same way.

    N = Option("Set the problem size.", ("--n", "-n"), Whole())

    @frozen(kw_only=True)
    class RunOptions:
        n: int | None = option(N, default=None)
"""

import json
import os
import types
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from inspect import Parameter, Signature, getdoc, signature as signature_of
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeVar

from attrs import NOTHING, Attribute, Converter, Factory, evolve, field, fields, frozen

from coc_core.errors import UsageError
from coc_core.models import on_device
from coc_core.text import Decimal as Decimal, Name as Name, Whole as Whole, quoted

ResultT = TypeVar("ResultT")

PROBLEM = "Problem"
MACHINE = "Machine"
MODEL = "Model"
OUTPUT = "Output"
ADVANCED = "Advanced"
"""The panels that options stand in."""

_KEY = "option"


@frozen
class File(Name):
    """Takes the path of a file or folder."""

    metavar: str = "FILE"
    annotation: Any = Path

    def check(self, value: Any) -> Path:
        if not isinstance(value, str | os.PathLike):
            raise ValueError(f"{quoted(str(value), 24)} is not a path.")
        return Path(value)


@frozen
class Source(Name):
    """Takes, on the command line, the path of a file or `-`; from Python also a text, which is what such a file has."""

    metavar: str = "FILE|-"
    annotation: Any = str

    def read(self, text: Any) -> Path:
        return Path(text)


@frozen
class DataSource(Source):
    """The same; from Python also data that JSON can write, such as `(12, 18)`."""

    def check(self, value: Any) -> str | os.PathLike[str]:
        if isinstance(value, str | os.PathLike):
            return value
        try:
            return json.dumps(value)
        except (TypeError, ValueError, RecursionError):
            raise ValueError(f"{quoted(str(value), 24)} is neither a path, nor a text, nor data for JSON.") from None


@frozen
class Choice(Name):
    """Takes the name of a member of an enumeration, `annotation`."""

    annotation: Any = StrEnum

    def check(self, value: Any) -> StrEnum:
        try:
            return self.annotation(value)  # type: ignore[no-any-return]
        except ValueError:
            known = ", ".join(repr(str(choice)) for choice in self.annotation)
            raise ValueError(f"{value!r} is not one of {known}.") from None


@frozen
class Flag(Name):
    """Takes nothing: it is there or not."""

    annotation: Any = bool


@frozen
class Several(Name):
    """Takes several values of a kind, each with a flag of its own; from Python one value, or several."""

    kind: Name = Name()
    annotation: Any = Factory(lambda self: types.GenericAlias(list, (self.kind.annotation,)), takes_self=True)

    def check(self, value: Any) -> tuple[Any, ...]:
        alone = isinstance(value, str | os.PathLike) or not isinstance(value, Iterable)
        return tuple(map(self.kind.check, [value] if alone else value))


@frozen
class Option:
    """What a field of a record of options is on the command line.

    Attributes:
        help: What it says, sets or chooses, in a sentence or a few.
        flags: How it is written, such as `--n` and `-n`; none for an argument.
        kind: What it takes.
        panel: The heading that it stands under.
        shown: The default as the help shows it; True for the default itself, False for none.
    """

    help: str
    flags: tuple[str, ...]
    kind: Name = Name()
    panel: str = ADVANCED
    shown: str | bool = True


def option(stated: Option, default: Any = NOTHING, **changes: Any) -> Any:
    """Return a field of a record that is this option, with some attributes changed; required without a default."""
    if default is NOTHING:
        changes["shown"] = False
    stated = evolve(stated, **changes)
    return field(default=default, converter=Converter(_checked, takes_field=True), metadata={_KEY: stated})


def _checked(value: Any, attribute: "Attribute[Any]") -> Any:
    if value is attribute.default:
        return value
    found = option_of(attribute)
    try:
        return found.kind.check(value)
    except ValueError as error:
        flags = " / ".join(map("'{}'".format, found.flags))
        raise UsageError(f"Invalid value for {flags}: {error}") from None


def option_of(attribute: "Attribute[Any]") -> Option:
    """Return the option that a field of a record is."""
    return attribute.metadata[_KEY]  # type: ignore[no-any-return]


def options_of(record: type[Any]) -> tuple["Attribute[Any]", ...]:
    """Return the fields of a record that are options, the domain first."""
    found = (each for each in fields(record) if _KEY in each.metadata)
    return tuple(sorted(found, key=lambda each: each.name != "domain"))


def given(options: Any) -> dict[str, Any]:
    """Return the options that differ from their defaults, by name."""
    values = ((each, getattr(options, each.name)) for each in options_of(type(options)))
    return {each.name: value for each, value in values if each.default is NOTHING or value != each.default}


def takes(record: type[Any], *first: str) -> Callable[[Callable[..., ResultT]], Callable[..., ResultT]]:
    """Return a decorator for a function of the front door whose first parameter is a record of options.

    Callers give the options as keyword arguments, and those named in `first` also by place, before them. The device
    that they name is chosen while the function runs.
    """

    def decorate(function: Callable[..., ResultT]) -> Callable[..., ResultT]:
        options = {each.name: each for each in options_of(record)}
        more = list(signature_of(function).parameters.values())[1:]
        order = [*first, *(name for name in options if name not in first)]
        parameters = [
            Parameter(
                name,
                Parameter.POSITIONAL_OR_KEYWORD if name in first else Parameter.KEYWORD_ONLY,
                default=Parameter.empty if options[name].default is NOTHING else options[name].default,
                annotation=options[name].type,
            )
            for name in order
        ]
        parameters += [each.replace(kind=Parameter.KEYWORD_ONLY) for each in more]
        signature = Signature(sorted(parameters, key=lambda each: each.kind))

        def call(*arguments: Any, **keywords: Any) -> ResultT:
            values = signature.bind(*arguments, **keywords).arguments
            others = {each.name: values.pop(each.name) for each in more if each.name in values}
            chosen = record(**values)
            with on_device(getattr(chosen, "device", None)):
                return function(chosen, **others)

        call.__name__ = call.__qualname__ = function.__name__
        call.__module__, call.__doc__ = function.__module__, _documented(function, options)
        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    return decorate


def _documented(function: Callable[..., Any], options: Mapping[str, "Attribute[Any]"]) -> str:
    """Return a function's docstring, with what the options' helps say among its arguments."""
    before, heading, after = (getdoc(function) or "").partition("Args:\n")
    if not heading:
        before, heading, after = before.partition("Returns:\n" if "Returns:\n" in before else "Raises:\n")
        after = f"\n{heading}{after}"
    lines = [f"    {name}: {option_of(each).help}" for name, each in options.items()]
    told = "\n".join("\n        ".join(wrap(line, 110, break_long_words=False)) for line in lines)
    return f"{before}Args:\n    {told.strip()}\n{after}"
