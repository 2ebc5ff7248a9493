"""A setting: one domain on one memory with one arithmetic, put together and ready to make machines."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.errors import ArtefactError, UsageError
from coc_core.execution import Listener, Machine
from coc_core.memories import Convention
from coc_core.models import Model, read_config
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec, ModelSpec, Registry, suggest
from coc_core.types import Limits


@frozen
class Setting:
    """Where a run takes place. Make one with `Setting.of`. `arith_model` is the model that the arithmetic asks."""

    registry: Registry
    domain: Domain[Any, Any, Any, Any]
    memory: MemorySpec
    arithmetic: ArithmeticOracle
    convention: Convention[Any, Any]
    limits: Limits
    arith_model: Model | None = None

    @classmethod
    def of(
        cls,
        registry: Registry,
        domain: str,
        memory: str,
        arith: str,
        limits: Limits = Limits(),
        arith_model: str | None = None,
    ) -> "Setting":
        """The setting with these names; UsageError, with what there is, for a name or combination that can't work.

        `arith_model` chooses the model of an arithmetic that asks one, as `model` does; `reference` is always right.
        """
        domain_spec = registry.find(DomainSpec, domain)
        memory_spec = registry.find(MemorySpec, memory)
        arith_spec = registry.find(ArithmeticSpec, arith)
        asked = _arithmetic_model(registry, arith_spec, arith_model)
        oracle = registry.make(arith_spec, arith_spec.factory, *([asked] if asked else []))
        if domain_spec.memories is not None and memory not in domain_spec.memories:
            raise UsageError(f"{domain} can't run on {memory}", remedy=f"what can:\n{combinations(registry)}")
        subject = registry.make(domain_spec, domain_spec.factory)
        convention = registry.make(memory_spec, memory_spec.convention, subject, oracle.notation, limits)
        return cls(registry, subject, memory_spec, oracle, convention, limits, asked)

    def machine(self, problem: Any, listeners: Iterable[Listener] = ()) -> Machine:
        """A machine at the first step of `problem`."""
        first = self.convention.first_window(self.domain.start(problem))
        memory = self.registry.make(self.memory, self.memory.factory, first, self.limits)
        return Machine(
            self.domain, problem, memory, self.convention, self.arithmetic, limits=self.limits, listeners=listeners
        )

    def model(self, choice: str | None = None) -> Model:
        """The model that `choice` names: a model or a shipped checkpoint by name, a checkpoint by its folder.

        By default the shipped checkpoint for this setting. UsageError if there is none or the name is unknown,
        ArtefactError if the checkpoint is broken or was trained for another setting.
        """
        backends = {spec.name: spec for spec in self.registry.specs(ModelSpec)}
        backend = backends.get(choice or "")
        if backend is not None and backend.factory is not None:
            return self.registry.make(backend, backend.factory, self.convention)  # type: ignore[no-any-return]
        folder = _folder(self.registry, choice, self.convention.dialect)
        if folder is not None:
            return _open(self.registry, folder, self.convention.dialect)
        if choice is None:
            raise UsageError(
                f"no trained model ships for {self.domain.name} on {self.memory.name} with"
                f" {self.arithmetic.name} arithmetic",
                remedy="train one with `coc train`, or use --model reference",
            )
        if backend is not None:
            raise UsageError(f"the model {choice!r} needs a checkpoint", remedy="give --model the checkpoint's folder")
        raise _unknown(choice, [*(spec.name for spec in self.registry.specs(CheckpointSpec)), *backends])

    def peers(self, choice: str | None = None) -> Iterator[tuple[str, Model | UsageError]]:
        """The same checkpoint run by other libraries, by name, each opened when its turn comes.

        Where a library can't, the reason. None if `choice`, which is as in `model`, means no checkpoint.
        """
        folder = _folder(self.registry, choice, self.convention.dialect)
        if folder is not None:
            identity, config = read_config(folder)
            backend = self.registry.find(ModelSpec, identity.backend)
            for name, factory in backend.peers:
                try:
                    yield name, self.registry.make(backend, factory, folder, config, identity, self.convention.dialect)
                except UsageError as error:
                    yield name, error


def _arithmetic_model(registry: Registry, spec: ArithmeticSpec, choice: str | None) -> Model | None:
    """The model that this arithmetic asks, None if it asks none; errors as for `Setting.model`."""
    if spec.dialect is None:
        if choice is not None:
            raise UsageError(f"{spec.name} arithmetic asks no model", remedy="leave out --arith-model")
        return None
    if spec.reference is not None and choice == "reference":
        return registry.make(spec, spec.reference)  # type: ignore[no-any-return]
    folder = _folder(registry, choice, spec.dialect)
    if folder is not None:
        return _open(registry, folder, spec.dialect)
    if choice is None:
        raise UsageError(
            f"no trained model ships for {spec.name} arithmetic",
            remedy="train one with `coc train --preset arithmetic` and name it with --arith-model,"
            " or use --arith symbolic",
        )
    speaking = [shipped.name for shipped in registry.specs(CheckpointSpec) if spec.dialect in shipped.dialects]
    raise _unknown(choice, [*speaking, *(["reference"] if spec.reference else [])])


def _folder(registry: Registry, choice: str | None, dialect: str) -> Path | None:
    """The checkpoint's folder that `choice` means, by default the first shipped one for that dialect; None if none."""
    for spec in registry.specs(CheckpointSpec):
        if spec.name == choice or (choice is None and dialect in spec.dialects):
            return registry.folder(spec)
    # Not Path.is_dir, since Path raises for a name that is too long.
    return Path(choice) if choice and (os.path.isdir(choice) or "/" in choice) else None  # noqa: PTH112


def _open(registry: Registry, folder: Path, dialect: str) -> Model:
    """The model in a checkpoint's folder, if it speaks that dialect; else ArtefactError."""
    identity, config = read_config(folder)
    if dialect not in identity.dialects:
        raise ArtefactError(f"the checkpoint {folder} speaks {', '.join(identity.dialects)}; this run needs {dialect}")
    backend = {spec.name: spec for spec in registry.specs(ModelSpec)}.get(identity.backend)
    if backend is None or backend.opener is None:
        raise ArtefactError(f"the checkpoint {folder} needs the backend {identity.backend!r}, which can't open one")
    model: Model = registry.make(backend, backend.opener, folder, config, identity, dialect)
    model.trained_sizes = identity.sizes.get(dialect)
    return model


def _unknown(choice: str, names: Iterable[str]) -> UsageError:
    return UsageError(f"unknown model {choice!r}, and no folder of that name", remedy=suggest(choice, names))


def combinations(registry: Registry) -> str:
    """A table of the domains and the memories that each can run on."""
    memories = [spec.name for spec in registry.specs(MemorySpec)]
    rows = [("domain", *memories)]
    for domain in registry.specs(DomainSpec):
        works = [memory if domain.memories is None or memory in domain.memories else "-" for memory in memories]
        rows.append((domain.name, *works))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
