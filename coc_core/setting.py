"""A setting: one domain, one memory and one arithmetic, put together and ready to make machines."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.errors import ArtefactError, CocError, PluginError, UsageError
from coc_core.execution import Listener, Machine
from coc_core.memories import Convention, Memory
from coc_core.models import Model, read_config, requested_device
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec, ModelSpec, Registry, Spec, suggest
from coc_core.types import Limits


@frozen(repr=False)
class Setting:
    """What a run takes place in. Make one with `Setting.of`.

    Attributes:
        arith_model: The model that the arithmetic calls, None if it calls none.
    """

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
        memory: str | None,
        arith: str,
        limits: Limits = Limits(),
        arith_model: str | None = None,
    ) -> "Setting":
        """Make a setting from the names of its parts.

        Args:
            memory: The name of the memory; None for the domain's own.
            arith_model: The model of an arithmetic that calls one: the name of a shipped checkpoint, a checkpoint's
                folder, or `reference` for exact results; by default the shipped checkpoint.

        Raises:
            UsageError: A name is unknown, the combination can't work, or there is no such model.
            ArtefactError: The checkpoint of the arithmetic is broken or has another dialect.
        """
        domain_spec = registry.find(DomainSpec, domain)
        memory = memory or domain_spec.memory
        memory_spec = registry.find(MemorySpec, memory)
        arith_spec = registry.find(ArithmeticSpec, arith)
        model = _arithmetic_model(registry, arith_spec, arith_model)
        oracle = make_a(ArithmeticOracle, registry, arith_spec, arith_spec.factory, *([model] if model else []))
        if domain_spec.memories is not None and memory not in domain_spec.memories:
            remedy = f"choose one of: {', '.join(domain_spec.memories)}"
            raise UsageError(f"{domain} can't run on {memory}", remedy=remedy)
        subject = make_a(Domain, registry, domain_spec, domain_spec.factory_on(memory))
        convention = make_a(Convention, registry, memory_spec, memory_spec.convention, subject, oracle.notation, limits)
        _check_needs(registry, subject, memory_spec, convention)
        return cls(registry, subject, memory_spec, oracle, convention, limits, model)

    def models(self, model: Model) -> dict[str, Model]:
        """Return the models that a run calls, by what each is in it: this one and, if there is one, `arith_model`."""
        return {"model": model} | ({} if self.arith_model is None else {"arith_model": self.arith_model})

    def __repr__(self) -> str:
        return f"Setting({self.domain.name}, {self.memory.name}, {self.arithmetic.name})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis would write out the whole registry

    def machine(self, problem: Any, listeners: Iterable[Listener] = ()) -> Machine:
        """Make a machine at the first step of a problem; listeners receive the record of each committed step."""
        memory = make_a(Memory, self.registry, self.memory, self.memory.factory, self.limits)
        return Machine(
            self.domain, problem, memory, self.convention, self.arithmetic, limits=self.limits, listeners=listeners
        )

    def model(self, choice: str | None = None) -> Model:
        """Open a model, whose `choice` says how it can be chosen again.

        Args:
            choice: The name of a model or of a shipped checkpoint, `NAME:TEXT` for a backend that takes a text, or a
                checkpoint's folder; by default the first shipped checkpoint for this setting.

        Raises:
            UsageError: The name is unknown, or no checkpoint ships for this setting.
            ArtefactError: The checkpoint is broken or was trained for another dialect.
        """
        model = self._open(choice)
        model.choice = model.choice or _named(self.registry, choice, self.convention.dialect)
        return model

    def _open(self, choice: str | None) -> Model:
        configured = configured_backend(self.registry, choice)
        if configured is not None:
            spec, factory, text = configured
            return make_a(Model, self.registry, spec, factory, self, text)  # type: ignore[no-any-return]
        backend = self._backends().get(choice or "")
        if backend is not None and backend.factory is not None:
            return make_a(Model, self.registry, backend, backend.factory, self.convention)  # type: ignore[no-any-return]
        return self.checkpoint(choice)

    def checkpoint(self, choice: str | None, backend: str = "") -> Model:
        """Open a checkpoint for this setting.

        Args:
            choice: A shipped checkpoint, or a folder; by default the first shipped one for this setting.
            backend: The name of the backend that opens it, where several can.

        Raises:
            UsageError: There is none.
            ArtefactError: It is broken or was trained for another dialect.
        """
        folder = checkpoint_folder(self.registry, choice, self.convention.dialect)
        if folder is not None:
            return open_checkpoint(self.registry, folder, self.convention.dialect, backend)
        if choice is None:
            raise UsageError(
                f"no trained model ships for {self.domain.name} on {self.memory.name} with"
                f" {self.arithmetic.name} arithmetic",
                remedy="train one with `coc train`, or use --model reference" + self._others(),
            )
        backends = self._backends()
        known = backends.get(choice)
        if known is not None and known.configured is not None:
            raise UsageError(f"{choice!r} has many models", remedy=f"choose one with --model {choice}:NAME")
        if known is not None:
            raise UsageError(f"the model {choice!r} needs a checkpoint", remedy="give --model the checkpoint's folder")
        raise unknown_model(choice, [*(spec.name for spec in self.registry.specs(CheckpointSpec)), *backends])

    def _backends(self) -> dict[str, ModelSpec]:
        return {spec.name: spec for spec in self.registry.specs(ModelSpec)}

    def _others(self) -> str:
        """Return the end of a remedy: the memories on which a model ships for this domain, if there are any."""
        dialects = {dialect for spec in self.registry.specs(CheckpointSpec) for dialect in spec.dialects}
        found = []
        for spec in self.registry.specs(MemorySpec):
            try:
                other = Setting.of(self.registry, self.domain.name, spec.name, self.arithmetic.name)
            except CocError:  # it can't be run there, or that plugin is broken
                continue
            if other.convention.dialect in dialects:
                found.append(f"--memory {spec.name}")
        return f", or choose {' or '.join(found)}, for which one ships" if found else ""


def _check_needs(
    registry: Registry, domain: Domain[Any, Any, Any, Any], memory: MemorySpec, convention: Convention[Any, Any]
) -> None:
    """Raise UsageError if the policy needs what the memory lacks."""
    if domain.needs <= convention.offers:
        return
    able = [
        spec.name
        for spec in registry.specs(MemorySpec)
        if domain.needs <= getattr(registry.load(spec, spec.convention), "offers", frozenset())
    ]
    lacking = " and ".join(sorted(domain.needs - convention.offers))
    raise UsageError(
        f"{domain.name} needs a memory with {lacking}, and {memory.name} has none",
        remedy=f"choose one of: {', '.join(able)}",
    )


def make_a(kind: Any, registry: Registry, spec: Spec, factory: str, *arguments: Any) -> Any:
    """Make a part, as `Registry.make` does; PluginError unless it implements the interface `kind`, too."""
    part = registry.make(spec, factory, *arguments)
    if not isinstance(part, kind):
        found = f"the class {part.__name__}" if isinstance(part, type) else f"a {type(part).__name__}"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise PluginError(f"the factory {factory} of {spec.name!r} returned {found}, not {article} {kind.__name__}")
    return part


def _arithmetic_model(registry: Registry, spec: ArithmeticSpec, choice: str | None) -> Model | None:
    """Return the model that this arithmetic calls, None if it calls none; errors as for `Setting.model`."""
    if spec.dialect is None:
        if choice is not None:
            raise UsageError(f"{spec.name} arithmetic calls no model", remedy="leave out --arith-model")
        return None
    if spec.reference is not None and choice == "reference":
        return registry.make(spec, spec.reference)  # type: ignore[no-any-return]
    folder = checkpoint_folder(registry, choice, spec.dialect)
    if folder is not None:
        model = open_checkpoint(registry, folder, spec.dialect)
        model.choice = _named(registry, choice, spec.dialect)
        return model
    if choice is None:
        raise UsageError(
            f"no trained model ships for {spec.name} arithmetic",
            remedy="train one with `coc train --preset arithmetic` and name it with --arith-model,"
            " or use --arith symbolic",
        )
    speaking = [shipped.name for shipped in registry.specs(CheckpointSpec) if spec.dialect in shipped.dialects]
    raise unknown_model(choice, [*speaking, *(["reference"] if spec.reference else [])])


def configured_backend(registry: Registry, choice: str | None) -> tuple[ModelSpec, str, str] | None:
    """Return the backend that the choice `NAME:TEXT` names, its factory and the text; None for any other choice."""
    name, colon, text = (choice or "").partition(":")
    for spec in registry.specs(ModelSpec):
        if colon and spec.name == name and spec.configured is not None:
            return spec, spec.configured, text
    return None


def checkpoint_folder(registry: Registry, choice: str | None, dialect: str = "") -> Path | None:
    """Return the folder of a shipped checkpoint by its name, or by default the first one for the dialect.

    A choice that is a folder is that folder. None if there is none.
    """
    shipped = _shipped(registry, choice, dialect)
    if shipped is not None:
        return registry.folder(shipped)
    if configured_backend(registry, choice) is not None:
        return None
    return folder_named(choice)


def folder_named(choice: str | None) -> Path | None:
    """Return the folder that a choice of a model names, be it there or not; None for a model's own name."""
    # Not Path.is_dir, since Path raises for a name that is too long.
    return Path(choice) if choice and (os.path.isdir(choice) or "/" in choice) else None  # noqa: PTH112


def _shipped(registry: Registry, choice: str | None, dialect: str) -> CheckpointSpec | None:
    """Return the shipped checkpoint of that name; without a name, the first one for the dialect."""
    for spec in registry.specs(CheckpointSpec):
        if spec.name == choice or (choice is None and dialect in spec.dialects):
            return spec
    return None


def _named(registry: Registry, choice: str | None, dialect: str) -> str:
    """Return the choice of a model that could be opened; where there was none, the shipped checkpoint's name."""
    shipped = _shipped(registry, choice, dialect)
    return choice or (shipped.name if shipped else "")


def open_checkpoint(registry: Registry, folder: Path, dialect: str, opener: str = "") -> Model:
    """Open a checkpoint for one of its dialects, with the backend of that name where several can open it.

    ArtefactError if it is broken, was not trained for the dialect, or its backend can't open it.
    """
    identity, config = read_config(folder)
    if dialect not in identity.dialects:
        raise ArtefactError(
            f"the checkpoint {folder} was trained for {', '.join(identity.dialects)}, and this run needs {dialect}"
        )
    backend = _opener(registry, identity.backend, opener)
    if backend is None or backend.opener is None:
        raise ArtefactError(
            f"the checkpoint {folder} needs the backend {identity.backend!r}, which is not installed or can't open it"
        )
    model: Model = registry.make(backend, backend.opener, folder, config, identity, dialect)
    model.trained_sizes = identity.sizes.get(dialect)
    model.tested_sizes = {result.n: result for result in identity.tested.get(dialect, ())}
    return model


def _opener(registry: Registry, backend: str, name: str) -> ModelSpec | None:
    """Return the backend that opens the checkpoints of one: that of the name, or the first that can use the device."""
    device = requested_device()
    elsewhere = device is not None and device[0] != "cpu"
    for spec in registry.specs(ModelSpec):
        fits = spec.name == name if name else not (elsewhere and spec.cpu_only)
        if fits and spec.opener is not None and backend in (spec.name, spec.opens):
            return spec
    return None


def unknown_model(choice: str, names: Iterable[str]) -> UsageError:
    """Return the error for a name that is neither among these nor a folder's."""
    return UsageError(f"unknown model {choice!r}, and no folder of that name", remedy=suggest(choice, names))
