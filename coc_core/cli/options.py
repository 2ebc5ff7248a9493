"""The command line of records of options: what typer reads is made from their fields, by `@command(RunOptions)`."""

from collections.abc import Callable
from functools import partial
from inspect import Parameter, Signature
from itertools import chain
from typing import Annotated, Any

import typer
from attrs import NOTHING

from coc_core.cli import console
from coc_core.models import on_device
from coc_core.options import Name, Option, Several, option_of, options_of, shared


def command(
    record: type[Any], more: type[Any] | None = None, *, reports: bool = True
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator that makes a command of a function of a record of options; its options are the record's
    fields.

    Args:
        record: The record.
        more: The kind of specs by which plugins add records. The function gets these after the first; until the command
            is looked up, it has none of them.
        reports: Whether it prints its result with `console.report`, and so has the option --json.
    """

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        found: Any = _command(reports, function, record)
        found.more, found.extended = more, partial(_command, reports, function, record)
        return found  # type: ignore[no-any-return]

    return decorate


def _command(reports: bool, function: Callable[..., int], *records: type[Any]) -> Callable[..., int]:
    fields = [options_of(record) for record in records]
    parameters = [_parameter(each) for each in chain(*fields)]
    if reports:
        json = Annotated[bool, typer_option(shared.JSON)]
        parameters.insert(len(fields[0]), Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=json))

    def call(**values: Any) -> int:
        given = {name: value for name, value in values.items() if value is not None}
        chosen = [
            record(**{each.name: given[each.name] for each in own if each.name in given})
            for record, own in zip(records, fields, strict=True)
        ]
        console.be_json(given.get("as_json", False))
        with on_device(getattr(chosen[0], "device", None)):
            return function(*chosen)

    call.__name__, call.__doc__, call.__module__ = function.__name__, function.__doc__, function.__module__
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    return call


def _parameter(attribute: Any) -> Parameter:
    """Return a field of a record as typer has a parameter."""
    found, default = option_of(attribute), attribute.default
    several = isinstance(found.kind, Several)
    kind: Any = found.kind.annotation
    if default is NOTHING:
        default = Parameter.empty
    elif default is None or several:
        kind, default = kind | None, None
    return Parameter(
        attribute.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, typer_option(found)]
    )


def typer_option(found: Option, **more: Any) -> Any:
    """Return what typer knows of an option: its flags, its help and how its text is read."""
    how: dict[str, Any] = {"help": found.help, "show_default": found.shown, **more}
    if found.kind.annotation is not bool and not hasattr(found.kind.annotation, "__members__"):
        how["metavar"] = found.kind.metavar
    if type(found.kind).read is not Name.read:
        how["parser"] = _reader(found.kind)
    if not found.flags:
        return typer.Argument(**how)
    return typer.Option(*found.flags, rich_help_panel=found.panel, **how)


def _reader(kind: Name) -> Callable[[Any], Any]:
    def read(text: Any) -> Any:
        try:
            return kind.read(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return read
