"""Where the pairs of a training run or of a dataset come from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import TypeVar

from attrs import define, evolve, field

from coc_core.api import check_length
from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses.dialect import ADDRESS_HOLDOUT, LARGEST_ADDRESS, address_tests, address_training_set
from coc_learn.datasets import (
    Dataset,
    DatasetSpec,
    HoldOutBy,
    SubsetName,
    divided_pairs,
    setting_of,
    size_tests,
    step_key,
)
from coc_learn.options import DEFAULT_HOLDOUT, DEFAULT_SIZES, DrawnPairs, TrainOptions
from coc_learn.trainer import SizeTest, TrainingSet
from coc_problems import DEFAULT_INSTANCES, has_few_kinds, sizes_of

ItemT = TypeVar("ItemT")
SizesToTest = tuple[tuple[int, ...], int]
"""The sizes that a model is tested on after its training, in ascending order, and how many problems of each."""


@define
class PairSource:
    """A source of training sets, one for each dialect.

    Attributes:
        make: Makes them.
        total: How many pairs there will be, if known.
        count: How many pairs there are so far; another thread may read it.
    """

    make: Callable[["PairSource"], Iterable[TrainingSet]] = field(repr=False)
    total: int | None = None
    count: int = 0

    def sets(self) -> list[TrainingSet]:
        """Return the training sets."""
        return [*self.make(self)]

    def counted(self, pairs: Iterable[ItemT]) -> Iterator[ItemT]:
        """Give the pairs, and count them."""
        for pair in pairs:
            self.count += 1
            yield pair


def written_pairs(settings: Iterable[Setting], spec: DatasetSpec, tests: SizesToTest | None = None) -> PairSource:
    """Return the reference model's pairs, for each setting of the same problems and seed; UsageError if a run would be
    too long.
    """
    drawn = [(setting, list(spec.drawn(setting))) for setting in settings]
    for setting, problems in drawn:
        if spec.holdout_by is HoldOutBy.instances and spec.holdout and has_few_kinds(setting.convention):
            problem = f"the prompts of {setting.domain.name} are one list for all problems; none has pairs of its own"
            raise UsageError(problem, remedy="hold out steps or pairs")
        longest = [problems[-1]]
        for n in (tests[0][0], tests[0][-1]) if tests else ():
            setting.domain.check_size(n)
            longest.append(setting.domain.problem(n))
        for problem in () if setting.convention.memoryless else longest:
            check_length(setting, problem)

    def make(source: PairSource) -> Iterator[TrainingSet]:
        for setting, problems in drawn:
            # A list of all prompts that there are belongs to no sizes.
            sizes = () if has_few_kinds(setting.convention) and not spec.holdout else spec.sizes
            train, heldout = divided_pairs(setting, spec, problems, source.counted)
            measured = list(size_tests(setting, *tests, spec.seed)) if tests else []
            source.count += sum(len(test.pairs) for test in measured)
            yield _training_set(setting, train, heldout, f"{setting.convention.dialect}, {spec}", sizes, measured)

    return PairSource(make)


def read_pairs(registry: Registry, folders: Iterable[Path]) -> PairSource:
    """Return the pairs of datasets, audited while they are read. ArtefactError if one is broken or no installed part
    speaks its dialect, UsageError if two are of one dialect.
    """
    datasets = [Dataset.open(folder) for folder in folders]
    settings = [setting_of(registry, dataset) for dataset in datasets]
    dialects = [dataset.card.dialect for dataset in datasets]
    if doubled := next((each for each in dialects if dialects.count(each) > 1), None):
        raise UsageError(f"two datasets are of {doubled}", remedy="build one with the problems of both")

    def make(source: PairSource) -> Iterator[TrainingSet]:
        for dataset, setting in zip(datasets, settings, strict=True):
            rows = list(source.counted(dataset.rows()))
            train, heldout = ([pair for subset, pair in rows if subset is half] for half in SubsetName)
            told = f"{dataset.folder.resolve().name}, card.json of SHA-256 {dataset.sha256}"
            yield _training_set(setting, train, heldout, told, dataset.card.sizes)

    return PairSource(make, sum(map(len, datasets)))


def address_pairs(options: TrainOptions, tests: SizesToTest | None = None) -> PairSource:
    """Return the pairs of address arithmetic, which has no domain."""
    holdout = ADDRESS_HOLDOUT if options.holdout is None else options.holdout
    largest = LARGEST_ADDRESS if options.largest_address is None else options.largest_address
    drawn = address_training_set(options.seed, holdout=holdout, largest=largest)
    made = evolve(drawn, tests=list(address_tests(*tests, options.seed)) if tests else ())
    return PairSource(lambda _: [made], count=len(made.train) + len(made.heldout))


def sizes_to_test(options: TrainOptions) -> SizesToTest | None:
    """Return what the options choose; None if they choose nothing. UsageError if they make no sense."""
    sizes, instances = options.test_sizes, options.test_instances
    if sizes is None and instances is not None:
        raise UsageError("--test-instances is of use with --test-n only", remedy="name the sizes to test")
    return None if sizes is None else (sizes_of(sizes), DEFAULT_INSTANCES if instances is None else instances)


def dataset_spec(
    options: DrawnPairs, sizes: range = range(1, 1 + DEFAULT_SIZES), holdout: float = DEFAULT_HOLDOUT
) -> DatasetSpec:
    """Return the spec that the options choose among the sizes that there are. UsageError for a value that makes no
    sense.
    """
    return DatasetSpec(
        sizes_of(sizes[:DEFAULT_SIZES] if options.sizes is None else options.sizes),
        options.instances or 1,
        holdout_by=options.holdout_by or HoldOutBy.steps,
        holdout=holdout if options.holdout is None else options.holdout,
        seed=options.seed,
        enumerated=options.enumerated or 0,
        near_goal=options.near_goal or 0,
    )


def words_of(setting: Setting, plugins: Iterable[Path]) -> list[str]:
    """Return what chooses a domain on a memory on the command line, with plugins that are not installed."""
    words = ["-d", setting.domain.name, "-m", setting.memory.name]
    return [*words, *(word for path in plugins for word in ("--plugin", str(path)))]


def settings_of(
    registry: Registry, domain: str, memories: Iterable[str | None], ariths: Iterable[str]
) -> list[Setting]:
    """Return the settings of a domain with each memory and each arithmetic, one for each dialect."""
    found: dict[str, Setting] = {}
    for memory, arith in product(memories, ariths):
        setting = Setting.of(registry, domain, memory, arith)
        found.setdefault(setting.convention.dialect, setting)
    return list(found.values())


def _training_set(
    setting: Setting,
    train: Sequence[Pair],
    heldout: Sequence[Pair],
    source: str,
    sizes: Sequence[int],
    tests: Sequence[SizeTest] = (),
) -> TrainingSet:
    """Return the training set of a setting. It knows its sizes if they are a range."""
    span = range(sizes[0], sizes[-1] + 1) if sizes else range(0)
    known = span if sizes and len(span) == len(sizes) else None
    convention, names = setting.convention, setting.domain.interchangeable_names
    return TrainingSet(convention.dialect, train, heldout, source, known, names, tests, partial(step_key, convention))
