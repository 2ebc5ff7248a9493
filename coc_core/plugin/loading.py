"""Finding and loading plugins one by one, so that a broken one does not affect the others.

pluggy's own entry-point loader stops at the first failure, and silently drops the second of two plugins with one name.
Here each plugin is loaded into a manager of its own, and its error is recorded as data.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points, version
from typing import Any

import pluggy
from attrs import evolve, frozen

from coc_core.plugin import hookspecs
from coc_core.plugin.guard import guarded
from coc_core.plugin.hookspecs import DISTRIBUTION, PROJECT, Spec
from coc_core.plugin.offered import WrongSpec, offered_specs
from coc_core.text import described, places, quoted

_NAME = re.compile(r"\s*([A-Za-z0-9._-]+)", re.ASCII)

HOOKS: dict[str, type[Spec]] = {
    "coc_domains": hookspecs.DomainSpec,
    "coc_memories": hookspecs.MemorySpec,
    "coc_arithmetics": hookspecs.ArithmeticSpec,
    "coc_models": hookspecs.ModelSpec,
    "coc_executors": hookspecs.ExecutorSpec,
    "coc_plan_formats": hookspecs.PlanFormatSpec,
    "coc_problem_formats": hookspecs.ProblemFormatSpec,
    "coc_checkpoints": hookspecs.CheckpointSpec,
    "coc_commands": hookspecs.CommandSpec,
    "coc_run_options": hookspecs.RunOptionsSpec,
    "coc_functions": hookspecs.FunctionSpec,
    "coc_items": hookspecs.ItemSpec,
}


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
    """The entry points of the group `coc`, each once: first the built-in ones, then by distribution and name."""
    found = {(distribution_of(point), point.name, point.value): point for point in entry_points(group=PROJECT)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0] != DISTRIBUTION, key)))


def load(points: Iterable[EntryPoint]) -> tuple[Plugin, ...]:
    """Load the plugins of entry points. Whatever a plugin raises becomes its error; Ctrl-C ends the loading."""
    return tuple(_load(point) for point in points)


def _load(point: EntryPoint) -> Plugin:
    distribution, version = _name_and_version(point.dist)
    plugin = Plugin(point.name, point.value, distribution, version)
    found: tuple[tuple[Spec, ...], str, str]
    if plugin.built_in:
        found = specs_or_error(point.load, plugin, nullcontext())
    elif reason := unmet_requirement(point.dist):
        found = (), reason, ""
    else:
        found = specs_or_error(point.load, plugin, guarded(str(plugin)))
    specs, error, where = found
    return evolve(plugin, specs=specs, error=error, where=where)


def unmet_requirement(distribution: Distribution | None) -> str:
    """What a distribution requires of coc that the installed version does not meet; empty if it meets everything."""
    for text in getattr(distribution, "requires", None) or ():
        name = _NAME.match(text)
        # Most requirements have no version, and `packaging` takes a while to import.
        if name and re.sub("[-_.]+", "-", name[1]).lower() == DISTRIBUTION and name.end() < len(text.rstrip()):
            reason = _unmet(text)
            if reason:
                return reason
    return ""


def _unmet(text: str) -> str:
    from packaging.requirements import Requirement

    try:
        requirement = Requirement(text)
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    except ValueError:
        return f"its requirement {quoted(text)} can't be read"
    present = version(DISTRIBUTION)
    if not applies or requirement.specifier.contains(present, prereleases=True):
        return ""
    return f"it requires {DISTRIBUTION}{requirement.specifier}, and {present} is installed"


def distribution_of(point: EntryPoint) -> str:
    """The name of the distribution that an entry point comes from."""
    return _name_and_version(point.dist)[0]


@cache
def _name_and_version(distribution: Distribution | None) -> tuple[str, str]:
    """Those of a distribution, whose metadata are read anew each time that one of them is asked for."""
    name, release = (distribution.name, distribution.version) if distribution else ("", "")
    return name or "an unnamed distribution", release or ""


def specs_or_error(
    load_module: Callable[[], Any], plugin: Plugin, within: AbstractContextManager[object]
) -> tuple[tuple[Spec, ...], str, str]:
    """The specs that a plugin's module offers; or no specs, why loading it failed, and where.

    Args:
        load_module: Imports the module.
        plugin: The plugin, with neither specs nor an error yet.
        within: The context in which its code runs.
    """
    try:
        with within:
            return _specs(load_module()), "", ""
    except KeyboardInterrupt:
        raise
    except WrongSpec as wrong:
        return (), str(wrong), wrong.where
    except BaseException as raised:
        return (), described(raised), _place(raised, plugin.module.partition(":")[0].partition(".")[0])


def _place(error: BaseException, package: str) -> str:
    """The innermost place in a package that an exception passed through; empty if there is none."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}:{error.lineno}"
    own = [place for name, place, _ in places(error) if name.partition(".")[0] == package]
    if not own and error.__cause__ is not None:
        return _place(error.__cause__, package)
    return own[-1] if own else ""


def _specs(module: Any) -> tuple[Spec, ...]:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(module)
    manager.check_pending()
    found: list[Spec] = []
    for hook, kind in HOOKS.items():
        for returned in getattr(manager.hook, hook)():
            found += offered_specs(returned, kind, hook, getattr(module, hook))
    return tuple(found)
