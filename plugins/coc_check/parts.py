"""Every check of a part, or of all parts of a plugin."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from coc_check import arithmetic, executor
from coc_check.check import Check, bound, checks_in
from coc_check.domain import DomainSubject, policy, problems, states
from coc_check.memory import MemorySubject, loops, windows
from coc_check.model import ModelSubject, calls, checkpoint
from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.plugin import KINDS, CheckpointSpec, Plugin, Registry, Spec, installed, load, suggest
from coc_core.setting import configured_backend
from coc_core.text import nearest

SUBJECTS: Mapping[str, Callable[[Registry, str], Any]] = {
    "domain": DomainSubject,
    "memory": MemorySubject,
    "arithmetic": arithmetic.ArithmeticSubject,
    "model": ModelSubject,
    "executor": executor.ExecutorSubject,
}
"""The kinds of parts that can be checked, and what prepares one of them for its checks."""

CHECKS = {
    "domain": checks_in(problems, policy, states),
    "memory": checks_in(windows, loops),
    "arithmetic": checks_in(arithmetic),
    "model": checks_in(calls),
    "executor": checks_in(executor),
}
"""Every check of a kind, in the order in which their failures are best read."""

CHECKPOINT_CHECKS = checks_in(calls, checkpoint)


def part_checks(registry: Registry, kind: str, name: str) -> Iterator[Check]:
    """Return the checks of the part of that kind and name; UsageError or PluginError if it can't be checked."""
    return _checks(SUBJECTS[kind](registry, name), kind, name)


def _checks(subject: Any, kind: str, name: str) -> Iterator[Check]:
    is_trained = isinstance(subject, ModelSubject) and bool(subject.spoken)  # it has files, and has to know the policy
    for check, needed in (CHECKPOINT_CHECKS if is_trained else CHECKS[kind]).items():
        yield bound(kind, name, check, subject, needed)


def checks(registry: Registry, name: str, kind: str | None = None) -> Iterator[Check]:
    """Return the checks of the part `name` in every kind that has one, or in the one `kind`.

    If there is no such part, those of every part that the plugin `name` offers; if there is no such plugin, those of
    the checkpoint in the folder `name`, or of the model that `NAME:TEXT` chooses.

    Raises:
        UsageError: There is nothing of that name; with a suggestion.
        ArtefactError: The folder has no checkpoint that can be opened.
        PluginError: The plugin failed to load, or a part can't be made.
    """
    if kind is not None and kind not in SUBJECTS:
        raise UsageError(f"there are no checks of the kind {kind!r}", remedy=suggest(kind, SUBJECTS))
    kinds = list(SUBJECTS) if kind is None else [kind]
    chosen = [part for part in _parts(registry.plugins, kinds) if part[1] == name]
    # Not Path.is_dir, since Path raises for a name that is too long.
    model = "/" in name or os.path.isdir(name) or configured_backend(registry, name)  # noqa: PTH112
    if not chosen and model and name not in {plugin.name for plugin in registry.plugins}:
        return _of_model(registry, name, kinds)
    return chain.from_iterable(part_checks(registry, kind, part) for kind, part in chosen or _of(registry, name, kinds))


def _of_model(registry: Registry, name: str, kinds: list[str]) -> Iterator[Check]:
    """Return the checks of a checkpoint that ships nowhere, or of a model that a text chooses."""
    if "model" not in kinds:
        raise UsageError(f"{name} is a model", remedy="leave out --kind")
    try:
        subject = ModelSubject(registry, name, anywhere=True)
    except ArtefactError as error:
        remedy = "name a folder that `coc train` wrote, a part or a plugin"
        raise ArtefactError(error.message, remedy=error.remedy or remedy) from None
    return _checks(subject, "model", name)


def _parts(plugins: Iterable[Plugin], kinds: list[str]) -> list[tuple[str, str]]:
    """Kind and name of each part of these kinds that the plugins offer, kind by kind."""
    found = {(_kind(spec), spec.name) for plugin in plugins for spec in plugin.specs}
    return sorted((part for part in found if part[0] in kinds), key=lambda part: (kinds.index(part[0]), part[1]))


def _kind(spec: Spec) -> str:
    """Return the kind that a part is checked as: a checkpoint that ships is a model."""
    return "model" if isinstance(spec, CheckpointSpec) else KINDS[type(spec)]


def _of(registry: Registry, name: str, kinds: list[str]) -> list[tuple[str, str]]:
    """Return the parts of the plugin called `name`, at least one."""
    plugins = [plugin for plugin in registry.plugins if plugin.name == name]
    for plugin in plugins:
        if plugin.failure:
            raise PluginError(plugin.failure)
    found = _parts(plugins, kinds)
    if not found:
        what = " or ".join(kinds)
        known = [*(part for _, part in _parts(registry.plugins, kinds)), *(each.name for each in registry.plugins)]
        if plugins:
            raise UsageError(f"the plugin {name!r} offers no {what}")
        near = nearest(name, known)
        remedy = f"{f'did you mean {near!r}? ' if near else ''}`coc plugins` lists what can be checked"
        if name.endswith(".py"):
            remedy = f"write coc check {name.removesuffix('.py')} --plugin {name}"
        raise UsageError(f"there is no {what} {name!r}, and no plugin of that name", remedy=remedy)
    return found


def registry_of(*names: str) -> Registry:
    """Return a registry of the installed plugins with these names and of no other; UsageError if one is not
    installed.
    """
    points = installed()
    known = {point.name for point in points}
    for name in names:
        if name not in known:
            raise UsageError(f"no plugin {name!r} is installed", remedy=suggest(name, known))
    return Registry.of(load(point for point in points if point.name in names))
