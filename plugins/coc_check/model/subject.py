"""A model under test: the prompts it is tried with, and the policy's targets."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from coc_check.check import require
from coc_check.plain import run_plainly
from coc_check.scripted import Recorded
from coc_check.stage import LONGEST, Stage, Subject, own_memories, plain_stages, stages
from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Convention, Reference
from coc_core.models import CONFIG, Model, Pair, read_config
from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, ModelSpec, Registry
from coc_core.setting import checkpoint_folder, configured_backend, open_checkpoint
from coc_core.text import counted, format_sizes
from coc_learn.datasets import Seen, teacher_pairs
from coc_problems import has_few_kinds, is_closed

PROMPTS, FEW = 24, 8  # that a model is tried with, and a trained one
LISTED, SAMPLED = 4_000, 400  # prompts that a trained model has to know: all of so many, or else a sample
SIZES, SEEDS = 6, 2  # problems that a sample is of
CLOSED_SIZES = 30  # of so many sizes the prompts are listed, if a convention can list them
LARGEST = 200  # size of these problems
LONGEST_RUN = 20_000  # pairs of a size, of which the sample is


@frozen
class InDialect:
    """A model in one dialect, prompts with the policy's targets, what makes it anew, and its convention, if any.

    A trained model has to know the `pairs`, which `described` describes; `sizes` are those of the domain.
    """

    dialect: str
    model: Model
    prompts: tuple[str, ...]
    right: tuple[str, ...]
    made: Callable[[], Model]
    convention: Convention[Any, Any] | None = None
    pairs: Sequence[Pair] = ()
    described: str = ""
    sizes: range | None = None

    def __str__(self) -> str:
        return f"{self.model.name}, {self.dialect}"


class ModelSubject(Subject):
    """One installed model, checkpoint, or backend with the checkpoints of its that ship; with `anywhere`, any other.

    UsageError or PluginError if there is no such model, or no checkpoint for it; ArtefactError if the folder of a
    checkpoint that ships nowhere is not one.
    """

    kind = ModelSpec

    def __init__(self, registry: Registry, name: str, *, anywhere: bool = False) -> None:
        shipped = {spec.name: spec for spec in registry.specs(CheckpointSpec)}
        self.spoken: dict[str, Sequence[str]] = {}  # the dialects of each checkpoint
        own = name in shipped and name not in {spec.name for spec in registry.specs(ModelSpec)}
        if own or anywhere:
            self.registry, self.name, self.tried = registry, name, {}
            self.spoken = {name: _dialects(registry, name) if anywhere else shipped[name].dialects}
            return
        super().__init__(registry, name)
        if self.spec.factory is None:
            if self.spec.configured is not None:
                raise UsageError(f"{name!r} has many models, so there is none that could be checked")
            self.spoken = {each: spec.dialects for each, spec in shipped.items() if _backend(registry, spec) == name}
            if not self.spoken:
                raise UsageError(
                    f"the model {name!r} needs a checkpoint, and none ships that could be checked",
                    remedy="offer one with the hook `coc_checkpoints`, or check a checkpoint's folder",
                )

    @property
    def watched(self) -> Collection[type]:
        """The classes of the models."""
        return {type(each.model) for each in self.dialects}

    @property
    def folders(self) -> dict[str, Path]:
        """The folder of each checkpoint: what ships, a folder, or that of `network:FILE.py:CLASS@FOLDER`."""
        found = {each: checkpoint_folder(self.registry, each) or Path(each.rpartition("@")[2]) for each in self.spoken}
        return {choice: folder for choice, folder in found.items() if folder.is_dir()}

    @cached_property
    def dialects(self) -> tuple[InDialect, ...]:
        """The model in each dialect that anything installed speaks; Nonconforming if there is none."""
        found = tuple(self._trained() if self.spoken else self._made())
        require(bool(found), f"nothing that is installed has a dialect of {self.name}")
        return found

    def _made(self) -> Iterator[InDialect]:
        """Yield the factory's model for each convention."""
        for stage in plain_stages(self.registry):
            convention = stage.setting.convention
            made = partial(stage.setting.model, self.name)
            prompts = _prompts(stage, stage.tasks[-1].problem, PROMPTS)
            yield InDialect(convention.dialect, made(), *prompts, made, convention)

    def _trained(self) -> Iterator[InDialect]:
        """Yield each checkpoint in each of its dialects."""
        planning = _planning(self.registry)
        for choice, dialects in self.spoken.items():
            for dialect in dialects:
                stage = planning.get(dialect)
                if stage is not None:
                    made = partial(stage.setting.model, choice)
                    model = made()
                    prompts = _prompts(stage, _trained_on(stage, model.trained_sizes), FEW)
                    pairs, described = to_know(stage, model.trained_sizes)
                    yield InDialect(dialect, model, *prompts, made, None, pairs, described, stage.setting.domain.sizes)
                else:
                    yield from self._arithmetic(choice, dialect)

    def _arithmetic(self, name: str, dialect: str) -> Iterator[InDialect]:
        """Yield a checkpoint that works out expressions, with the prompts that the reference of that arithmetic
        gets.
        """
        for spec in self.registry.specs(ArithmeticSpec):
            stage = _calling(self.registry, spec, name) if spec.dialect == dialect else None
            if stage is not None and stage.setting.arith_model is not None and spec.reference is not None:
                teacher = Recorded(self.registry.make(spec, spec.reference).complete)
                oracle = self.registry.make(spec, spec.factory, teacher)
                setting = evolve(stage.setting, arithmetic=oracle)
                run_plainly(setting, stage.tasks[-1].problem, Reference(setting.convention))
                made = partial(open_checkpoint, self.registry, self.folders[name], dialect)
                pairs = list(map(Pair, teacher.targets, teacher.targets.values()))
                described = counted(len(pairs), "prompt")
                few = _some(teacher.targets, FEW)
                yield InDialect(dialect, stage.setting.arith_model, *few, made, None, pairs, described)


def _planning(registry: Registry) -> dict[str, Stage]:
    """Return where each dialect is spoken."""
    policies = (memory for spec in registry.specs(DomainSpec) for memory, _ in spec.policies)
    memories = dict.fromkeys((*own_memories(registry), *policies))
    return {stage.setting.convention.dialect: stage for stage in plain_stages(registry, *memories)}


def _dialects(registry: Registry, choice: str) -> Sequence[str]:
    """Return the dialects of a checkpoint's folder, or those in which a text chooses a model; ArtefactError if it
    can't.
    """
    if configured_backend(registry, choice) is not None:
        found, refused = list[str](), ArtefactError(f"{choice} can't be opened")
        for dialect, stage in _planning(registry).items():
            try:
                stage.setting.model(choice)
            except ArtefactError as error:
                refused = error
            else:
                found.append(dialect)
        if not found:
            raise refused
        return found
    folder = Path(choice)
    identity, _ = read_config(folder)
    if not identity.dialects:
        raise ArtefactError(f"{folder / CONFIG} names no dialect")
    open_checkpoint(registry, folder, identity.dialects[0])
    return identity.dialects


def _calling(registry: Registry, spec: ArithmeticSpec, model: str) -> Stage | None:
    """Somewhere where this arithmetic calls that model."""
    return next(
        (stage for memory in own_memories(registry) for stage in stages(registry, memory, spec.name, model=model)), None
    )


def _trained_on(stage: Stage, sizes: range | None) -> Any:
    """Return the longest small problem of a size that a model was trained on; if none is small, one of the smallest
    such.
    """
    domain = stage.setting.domain
    known = [task.problem for task in stage.tasks if not sizes or domain.size(task.problem) in sizes]
    return known[-1] if known else domain.problem(_common(domain.sizes, sizes)[0])


def to_know(stage: Stage, sizes: range | None) -> tuple[Sequence[Pair], str]:
    """Return the pairs that a trained model has to know, and which these are."""
    setting, domain = stage.setting, stage.setting.domain
    known = _common(domain.sizes, sizes or domain.sizes[:SIZES])
    known = known[: max(1, bisect_right(known, LARGEST))]
    many = len(known) if is_closed(setting.convention) and len(known) <= CLOSED_SIZES else SIZES
    chosen = sorted({known[place * (len(known) - 1) // (many - 1 or 1)] for place in range(many)})
    seen, found = Seen(), list[Pair]()
    for n in chosen:
        problems = (domain.problem(n, seed) for seed in range(SEEDS))
        found += islice(teacher_pairs(setting, problems, seen), LONGEST_RUN)
    if has_few_kinds(setting.convention) and len(found) <= LISTED:
        return found, f"all {counted(len(found), 'prompt')}"
    every = 1 if len(found) <= LISTED else -(-len(found) // SAMPLED)
    some = found[every - 1 :: every]
    return some, f"{counted(len(some), 'prompt')} of n = {format_sizes(chosen)}"


def _common(of_domain: range, sizes: range | None) -> range:
    """Return the sizes that a model was trained on, as far as the domain has them; if it has none of them, all of its
    own.
    """
    if not sizes:
        return of_domain
    return of_domain[bisect_left(of_domain, sizes[0]) : bisect_right(of_domain, sizes[-1])] or of_domain


def _prompts(stage: Stage, problem: Any, most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return distinct prompts of the run of a problem, and the policy's targets."""
    machine, targets = stage.setting.machine(problem), dict[str, str]()
    while (prompt := machine.peek()) is not None and machine.steps < LONGEST:
        targets[prompt] = stage.setting.convention.target_for(prompt)
        machine.step(targets[prompt])
    return _some(targets, most)


def _some(targets: dict[str, str], most: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    prompts = tuple(targets)[:: len(targets) // most + 1]
    return prompts, tuple(targets[prompt] for prompt in prompts)


def _backend(registry: Registry, spec: CheckpointSpec) -> str | None:
    """Return the backend of a shipped checkpoint; None if the checkpoint is broken."""
    try:
        return read_config(registry.folder(spec))[0].backend
    except ArtefactError:
        return None
