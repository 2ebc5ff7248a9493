"""The class that `--network MODULE:CLASS` or `FILE.py:CLASS` names, imported under guard, as plugins are."""

import sys
from importlib.metadata import EntryPoint
from itertools import accumulate
from pathlib import Path
from typing import Any

from coc_core.errors import PluginError, UsageError
from coc_core.plugin import FileLoader, Plugin, Registry, load, suggest
from coc_core.text import quoted
from coc_transformer.network.base import Architecture
from coc_transformer.network.causal import CausalArchitecture
from coc_transformer.network.configuration import PREFIX
from coc_transformer.network.own import OwnArchitecture, name_of

_REMEDY = "write MODULE:CLASS or FILE.py:CLASS, such as gru.py:Gru"


def named_network(choice: Any) -> Architecture:
    """Return the network that a text names, or that a class is; UsageError if there is no such module, file or class,
    PluginError if it can't be imported or is no network. Errors of `hf:CONFIG.json` are those of `read_configuration`.
    """
    if isinstance(choice, str) and choice.startswith(PREFIX):
        return CausalArchitecture.of(choice.removeprefix(PREFIX))
    return own_network(choice)


def own_network(choice: Any) -> OwnArchitecture:
    """Do as `named_network`, but for a class only."""
    if not isinstance(choice, str):
        return OwnArchitecture.of(choice)
    place, _, name = choice.rpartition(":")
    if not place or not _is_dotted(name):
        raise UsageError(f"{quoted(choice)} names no network", remedy=_REMEDY)
    module = _from_file(Path(place)) if place.endswith(".py") else _from_module(place)
    kind = _member(module, name)
    if kind is None:
        known = [each for each, value in vars(module).items() if isinstance(value, type) and not each.startswith("_")]
        raise UsageError(f"{place} has no class {name!r}", remedy=suggest(name, known))
    return OwnArchitecture.of(kind)


def loaded_network(name: str) -> OwnArchitecture | None:
    """Return the network of that name in a file that the user has given as a plugin; None if there is none."""
    for module in list(sys.modules.values()):
        if isinstance(getattr(module, "__loader__", None), FileLoader):
            kind = _member(module, name.partition(":")[2])
            if isinstance(kind, type) and name_of(kind) == name:
                return OwnArchitecture.of(kind)
    return None


def _member(module: Any, name: str) -> Any:
    """Return what a dotted name means in a module; None if it means nothing."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _from_file(path: Path) -> Any:
    try:
        (plugin,) = Registry.of(()).with_files([path]).plugins
    except UsageError as error:
        raise UsageError(error.message.replace("plugin", "network"), remedy=error.remedy) from None
    return _loaded(plugin, str(path))


def _from_module(name: str) -> Any:
    if not _is_dotted(name):
        raise UsageError(f"{quoted(name)} is neither a module nor a file in Python", remedy=_REMEDY)
    place = str(Path.cwd())
    sys.path.append(place)  # where a user's own modules are, and last, so that they replace none
    try:
        (plugin,) = load([EntryPoint(name, name, "coc")])
    finally:
        sys.path.remove(place)
    parents = accumulate(name.split("."), lambda outer, inner: f"{outer}.{inner}")
    if any(plugin.error.startswith(f"ModuleNotFoundError: No module named {each!r}") for each in parents):
        raise UsageError(f"there is no module {name!r} for --network", remedy=_REMEDY)
    return _loaded(plugin, name)


def _loaded(plugin: Plugin, place: str) -> Any:
    """Return the module of a plugin, which need not offer anything."""
    if plugin.error:
        where = f"; raised at {plugin.where}" if plugin.where else ""
        alone = plugin.from_file and plugin.error.startswith(("ImportError", "ModuleNotFoundError"))
        remedy = "if it imports its neighbours, name it as a module of this folder: PACKAGE.MODULE:CLASS"
        reason = f"the network's module {place} can't be imported: {plugin.error}{where}"
        raise PluginError(reason, remedy=remedy if alone else "")
    return sys.modules[plugin.module]
