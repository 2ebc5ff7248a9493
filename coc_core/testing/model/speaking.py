"""A model under test: what it is asked, and what the policy answers."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Convention, Reference
from coc_core.models import Model, read_config
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, ModelSpec, Registry
from coc_core.testing.check import require
from coc_core.testing.domain.subject import MEMORIES
from coc_core.testing.plain import run_plainly
from coc_core.testing.stage import Stage, plain_stages, stages

PROMPTS, FEW = 24, 8  # that a model is asked, and a trained one


@frozen
class Voice:
    """A model to ask in one dialect, prompts with the policy's answers, and the convention if it was made for one."""

    dialect: str
    model: Model
    prompts: tuple[str, ...]
    right: tuple[str, ...]
    convention: Convention[Any, Any] | None = None

    def __str__(self) -> str:
        return f"{self.model.name}, {self.dialect}"


class Overheard(Model):
    """Another model, and what it was asked."""

    name = "overheard"

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model
        self.answers: dict[str, str] = {}

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        found = self._model.complete(prompts, drafts)
        self.answers.update(zip(prompts, found, strict=True))
        return found


class Speaking:
    """One installed model, shipped checkpoint, or backend with the checkpoints that it opens."""

    def __init__(self, registry: Registry, name: str) -> None:
        self._registry = registry
        self.name = name
        models = {spec.name: spec for spec in registry.specs(ModelSpec)}
        shipped = {spec.name: spec for spec in registry.specs(CheckpointSpec)}
        self._spec = None if name in shipped and name not in models else registry.find(ModelSpec, name)
        self._checkpoints = [shipped[name]] if self._spec is None else []
        if self._spec is not None and self._spec.factory is None:
            self._checkpoints = [spec for spec in shipped.values() if _backend(registry, spec) == name]
            if not self._checkpoints:
                raise UsageError(
                    f"the model {name!r} needs a checkpoint, and none ships that could be checked",
                    remedy="offer one with the hook `coc_checkpoints`",
                )

    @property
    def trained(self) -> bool:
        """Whether checkpoints are what is checked."""
        return bool(self._checkpoints)

    @cached_property
    def voices(self) -> tuple[Voice, ...]:
        """The model in each dialect that anything installed speaks; Nonconforming if there is none."""
        found = tuple(self._trained() if self.trained else self._made())
        require(bool(found), f"nothing that is installed speaks a dialect of {self.name}")
        return found

    def _made(self) -> Iterator[Voice]:
        """The factory's model for each convention."""
        for stage in _plain(self._registry):
            convention = stage.setting.convention
            model = stage.setting.model(self.name)
            yield Voice(convention.dialect, model, *_asked(stage, PROMPTS), convention)

    def _trained(self) -> Iterator[Voice]:
        """Each checkpoint in each of its dialects."""
        planning = {stage.setting.convention.dialect: stage for stage in _plain(self._registry)}
        for spec in self._checkpoints:
            for dialect in spec.dialects:
                stage = planning.get(dialect)
                if stage is not None:
                    yield Voice(dialect, stage.setting.model(spec.name), *_asked(stage, FEW))
                else:
                    yield from self._arithmetic(spec.name, dialect)

    def _arithmetic(self, name: str, dialect: str) -> Iterator[Voice]:
        """A checkpoint that works out expressions, asked what the reference of that arithmetic is asked."""
        for spec in self._registry.specs(ArithmeticSpec):
            stage = _reckoning(self._registry, spec, name) if spec.dialect == dialect else None
            if stage is not None and stage.setting.arith_model is not None and spec.reference is not None:
                teacher = Overheard(self._registry.make(spec, spec.reference))
                oracle = self._registry.make(spec, spec.factory, teacher)
                setting = evolve(stage.setting, arithmetic=oracle)
                run_plainly(setting, stage.tasks[-1].problem, Reference(setting.convention))
                yield Voice(dialect, stage.setting.arith_model, *_some(teacher.answers, FEW))


def _plain(registry: Registry) -> Iterator[Stage]:
    for memory in MEMORIES:
        yield from plain_stages(registry, memory)


def _reckoning(registry: Registry, spec: ArithmeticSpec, model: str) -> Stage | None:
    """Somewhere where this arithmetic asks that model."""
    return next((stage for memory in MEMORIES for stage in stages(registry, memory, spec.name, model=model)), None)


def _asked(stage: Stage, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct prompts of the longest task, and the policy's answers."""
    teacher = Overheard(Reference(stage.setting.convention))
    run_plainly(stage.setting, stage.tasks[-1].problem, teacher)
    return _some(teacher.answers, most)


def _some(answers: dict[str, str], most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    prompts = tuple(answers)[:: len(answers) // most + 1]
    return prompts, tuple(answers[prompt] for prompt in prompts)


def _backend(registry: Registry, spec: CheckpointSpec) -> str | None:
    """The backend of a shipped checkpoint; None if the checkpoint is broken."""
    try:
        return read_config(registry.folder(spec))[0].backend
    except ArtefactError:
        return None
