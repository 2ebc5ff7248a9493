"""Every check of a part, or of all parts of a plugin."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from coc_check import arithmetic
from coc_check.check import Check, Subject, checks_in
from coc_check.domain import checks as domains, states
from coc_check.domain.subject import DomainSubject
from coc_check.fuzz import trial
from coc_check.memory import checks as memories
from coc_check.memory.subject import MemorySubject
from coc_check.model import checks as models
from coc_check.model.subject import ModelSubject
from coc_core.errors import ArtefactError, CocError, PluginError, UsageError
from coc_core.plugin import KINDS, CheckpointSpec, Plugin, Registry, installed, load, suggest
from coc_core.setting import configured_backend, folder_named
from coc_core.text import nearest

SUBJECTS: Mapping[str, type[Subject]] = {
    "domain": DomainSubject,
    "memory": MemorySubject,
    "arithmetic": arithmetic.ArithmeticSubject,
    "model": ModelSubject,
    "executor": trial.ExecutorSubject,
}
"""The kinds of parts that can be checked, and what prepares one of them for its checks."""

CHECKS: Mapping[str, Sequence[Callable[[Any], None]]] = {
    "domain": checks_in(domains, states),
    "memory": checks_in(memories),
    "arithmetic": checks_in(arithmetic),
    "model": checks_in(models),
    "executor": [trial.runs_are_those_of_algorithm_1],
}
"""Every check of a kind, in the order in which their failures are best read: each after those that it builds on."""


def part_checks(registry: Registry, kind: str, name: str) -> Iterator[Check]:
    """Return the checks of the part of that kind and name; UsageError or PluginError if it can't be checked."""
    return map(SUBJECTS[kind](registry, name).check, CHECKS[kind])


def checks(registry: Registry, name: str, kind: str | None = None) -> Iterator[Check]:
    """Return the checks of the part `name` in every kind that has one, or in the one `kind`.

    If there is no such part, those of every part that the plugin `name` offers; if there is no such plugin, those of
    the checkpoint in the folder `name`, or in that which `NAME:TEXT@FOLDER` ends with.

    Raises:
        UsageError: There is nothing of that name; with a suggestion.
        ArtefactError: The folder has no checkpoint that can be opened.
        PluginError: The plugin failed to load, or a part can't be made.
    """
    if kind is not None and kind not in SUBJECTS:
        raise UsageError(f"there are no checks of the kind {kind!r}", remedy=suggest(kind, SUBJECTS))
    kinds = list(SUBJECTS) if kind is None else [kind]
    plugins = [plugin for plugin in registry.plugins if plugin.name == name]
    parts = [part for part in _parts(registry.plugins, kinds) if part[1] == name] or _parts(plugins, kinds)
    chosen = configured_backend(registry, name)  # as in `network:FILE.py:CLASS@FOLDER`
    if not (parts or plugins) and (folder := Path(name.rpartition("@")[2]) if chosen else folder_named(name)):
        if "model" not in kinds:
            raise UsageError(f"{name} is a model", remedy="leave out --kind")
        try:
            return map(ModelSubject(registry, name, folder).check, CHECKS["model"])
        except ArtefactError as error:
            remedy = "name a folder that `coc train` wrote, a part or a plugin"
            raise ArtefactError(error.message, remedy=error.remedy or remedy) from None
    if not parts:
        raise _refusal(registry, name, kinds, plugins)
    return chain.from_iterable(part_checks(registry, kind, part) for kind, part in parts)


def _parts(plugins: Iterable[Plugin], kinds: list[str]) -> list[tuple[str, str]]:
    """Return kind and name of each part of these kinds that the plugins offer, kind by kind; checkpoints are models."""
    specs = [spec for plugin in plugins for spec in plugin.specs]
    found = {("model" if isinstance(spec, CheckpointSpec) else KINDS[type(spec)], spec.name) for spec in specs}
    return sorted((part for part in found if part[0] in kinds), key=lambda part: (kinds.index(part[0]), part[1]))


def _refusal(registry: Registry, name: str, kinds: list[str], plugins: Iterable[Plugin]) -> CocError:
    """Return why nothing can be checked under a name, which these plugins have."""
    what = " or ".join(kinds)
    for plugin in plugins:
        return PluginError(plugin.failure) if plugin.failure else UsageError(f"the plugin {name!r} offers no {what}")
    near = nearest(name, [*(part for _, part in _parts(registry.plugins, kinds)), *(p.name for p in registry.plugins)])
    remedy = f"{f'did you mean {near!r}? ' if near else ''}`coc plugins` lists what can be checked"
    if name.endswith(".py"):
        remedy = f"write coc check {name.removesuffix('.py')} --plugin {name}"
    found = f"there is no {what} {name!r}" if len(kinds) == 1 else f"nothing is called {name!r}"
    return UsageError(found, remedy=remedy)


def registry_of(*names: str) -> Registry:
    """Return a registry of the installed plugins with these names alone; UsageError if one is not installed."""
    points = installed()
    known = {point.name for point in points}
    for name in names:
        if name not in known:
            raise UsageError(f"no plugin {name!r} is installed", remedy=suggest(name, known))
    return Registry.of(load(point for point in points if point.name in names))
