"""What the hooks of a plugin return: lists of specs, whose every field has its type."""

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

from attrs import fields

from coc_core.plugin.hookspecs import Spec

SpecT = TypeVar("SpecT", bound=Spec)


class WrongSpec(TypeError):
    """A hook returned something else than specs; `where` is the hook in the plugin, as `file:line in function`."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


def offered_specs(returned: Any, kind: type[SpecT], hook: str, function: Any) -> Iterator[SpecT]:
    """The specs in what a hook returned.

    Args:
        returned: What it returned.
        kind: The class of its specs.
        hook: Its name.
        function: Its implementation.

    Raises:
        WrongSpec: It returned something else than a list of such specs, or one with a value of a wrong type.
    """
    code = getattr(function, "__code__", None)
    where = f"{code.co_filename}:{code.co_firstlineno} in {hook}" if code else ""
    if not isinstance(returned, Iterable) or isinstance(returned, str | Mapping):
        raise WrongSpec(f"{hook} must return a list of {kind.__name__} records, not {_shown(returned)}", where)
    for spec in returned:
        if not isinstance(spec, kind):
            raise WrongSpec(f"{hook} must return {kind.__name__} records, not {_shown(spec)}", where)
        for field in fields(kind):
            value = getattr(spec, field.name)
            if not _fits(value, field.type):
                words = "a tuple" if "tuple" in str(field.type) else "text"
                hint = "; write 'package.module:NAME'" if isinstance(value, type) else ""
                hint = "; a tuple of one is written (x,)" if words != "text" and isinstance(value, str) else hint
                problem = f"the {field.name} of a {kind.__name__} must be {words}, not {_shown(value)}{hint}"
                raise WrongSpec(problem, where)
        yield spec


def _fits(value: Any, kind: Any) -> bool:
    if isinstance(kind, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if get_origin(kind) is not tuple:
        return isinstance(value, kind)
    *first, last = get_args(kind)
    if not isinstance(value, tuple) or (last is not Ellipsis and len(value) != len(first) + 1):
        return False
    return all(_fits(each, first[0]) for each in value)


def _shown(value: Any) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else repr(value)
