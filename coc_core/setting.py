"""A setting: one domain on one memory with one arithmetic, put together and ready to make machines."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.arithmetic import ArithmeticOracle
from coc_core.checkpoint import read_config
from coc_core.convention import Convention
from coc_core.domain import Domain
from coc_core.errors import ArtefactError, UsageError
from coc_core.hookspecs import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec, ModelSpec
from coc_core.machine import Listener, Machine
from coc_core.model import Model
from coc_core.registry import Registry, suggest
from coc_core.types import Limits


@frozen
class Setting:
    """Where a run takes place. Make one with `Setting.of`."""

    registry: Registry
    domain: Domain[Any, Any, Any, Any]
    memory: MemorySpec
    arithmetic: ArithmeticOracle
    convention: Convention[Any, Any]
    limits: Limits

    @classmethod
    def of(cls, registry: Registry, domain: str, memory: str, arith: str, limits: Limits = Limits()) -> "Setting":
        """The setting with these names; UsageError, with what there is, for a name or combination that can't work."""
        domain_spec = registry.find(DomainSpec, domain)
        memory_spec = registry.find(MemorySpec, memory)
        oracle = registry.create(ArithmeticSpec, arith)
        if domain_spec.memories is not None and memory not in domain_spec.memories:
            raise UsageError(f"{domain} can't run on {memory}", remedy=f"what can:\n{combinations(registry)}")
        subject = registry.make(domain_spec, domain_spec.factory)
        convention = registry.make(memory_spec, memory_spec.convention, subject, oracle.notation, limits)
        return cls(registry, subject, memory_spec, oracle, convention, limits)

    def machine(self, problem: Any, listeners: Iterable[Listener] = ()) -> Machine:
        """A machine at the first step of `problem`."""
        first = self.convention.first(self.domain.start(problem))
        memory = self.registry.make(self.memory, self.memory.factory, first, self.limits)
        return Machine(
            self.domain, problem, memory, self.convention, self.arithmetic, limits=self.limits, listeners=listeners
        )

    def model(self, choice: str | None = None) -> Model:
        """The model that `choice` names: a model or a shipped checkpoint by name, a checkpoint by its folder.

        By default the shipped checkpoint for this setting. UsageError if there is none or the name is unknown,
        ArtefactError if the checkpoint is broken or was trained for another setting.
        """
        shipped = {spec.name: spec for spec in self.registry.specs(CheckpointSpec)}
        backends = {spec.name: spec for spec in self.registry.specs(ModelSpec)}
        if choice is None:
            fitting = [spec for spec in shipped.values() if self.convention.dialect in spec.dialects]
            if not fitting:
                raise UsageError(
                    f"no trained model ships for {self.domain.name} on {self.memory.name} with"
                    f" {self.arithmetic.name} arithmetic",
                    remedy="train one with `coc train`, or use --model reference",
                )
            return self._open(self.registry.folder(fitting[0]))
        if choice in shipped:
            return self._open(self.registry.folder(shipped[choice]))
        backend = backends.get(choice)
        if backend is not None and backend.factory is not None:
            return self.registry.make(backend, backend.factory, self.convention)  # type: ignore[no-any-return]
        if os.path.isdir(choice) or "/" in choice:  # noqa: PTH112, since Path raises for a name that is too long
            return self._open(Path(choice))
        if backend is not None:
            raise UsageError(f"the model {choice!r} needs a checkpoint", remedy="give --model the checkpoint's folder")
        raise UsageError(
            f"unknown model {choice!r}, and no folder of that name", remedy=suggest(choice, [*shipped, *backends])
        )

    def _open(self, folder: Path) -> Model:
        identity, config = read_config(folder)
        if self.convention.dialect not in identity.dialects:
            raise ArtefactError(
                f"the checkpoint {folder} speaks {', '.join(identity.dialects)};"
                f" this run needs {self.convention.dialect}"
            )
        backends = {spec.name: spec for spec in self.registry.specs(ModelSpec)}
        backend = backends.get(identity.backend)
        if backend is None or backend.opener is None:
            raise ArtefactError(f"the checkpoint {folder} needs the backend {identity.backend!r}, which can't open one")
        return self.registry.make(backend, backend.opener, folder, config)  # type: ignore[no-any-return]


def combinations(registry: Registry) -> str:
    """A table of the domains and the memories that each can run on."""
    memories = [spec.name for spec in registry.specs(MemorySpec)]
    rows = [("domain", *memories)]
    for domain in registry.specs(DomainSpec):
        works = [memory if domain.memories is None or memory in domain.memories else "-" for memory in memories]
        rows.append((domain.name, *works))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
