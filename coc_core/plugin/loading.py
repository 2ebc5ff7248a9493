"""Finding and loading plugins one by one, so that a broken one does not affect the others.

pluggy's own entry-point loader stops at the first failure, and silently drops the second of two plugins with one name.
Here each plugin is loaded into a manager of its own, and its error is recorded as data.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import UnionType
from typing import Any, get_args, get_origin

import pluggy
from attrs import evolve, fields, frozen

from coc_core.plugin.hookspecs import DISTRIBUTION, HOOKS, PROJECT, Spec
from coc_core.text import described, places

_HOOKSPECS = type("Hooks", (), {hook: pluggy.HookspecMarker(PROJECT)(lambda: []) for hook in HOOKS})


@frozen
class Plugin:
    """An entry point or a single file: the specs that it offers, or the `error` why it offers none.

    `where` is the place in its code where the error arose, as `file:line in function`, if it is known.
    For a file, `distribution` is the name of the file and `version` the first digits of its SHA-256.
    """

    name: str
    module: str
    distribution: str
    version: str
    specs: tuple[Spec, ...] = ()
    error: str = ""
    where: str = ""
    from_file: bool = False

    @property
    def built_in(self) -> bool:
        """Whether the plugin is part of coc."""
        return self.distribution == DISTRIBUTION

    @property
    def failure(self) -> str:
        """The line that says why it offers nothing; empty if it was loaded."""
        place = f"; raised at {self.where}" if self.where else ""
        return self.error and f"the plugin {self} failed to load: {self.error}{place}"

    def __str__(self) -> str:
        return f"{self.name!r} of {self.distribution}"

    def __repr__(self) -> str:
        return f"Plugin({self.name}, {self.distribution} {self.version}{', broken' if self.error else ''})"


def installed() -> tuple[EntryPoint, ...]:
    """Return the entry points of the group `coc`, each once: first the built-in ones, then by distribution and name."""
    found = {(distribution_of(point), point.name, point.value): point for point in entry_points(group=PROJECT)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0] != DISTRIBUTION, key)))


def load(points: Iterable[EntryPoint]) -> tuple[Plugin, ...]:
    """Load the plugins of entry points. Whatever a plugin raises becomes its error; Ctrl-C ends the loading."""
    return tuple(_load(point) for point in points)


def _load(point: EntryPoint) -> Plugin:
    return loaded(Plugin(point.name, point.value, *_name_and_version(point.dist)), point.load)


def distribution_of(point: EntryPoint) -> str:
    """Return the name of the distribution that an entry point comes from."""
    return _name_and_version(point.dist)[0]


@cache
def _name_and_version(distribution: Distribution | None) -> tuple[str, str]:
    """Return those of a distribution, whose metadata are read anew each time that one of them is asked for."""
    name, release = (distribution.name, distribution.version) if distribution else ("", "")
    return name or "an unnamed distribution", release or ""


def loaded(plugin: Plugin, load_module: Callable[[], Any]) -> Plugin:
    """Return the plugin with the specs that its module offers; or with the reason why loading it failed, and where."""
    try:
        return evolve(plugin, specs=_specs(load_module()))
    except KeyboardInterrupt:
        raise
    except WrongSpec as wrong:
        return evolve(plugin, error=str(wrong), where=wrong.where)
    except BaseException as raised:
        where = _place(raised, plugin.module.partition(":")[0].partition(".")[0])
        return evolve(plugin, error=described(raised), where=where)


def _place(error: BaseException, package: str) -> str:
    """Return the innermost place in a package that an exception passed through; empty if there is none."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}:{error.lineno}"
    own = [place for name, place, _ in places(error) if name.partition(".")[0] == package]
    if not own and error.__cause__ is not None:
        return _place(error.__cause__, package)
    return own[-1] if own else ""


def _specs(module: Any) -> tuple[Spec, ...]:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(_HOOKSPECS)
    manager.register(module)
    manager.check_pending()
    found: list[Spec] = []
    for hook, kind in HOOKS.items():
        for returned in getattr(manager.hook, hook)():
            found += _offered(returned, kind, hook, getattr(module, hook))
    return tuple(found or _offered_by_classes(module))


def _offered_by_classes(module: Any) -> Iterator[Spec]:
    """Yield the specs of the classes of a module that has no hooks."""
    for each in vars(module).values():
        spec = vars(each).get("spec") if isinstance(each, type) and each.__module__ == module.__name__ else None
        if isinstance(spec, Spec):
            yield spec


class WrongSpec(TypeError):
    """A hook returned something else than specs; `where` is the hook in the plugin, as `file:line in function`."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


def _offered(returned: Any, kind: type[Any], hook: str, function: Any) -> Iterator[Spec]:
    """Yield the specs of a kind that a hook returned; WrongSpec if it returned no list of these, or one is wrong."""
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
