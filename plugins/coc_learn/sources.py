"""Where the pairs of a training run or of a dataset come from. Each source counts while it works."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from attrs import evolve, frozen

from coc_core.api import check_length
from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses.pairs import ADDRESS_HOLDOUT, LARGEST_ADDRESS, address_tests, address_training_set
from coc_learn.datasets import (
    Dataset,
    DatasetSpec,
    HoldOutBy,
    PairStream,
    setting_of,
    size_tests,
    step_key,
    why_growing,
)
from coc_learn.options import DEFAULT_HOLDOUT, DEFAULT_SIZES, DrawnPairs, TrainOptions
from coc_learn.trainer import SizeTest, TrainingSet
from coc_problems import DEFAULT_INSTANCES, has_few_kinds, sizes_of


@frozen
class SizesToTest:
    """The sizes that a model is tested on after its training, in ascending order, and how many problems of each."""

    sizes: tuple[int, ...]
    instances: int

    @classmethod
    def of(cls, options: TrainOptions) -> "SizesToTest | None":
        """Return what the options choose; None if they choose nothing. UsageError if they make no sense."""
        sizes, instances = options.test_sizes, options.test_instances
        if sizes is None:
            if instances is not None:
                raise UsageError("--test-instances is of use with --test-n only", remedy="name the sizes to test")
            return None
        return cls(sizes_of(sizes), DEFAULT_INSTANCES if instances is None else instances)


class PairSource(ABC):
    """A source of training sets, whose `count` may be read from another thread while `sets` works: what that is
    `doing`, in two words; what is true of pairs when `done`; their `total`, if known; and why prompts grow with the
    problems, empty if not known.
    """

    doing: ClassVar[str]
    done: ClassVar[str] = "so far"
    total: int | None = None
    growing: str = ""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many pairs there are so far."""

    @abstractmethod
    def sets(self) -> list[TrainingSet]:
        """Return the training sets, one for each dialect."""


class WrittenPairs(PairSource):
    """The reference model's pairs, for each setting of the same problems and seed; UsageError if a run would be too
    long.
    """

    doing = "writing pairs"

    def __init__(self, settings: Iterable[Setting], spec: DatasetSpec, tests: SizesToTest | None = None) -> None:
        self._spec = spec
        self._tests = tests
        self._tested = 0
        self._streams = [(setting, stream(setting, spec)) for setting in settings]
        self.growing = next(filter(None, (why_growing(setting.convention) for setting, _ in self._streams)), "")
        for (setting, _), n in product(self._streams, (tests.sizes[0], tests.sizes[-1]) if tests else ()):
            setting.domain.check_size(n)
            _check_run(setting, setting.domain.problem(n))

    @property
    def count(self) -> int:
        return sum(pairs.count for _, pairs in self._streams) + self._tested

    def sets(self) -> list[TrainingSet]:
        found = []
        for setting, pairs in self._streams:
            # A list of all prompts that there are belongs to no sizes.
            is_whole = has_few_kinds(setting.convention) and not self._spec.holdout
            sizes = None if is_whole else _without_gaps(self._spec.sizes)
            dialect, names = setting.convention.dialect, setting.domain.interchangeable_names
            all_pairs = list(pairs)
            held = pairs.held_out()
            train = [pair for index, pair in enumerate(all_pairs) if index not in held]
            heldout = [pair for index, pair in enumerate(all_pairs) if index in held]
            tests = list(self._size_tests(setting))
            source, key = f"{dialect}, {self._spec}", partial(step_key, setting.convention)
            found.append(TrainingSet(dialect, train, heldout, source, sizes, names, tests, key))
        return found

    def _size_tests(self, setting: Setting) -> Iterator[SizeTest]:
        if self._tests:
            for test in size_tests(setting, self._tests.sizes, self._tests.instances, self._spec.seed):
                self._tested += len(test.pairs)
                yield test


class ReadPairs(PairSource):
    """The pairs of datasets, audited while they are read. ArtefactError if one is broken or no installed part speaks
    its dialect, UsageError if two are of one dialect.
    """

    doing = "reading pairs"
    done = "audited"

    def __init__(self, registry: Registry, folders: Sequence[Path]) -> None:
        self._datasets = [Dataset.open(folder) for folder in folders]
        self._settings = [setting_of(registry, dataset) for dataset in self._datasets]
        dialects = [dataset.card.dialect for dataset in self._datasets]
        if doubled := next((each for each in dialects if dialects.count(each) > 1), None):
            raise UsageError(f"two datasets are of {doubled}", remedy="build one with the problems of both")
        self.total = sum(map(len, self._datasets))
        self._count = 0

    @property
    def count(self) -> int:
        return self._count

    def sets(self) -> list[TrainingSet]:
        found = []
        for dataset, setting in zip(self._datasets, self._settings, strict=True):
            subsets: dict[str, list[Pair]] = {"train": [], "heldout": []}
            for row in dataset.rows():
                subsets[row.subset].append(row.pair)
                self._count += 1
            source = f"{dataset.folder.resolve().name}, card.json of SHA-256 {dataset.sha256}"
            sizes, names = _without_gaps(dataset.card.spec.sizes), setting.domain.interchangeable_names
            key = partial(step_key, setting.convention)
            train, heldout = subsets["train"], subsets["heldout"]
            found.append(TrainingSet(dataset.card.dialect, train, heldout, source, sizes, names, step_key=key))
        return found


class AddressPairs(PairSource):
    """The pairs of address arithmetic, which has no domain."""

    doing = "writing pairs"

    def __init__(self, options: TrainOptions, tests: SizesToTest | None = None) -> None:
        holdout, largest, seed = options.holdout, options.largest_address, options.seed
        drawn = address_training_set(
            seed,
            holdout=ADDRESS_HOLDOUT if holdout is None else holdout,
            largest=LARGEST_ADDRESS if largest is None else largest,
        )
        self._set = evolve(drawn, tests=list(address_tests(tests.sizes, tests.instances, seed)) if tests else ())

    @property
    def count(self) -> int:
        return len(self._set.train) + len(self._set.heldout)

    def sets(self) -> list[TrainingSet]:
        return [self._set]


def dataset_spec(options: DrawnPairs, holdout: float = DEFAULT_HOLDOUT) -> DatasetSpec:
    """Return the spec that the options choose. UsageError for a value that makes no sense."""
    return DatasetSpec(
        sizes_of(DEFAULT_SIZES if options.sizes is None else options.sizes),
        options.instances or 1,
        by=options.holdout_by or HoldOutBy.steps,
        holdout=holdout if options.holdout is None else options.holdout,
        seed=options.seed,
        enumerated=options.enumerated or 0,
        near_goal=options.near_goal or 0,
    )


def settings_of(
    registry: Registry, domain: str, memories: Iterable[str | None], ariths: Iterable[str]
) -> list[Setting]:
    """Return the settings of a domain with each memory and each arithmetic, one for each dialect."""
    found: dict[str, Setting] = {}
    for memory, arith in product(memories, ariths):
        setting = Setting.of(registry, domain, memory, arith)
        found.setdefault(setting.convention.dialect, setting)
    return list(found.values())


def stream(setting: Setting, spec: DatasetSpec) -> PairStream:
    """Return the pairs of a spec; UsageError if a problem has to be run that takes more steps than are allowed."""
    if spec.by is HoldOutBy.instances and spec.holdout and has_few_kinds(setting.convention):
        problem = f"the prompts of {setting.domain.name} are one list for all problems; none has pairs of its own"
        raise UsageError(problem, remedy="hold out steps or pairs")
    pairs = PairStream(setting, spec)
    _check_run(setting, pairs.problems[-1])
    return pairs


def _check_run(setting: Setting, problem: Any) -> None:
    """Raise UsageError if the problem has to be run for its pairs, and its run is too long."""
    if not setting.convention.memoryless:
        check_length(setting, problem)


def _without_gaps(sizes: Sequence[int]) -> range | None:
    """Return the sizes as a range; None if there is a gap between them."""
    span = range(sizes[0], sizes[-1] + 1)
    return span if len(span) == len(sizes) else None
