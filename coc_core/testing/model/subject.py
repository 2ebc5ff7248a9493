"""A model under test: the prompts it is tried with, and the policy's targets."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Convention, Reference
from coc_core.models import Model, read_config
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, ModelSpec, Registry
from coc_core.testing.check import require
from coc_core.testing.plain import run_plainly
from coc_core.testing.scripted import Recorded
from coc_core.testing.stage import Stage, Subject, own_memories, plain_stages, stages

PROMPTS, FEW = 24, 8  # that a model is tried with, and a trained one


@frozen
class InDialect:
    """A model in one dialect, prompts with the policy's targets, and the convention if it was made for one."""

    dialect: str
    model: Model
    prompts: tuple[str, ...]
    right: tuple[str, ...]
    convention: Convention[Any, Any] | None = None

    def __str__(self) -> str:
        return f"{self.model.name}, {self.dialect}"


class ModelSubject(Subject):
    """One installed model, shipped checkpoint, or backend with the checkpoints that it opens.

    UsageError or PluginError if there is no such model, or no checkpoint for it.
    """

    kind = ModelSpec

    def __init__(self, registry: Registry, name: str) -> None:
        shipped = {spec.name: spec for spec in registry.specs(CheckpointSpec)}
        if name in shipped and name not in {spec.name for spec in registry.specs(ModelSpec)}:
            self.registry, self.name = registry, name
            self._checkpoints = [shipped[name]]
            return
        super().__init__(registry, name)
        self._checkpoints = []
        if self.spec.factory is None:
            if self.spec.configured is not None:
                raise UsageError(f"{name!r} has many models, so there is none that could be checked")
            self._checkpoints = [spec for spec in shipped.values() if _backend(registry, spec) == name]
            if not self._checkpoints:
                raise UsageError(
                    f"the model {name!r} needs a checkpoint, and none ships that could be checked",
                    remedy="offer one with the hook `coc_checkpoints`",
                )

    @property
    def leaves_out(self) -> Collection[str]:  # type: ignore[override]
        """Only a checkpoint has to know the policy."""
        return () if self._checkpoints else ("targets_are_the_policys",)

    @cached_property
    def dialects(self) -> tuple[InDialect, ...]:
        """The model in each dialect that anything installed speaks; Nonconforming if there is none."""
        found = tuple(self._trained() if self._checkpoints else self._made())
        require(bool(found), f"nothing that is installed has a dialect of {self.name}")
        return found

    def _made(self) -> Iterator[InDialect]:
        """The factory's model for each convention."""
        for stage in plain_stages(self.registry):
            convention = stage.setting.convention
            model = stage.setting.model(self.name)
            yield InDialect(convention.dialect, model, *_prompts(stage, PROMPTS), convention)

    def _trained(self) -> Iterator[InDialect]:
        """Each checkpoint in each of its dialects."""
        policies = (memory for spec in self.registry.specs(DomainSpec) for memory, _ in spec.policies)
        memories = dict.fromkeys((*own_memories(self.registry), *policies))
        planning = {stage.setting.convention.dialect: stage for stage in plain_stages(self.registry, *memories)}
        for spec in self._checkpoints:
            for dialect in spec.dialects:
                stage = planning.get(dialect)
                if stage is not None:
                    yield InDialect(dialect, stage.setting.model(spec.name), *_prompts(stage, FEW))
                else:
                    yield from self._arithmetic(spec.name, dialect)

    def _arithmetic(self, name: str, dialect: str) -> Iterator[InDialect]:
        """A checkpoint that works out expressions, with the prompts that the reference of that arithmetic gets."""
        for spec in self.registry.specs(ArithmeticSpec):
            stage = _calling(self.registry, spec, name) if spec.dialect == dialect else None
            if stage is not None and stage.setting.arith_model is not None and spec.reference is not None:
                teacher = Recorded(self.registry.make(spec, spec.reference).complete)
                oracle = self.registry.make(spec, spec.factory, teacher)
                setting = evolve(stage.setting, arithmetic=oracle)
                run_plainly(setting, stage.tasks[-1].problem, Reference(setting.convention))
                yield InDialect(dialect, stage.setting.arith_model, *_some(teacher.targets, FEW))


def _calling(registry: Registry, spec: ArithmeticSpec, model: str) -> Stage | None:
    """Somewhere where this arithmetic calls that model."""
    return next(
        (stage for memory in own_memories(registry) for stage in stages(registry, memory, spec.name, model=model)), None
    )


def _prompts(stage: Stage, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct prompts of the longest task, and the policy's targets."""
    run = run_plainly(stage.setting, stage.tasks[-1].problem, Reference(stage.setting.convention))
    return _some({record.prompt: record.target for record in run.steps}, most)


def _some(targets: dict[str, str], most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    prompts = tuple(targets)[:: len(targets) // most + 1]
    return prompts, tuple(targets[prompt] for prompt in prompts)


def _backend(registry: Registry, spec: CheckpointSpec) -> str | None:
    """The backend of a shipped checkpoint; None if the checkpoint is broken."""
    try:
        return read_config(registry.folder(spec))[0].backend
    except ArtefactError:
        return None
