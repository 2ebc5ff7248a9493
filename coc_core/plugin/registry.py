"""The parts that the plugins offer, by kind and name.

Nothing here is global: a registry is made from plugins and handed to whoever needs it. Names are unique within a
kind. A stranger can't take the name of a built-in part, and of two strangers with one name neither gets it.
"""

import difflib
import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field, frozen

from coc_core.errors import CocError, PluginError, UsageError
from coc_core.plugin.hookspecs import (
    ArithmeticSpec,
    CheckpointSpec,
    DomainSpec,
    ExecutorSpec,
    MemorySpec,
    ModelSpec,
    Spec,
)
from coc_core.plugin.loading import Plugin, installed, load, load_files

SpecT = TypeVar("SpecT", DomainSpec, MemorySpec, ArithmeticSpec, ModelSpec, ExecutorSpec, CheckpointSpec)

PartT = TypeVar("PartT", DomainSpec, ExecutorSpec)
"""The kinds whose factories need nothing."""

KINDS: dict[type[Spec], str] = {
    DomainSpec: "domain",
    MemorySpec: "memory",
    ArithmeticSpec: "arithmetic",
    ModelSpec: "model",
    ExecutorSpec: "executor",
    CheckpointSpec: "checkpoint",
}


@frozen
class Conflict:
    """A name that more than one plugin wanted, and the refused ones."""

    kind: str
    name: str
    claimants: tuple[Plugin, ...]
    kept: Plugin | None

    def __str__(self) -> str:
        both = " and ".join(map(str, self.claimants))
        fate = f"{self.kept} keeps it" if self.kept else "neither gets it"
        return f"the {self.kind} {self.name!r} is offered by {both}; {fate}"


@define
class Registry:
    """What can be used, who offers it, and what was refused."""

    plugins: tuple[Plugin, ...]
    conflicts: tuple[Conflict, ...] = ()
    _parts: dict[tuple[type[Spec], str], tuple[Spec, Plugin]] = field(factory=dict)

    @classmethod
    def of(cls, plugins: Iterable[Plugin]) -> "Registry":
        """A registry of these plugins."""
        registry = cls(tuple(plugins))
        claims: dict[tuple[type[Spec], str], list[tuple[Spec, Plugin]]] = {}
        for plugin in registry.plugins:
            for spec in plugin.specs:
                claims.setdefault((type(spec), spec.name), []).append((spec, plugin))
        for (kind, name), claimed in claims.items():
            own = [claim for claim in claimed if claim[1].built_in]
            if len(claimed) > 1:
                kept = own[0][1] if own else None
                refused = Conflict(KINDS[kind], name, tuple(plugin for _, plugin in claimed), kept)
                registry.conflicts += (refused,)
            if own or len(claimed) == 1:
                registry._parts[kind, name] = (own or claimed)[0]
        return registry

    @classmethod
    def installed(cls, files: Iterable[Path] = ()) -> "Registry":
        """A registry of every plugin installed in this environment, and of those in `files`; errors as `load_files`."""
        return cls.of((*load(installed()), *load_files(files)))

    def specs(self, kind: type[SpecT]) -> tuple[SpecT, ...]:
        """The specs of one kind, by name."""
        return tuple(spec for (_, _), (spec, _) in sorted(self._parts.items(), key=_name) if isinstance(spec, kind))

    def find(self, kind: type[SpecT], name: str) -> SpecT:
        """The spec of that kind and name.

        PluginError if its plugin failed to load or its name is contested, UsageError, with a suggestion, if nobody
        offers it. A file that failed to load is taken for the one that would have.
        """
        part = self._parts.get((kind, name))
        if part is not None:
            return part[0]  # type: ignore[return-value]
        for conflict in self.conflicts:
            if (conflict.kind, conflict.name) == (KINDS[kind], name):
                from_file = any(plugin.from_file for plugin in conflict.claimants)
                remedy = "leave out --plugin" if from_file else "uninstall one of them"
                raise PluginError(str(conflict), remedy=remedy)
        for plugin in self.plugins:
            if plugin.error and (plugin.from_file or plugin.name == name):
                raise PluginError(f"the plugin {plugin} failed to load: {plugin.error}")
        raise UsageError(f"unknown {KINDS[kind]} {name!r}", remedy=suggest(name, [s.name for s in self.specs(kind)]))

    def create(self, kind: type[PartT], name: str) -> Any:
        """The part of that kind and name, made by its factory; errors as for `find` and `make`."""
        spec = self.find(kind, name)
        return self.make(spec, spec.factory)

    def make(self, spec: Spec, factory: str, *arguments: Any) -> Any:
        """What `factory`, a string in `spec`, gives for these arguments; PluginError if it can't be made."""
        module, _, attribute = factory.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)(*arguments)
        except CocError:
            raise
        except (Exception, SystemExit) as error:
            raise self._failure(spec, factory, error) from error

    def folder(self, spec: CheckpointSpec) -> Path:
        """Where a shipped checkpoint lies on this machine; PluginError if its package can't be imported."""
        package, _, path = spec.folder.partition(":")
        try:
            return Path(importlib.import_module(package).__path__[0]) / path
        except (Exception, SystemExit) as error:
            raise self._failure(spec, spec.folder, error) from error

    def _failure(self, spec: Spec, wanted: str, error: BaseException) -> PluginError:
        plugin = self._parts[type(spec), spec.name][1]
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return PluginError(f"the plugin {plugin} can't give {wanted}: {reason}")


def suggest(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name: the nearest known one, and the list of all."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    listing = f"there are {', '.join(names)}" if names else "none is installed"
    return f"did you mean {near[0]!r}? {listing}" if near else listing


def _name(item: tuple[tuple[type[Spec], str], Any]) -> str:
    return item[0][1]
