"""The parts that plugins offer, by kind and name.

A registry is created from plugins and passed to the code that needs it; there is no global one. Names are unique within
a kind. A third-party plugin can't replace a built-in part, and if two of them offer the same name, neither gets it.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define, field, frozen

from coc_core.errors import CocError, PluginError, UsageError
from coc_core.plugin.hookspecs import (
    KINDS,
    CheckpointSpec,
    CommandSpec,
    DomainSpec,
    ExecutorSpec,
    FunctionSpec,
    ModelSpec,
    PlanFormatSpec,
    Spec,
)
from coc_core.plugin.loading import Plugin, installed, load
from coc_core.text import described, nearest
from coc_core.types import Outcome

if TYPE_CHECKING:
    from coc_core.domain import Domain, PlanFormat, Translation

SpecT = TypeVar("SpecT", bound=Spec)
PartT = TypeVar("PartT", DomainSpec, ExecutorSpec)
"""The kinds whose factories take no arguments."""

DEFAULT_FORMAT = "text"
"""The plan format that any domain has."""


@frozen
class Conflict:
    """A name that several plugins offer, and the built-in `winner` that gets it, if there is one."""

    kind: str
    name: str
    claimants: tuple[Plugin, ...]
    winner: Plugin | None

    def __str__(self) -> str:
        claimants = " and ".join(map(str, self.claimants))
        result = f"{self.winner} keeps it" if self.winner else "neither gets it"
        return f"the {self.kind} {self.name!r} is offered by {claimants}; {result}"


@define
class Registry:
    """The parts that can be used, the plugins that offer them, and conflicts of names."""

    plugins: tuple[Plugin, ...]
    conflicts: tuple[Conflict, ...] = ()
    _parts: dict[tuple[type, str], tuple[Spec, Plugin]] = field(factory=dict)

    def __repr__(self) -> str:
        return f"Registry({len(self.plugins)} plugins, {len(self._parts)} parts)"

    @classmethod
    def of(cls, plugins: Iterable[Plugin]) -> "Registry":
        """Return a registry of these plugins."""
        registry = cls(tuple(plugins))
        claims: dict[tuple[type, str], list[tuple[Spec, Plugin]]] = {}
        for plugin in registry.plugins:
            for spec in plugin.specs:
                claims.setdefault((type(spec), spec.name), []).append((spec, plugin))
        for (kind, name), claimed in claims.items():
            built_in = [claim for claim in claimed if claim[1].built_in]
            if len(claimed) > 1:
                winner = built_in[0][1] if built_in else None
                conflict = Conflict(KINDS[kind], name, tuple(plugin for _, plugin in claimed), winner)
                registry.conflicts += (conflict,)
            if built_in or len(claimed) == 1:
                registry._parts[kind, name] = (built_in or claimed)[0]
        return registry

    @classmethod
    def installed(cls, files: Iterable[Path] = ()) -> "Registry":
        """Return a registry of all installed plugins, and of those in `files`; errors as for `load_files`."""
        return cls.of(load(installed())).with_files(files)

    def with_files(self, files: Iterable[Path]) -> "Registry":
        """Return a registry that has the plugins in `files`, too; errors as for `load_files`."""
        if not (files := tuple(files)):
            return self
        from coc_core.plugin.files import load_files  # most commands do without

        return Registry.of((*self.plugins, *load_files(files)))

    def failures(self) -> Iterator[str]:
        """Yield what is wrong with the plugins: a line about each that is broken or refused."""
        yield from (plugin.failure for plugin in self.plugins if plugin.failure)
        yield from map(str, self.conflicts)

    def specs(self, kind: type[SpecT]) -> tuple[SpecT, ...]:
        """Return the specs of one kind, sorted by name."""
        parts = sorted(self._parts.items(), key=lambda part: part[0][1])
        return tuple(spec for _, (spec, _) in parts if isinstance(spec, kind))

    def find(self, kind: type[SpecT], name: str) -> SpecT:
        """Return the spec of a kind and name; also of `NAME:TEXT`, for a part that takes such a text.

        PluginError if several plugins offer it, or its plugin or, if nobody does, a single-file one failed to load.
        UsageError if nobody offers it; the remedy suggests a similar name.
        """
        part = self._parts.get((kind, name)) or self._configurable(kind, name)
        if part is not None:
            return part[0]  # type: ignore[return-value]
        for conflict in self.conflicts:
            if (conflict.kind, conflict.name) == (KINDS[kind], name):
                from_file = any(plugin.from_file for plugin in conflict.claimants)
                remedy = "leave out --plugin" if from_file else "uninstall one of them"
                raise PluginError(str(conflict), remedy=remedy)
        for plugin in self.plugins:
            if plugin.error and (plugin.from_file or plugin.name == name):
                raise PluginError(plugin.failure)
        known = (spec.name for spec in self.specs(kind))
        raise UsageError(f"unknown {KINDS[kind]} {name!r}", remedy=suggest(name, known))

    def create(self, kind: type[PartT], name: str) -> Any:
        """Create the part of a kind and name, or of `NAME:TEXT`; errors as for `find` and `make`."""
        spec = self.find(kind, name)
        if name != spec.name and isinstance(spec, ExecutorSpec) and spec.configured is not None:
            part = self.make(spec, spec.configured, name.partition(":")[2])
        else:
            part = self.make(spec, spec.factory)
        if isinstance(spec, ExecutorSpec):
            part.choice = name
        return part

    def make(self, spec: Spec, factory: str, *arguments: Any) -> Any:
        """Call a factory, `package.module:name`; PluginError if it can't be imported, or raises what is no CocError."""
        with self._attributing(spec, factory):
            return _attribute(factory)(*arguments)

    def report_lines(self, executor: str, outcome: Outcome | None) -> list[str]:
        """Return what an executor reported with an outcome, in a line; no line if it reported nothing."""
        if outcome is None or not outcome.report:
            return []
        spec = self.find(ExecutorSpec, executor)
        return [self.make(spec, spec.described, outcome.report)] if spec.described else []

    def function(self, spec: CommandSpec | FunctionSpec) -> Callable[..., Any]:
        """Return the function of a command or of the front door; PluginError if it can't be imported."""
        return self.load(spec, spec.function)  # type: ignore[no-any-return]

    def load(self, spec: Spec, name: str) -> Any:
        """Return what a spec names as `package.module:attribute`; PluginError if it can't be imported."""
        with self._attributing(spec, name):
            return _attribute(name)

    def folder(self, spec: CheckpointSpec) -> Path:
        """Return the path of a shipped checkpoint; PluginError if its package can't be imported."""
        package, _, path = spec.folder.partition(":")
        with self._attributing(spec, spec.folder):
            return Path(importlib.import_module(package).__path__[0]) / path

    def _configurable(self, kind: type, choice: str) -> tuple[Spec, Plugin] | None:
        """Return the part that `NAME:TEXT` chooses, None if there is none that takes a text."""
        name, colon, _ = choice.partition(":")
        part = self._parts.get((kind, name)) if colon else None
        takes_text = part and isinstance(part[0], ModelSpec | ExecutorSpec) and part[0].configured is not None
        return part if takes_text else None

    @contextmanager
    def _attributing(self, spec: Spec, wanted: str) -> Iterator[None]:
        """Run the code of the plugin that offers a spec; PluginError for any exception that is not coc's."""
        try:
            yield
        except (CocError, KeyboardInterrupt):
            raise
        except BaseException as error:
            part = self._parts.get((type(spec), spec.name))
            plugin = part and part[1]
            raise PluginError(f"the plugin {plugin} can't provide {wanted}: {described(error)}") from error


def _attribute(name: str) -> Any:
    """Return what `package.module:attribute` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a remedy for an unknown name: the nearest known name, if there is one, and all known names."""
    names = sorted(known)
    near = nearest(name, names)
    listing = f"choose from {', '.join(names)}" if names else "none is installed"
    return f"did you mean {near!r}? {listing}" if near else listing


def open_format(
    registry: Registry,
    name: str,
    domain: "Domain[Any, Any, Any, Any]",
    problem: Any,
    translation: "Translation | None" = None,
) -> "PlanFormat[Any, Any, Any]":
    """Return a plan format for one problem, in its words if translated; UsageError if there is none for this domain."""
    spec = registry.find(PlanFormatSpec, name)
    if spec.factory is None:
        raise UsageError(f"a plan in the format {name!r} is not a list of actions", remedy=spec.instead)
    if not _suits(registry, spec, domain):
        raise UsageError(
            f"the plan format {name!r} has no plans of {domain.name}",
            remedy=f"choose from {', '.join(each.name for each in suitable_formats(registry, domain))}",
        )
    if translation is not None and translation.language == name:
        return translation.plan_format(domain, problem)
    return registry.make(spec, spec.factory, domain, problem)  # type: ignore[no-any-return]


def suitable_formats(registry: Registry, domain: "Domain[Any, Any, Any, Any]") -> list[PlanFormatSpec]:
    """Return the formats that lists of a domain's actions can have, the default one first."""
    found = [spec for spec in registry.specs(PlanFormatSpec) if _suits(registry, spec, domain)]
    return sorted(found, key=lambda spec: spec.name != DEFAULT_FORMAT)


def _suits(registry: Registry, spec: PlanFormatSpec, domain: "Domain[Any, Any, Any, Any]") -> bool:
    if spec.factory is None or spec.domains is None or domain.name in spec.domains:
        return spec.factory is not None
    return any(each.name == domain.name and spec.name in each.plan_formats for each in registry.specs(DomainSpec))
