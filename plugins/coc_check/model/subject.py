"""A model under test: the prompts it is tried with, and the policy's targets."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from attrs import evolve, frozen

from coc_check.check import Subject, require
from coc_check.plain import run_plainly
from coc_check.scripted import Scripted
from coc_check.stage import MEMORIES, Stage, stages
from coc_core.errors import ArtefactError, UsageError
from coc_core.memories import Memo
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
    """A model in one dialect, some prompts with the policy's targets, and what makes it anew.

    A trained model has to know the `pairs`; another one has none.
    """

    dialect: str
    model: Model
    targets: Mapping[str, str]
    made: Callable[[], Model]
    pairs: Sequence[Pair] = ()

    @property
    def prompts(self) -> list[str]:
        """The prompts, in a list that a model may do with what it likes."""
        return list(self.targets)


class ModelSubject(Subject):
    """One installed model, checkpoint, or backend with the checkpoints of its that ship; or a checkpoint's `folder`.

    UsageError or PluginError if there is no such model, or no checkpoint for it; ArtefactError if the folder has none.
    """

    kind = ModelSpec

    def __init__(self, registry: Registry, name: str, folder: Path | None = None) -> None:
        shipped = {spec.name: spec for spec in registry.specs(CheckpointSpec)}
        self.spoken: dict[str, Sequence[str]] = {}  # the dialects of each checkpoint
        if folder is not None:
            self.spoken = {name: _dialects(registry, name, folder)}
        elif name in shipped and name not in {spec.name for spec in registry.specs(ModelSpec)}:
            self.spoken = {name: shipped[name].dialects}
        super().__init__(registry, name, offered=not self.spoken)
        if not self.spoken and self.spec.factory is None:
            if self.spec.configured is not None:
                raise UsageError(f"{name!r} has many models, so there is none that could be checked")
            self.spoken = {each: spec.dialects for each, spec in shipped.items() if _backend(registry, spec) == name}
            if not self.spoken:
                raise UsageError(
                    f"the model {name!r} needs a checkpoint, and none ships that could be checked",
                    remedy="offer one with the hook `coc_checkpoints`, or check a checkpoint's folder",
                )

    @cached_property
    def watched(self) -> set[type]:
        return {type(each.model) for each in self.dialects}

    @property
    def folders(self) -> list[Path]:
        """The folder of each checkpoint."""
        return [folder for each in self.spoken if (folder := checkpoint_folder(self.registry, each)) is not None]

    @cached_property
    def dialects(self) -> tuple[InDialect, ...]:
        """The model in each dialect that anything installed speaks; Nonconforming if there is none."""
        found = tuple(self._trained() if self.spoken else self._untrained())
        require(bool(found), f"nothing that is installed has a dialect of {self.name}")
        return found

    def each(self, *, deterministic: bool = False) -> Iterator[InDialect]:
        """Yield the model in each dialect; with `deterministic`, only where it says that it is."""
        for each in self.dialects:
            if each.model.deterministic or not deterministic:
                self.at = f"{each.model.name}, {each.dialect}"
                yield each

    def _untrained(self) -> Iterator[InDialect]:
        """Yield the factory's model for each convention."""
        for stage in stages(self.registry):
            convention, made = stage.setting.convention, partial(stage.setting.model, self.name)
            steps = run_plainly(stage.setting, stage.tasks[-1].problem).steps
            targets = {step.prompt: step.target for step in steps}
            yield InDialect(convention.dialect, made(), _some(targets, PROMPTS), made)

    def _trained(self) -> Iterator[InDialect]:
        """Yield each checkpoint in each of its dialects."""
        policies = (memory for spec in self.registry.specs(DomainSpec) for memory, _ in spec.policies)
        memories = dict.fromkeys((*MEMORIES, *policies))
        planning = {stage.setting.convention.dialect: stage for stage in stages(self.registry, memories)}
        for choice, dialect in ((choice, dialect) for choice, dialects in self.spoken.items() for dialect in dialects):
            if stage := planning.get(dialect):
                made = partial(stage.setting.model, choice)
                model = made()
                pairs, self.tried[dialect] = to_know(stage, model.trained_sizes)
                few = _some(dict(pairs[: len(pairs) // SIZES + 1]), FEW)  # short ones
                yield InDialect(dialect, model, few, made, pairs)
            else:
                yield from self._arithmetic(choice, dialect)

    def _arithmetic(self, name: str, dialect: str) -> Iterator[InDialect]:
        """Yield a checkpoint that works out expressions, with the prompts that the arithmetic's reference gets."""
        for spec in self.registry.specs(ArithmeticSpec):
            if spec.dialect != dialect or spec.reference is None:
                continue
            stage = next(stages(self.registry, ariths=[spec.name], model=name), None)
            folder = checkpoint_folder(self.registry, name)
            if stage is not None and stage.setting.arith_model is not None and folder is not None:
                teacher: Model = self.registry.make(spec, spec.reference)
                seen: Memo[str] = Memo(lambda prompt: teacher.complete([prompt])[0])  # noqa: B023
                oracle = self.registry.make(spec, spec.factory, Scripted(seen))
                run_plainly(evolve(stage.setting, arithmetic=oracle), stage.tasks[-1].problem)
                made = partial(open_checkpoint, self.registry, folder, dialect)
                pairs, self.tried[dialect] = list(map(Pair, seen, seen.values())), counted(len(seen), "prompt")
                yield InDialect(dialect, stage.setting.arith_model, _some(seen, FEW), made, pairs)


def _dialects(registry: Registry, name: str, folder: Path) -> Sequence[str]:
    """Return the dialects of a checkpoint in its folder; ArtefactError if it names none, or can't be opened."""
    identity, _ = read_config(folder)
    if not identity.dialects:
        raise ArtefactError(f"{folder / CONFIG} names no dialect")
    if configured_backend(registry, name) is None:
        open_checkpoint(registry, folder, identity.dialects[0])
    return identity.dialects


def to_know(stage: Stage, sizes: range | None) -> tuple[Sequence[Pair], str]:
    """Return the pairs that a trained model has to know, and which these are."""
    setting, domain, seen = stage.setting, stage.setting.domain, Seen()
    own, known = domain.sizes, domain.sizes[:SIZES]
    if sizes:  # those of the domain's own that it was trained on
        known = own[bisect_left(own, sizes[0]) : bisect_right(own, sizes[-1])] or own
    known = known[: max(1, bisect_right(known, LARGEST))]
    many = len(known) if is_closed(setting.convention) and len(known) <= CLOSED_SIZES else SIZES
    chosen, found = sorted({known[place * (len(known) - 1) // (many - 1 or 1)] for place in range(many)}), list[Pair]()
    for n in chosen:
        problems = (domain.problem(n, seed) for seed in range(SEEDS))
        found += islice(teacher_pairs(setting, problems, seen), LONGEST_RUN)
    if has_few_kinds(setting.convention) and len(found) <= LISTED:
        return found, f"all {counted(len(found), 'prompt')}"
    every = 1 if len(found) <= LISTED else -(-len(found) // SAMPLED)
    some = found[every - 1 :: every]
    return some, f"{counted(len(some), 'prompt')} of n = {format_sizes(chosen)}"


def _some(targets: Mapping[str, str], most: int) -> dict[str, str]:
    return dict(list(targets.items())[:: len(targets) // most + 1])


def _backend(registry: Registry, spec: CheckpointSpec) -> str | None:
    """Return the backend of a shipped checkpoint; None if the checkpoint is broken."""
    try:
        return read_config(registry.folder(spec))[0].backend
    except ArtefactError:
        return None
