"""Where the pairs of a training run or of a dataset come from."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from coc_core.cli import console
from coc_core.cli.progress import progress
from coc_core.cli.solve.problem import check_length
from coc_core.datasets import Dataset, DatasetSpec, PairStream, Seen, setting_of
from coc_core.errors import UsageError
from coc_core.models import Pair, TrainingSet
from coc_core.plugin import Registry
from coc_core.setting import Setting


def command_line() -> str:
    """The command under way, as a shell would read it."""
    return " ".join(["coc", *map(shlex.quote, sys.argv[1:])])


def settings_of(registry: Registry, domain: str, memories: Iterable[str], ariths: Iterable[str]) -> list[Setting]:
    """The settings of a domain with each memory and each arithmetic, one for each dialect."""
    found: dict[str, Setting] = {}
    for memory, arith in product(memories, ariths):
        setting = Setting.of(registry, domain, memory, arith)
        found.setdefault(setting.convention.dialect, setting)
    return list(found.values())


def stream(setting: Setting, spec: DatasetSpec) -> PairStream:
    """The pairs of a spec; UsageError if a problem has to be run that takes more steps than are allowed."""
    pairs = PairStream(setting, spec)
    if not setting.convention.memoryless:
        check_length(setting, pairs.problems[-1])
    return pairs


def written(settings: Sequence[Setting], spec: DatasetSpec) -> list[TrainingSet]:
    """The training sets that the reference model writes now, for each setting from the same problems and seed."""
    streams = [(setting.convention.dialect, stream(setting, spec)) for setting in settings]
    sets = []
    with progress(
        console.err(), "writing pairs", lambda: None, lambda: sum(pairs.count for _, pairs in streams), lambda: "so far"
    ):
        for dialect, pairs in streams:
            all_pairs = list(pairs)
            held = pairs.held_out()
            train = [pair for index, pair in enumerate(all_pairs) if index not in held]
            heldout = [pair for index, pair in enumerate(all_pairs) if index in held]
            sets.append(TrainingSet(dialect, train, heldout, f"{dialect}, {spec}", _without_gaps(spec.sizes)))
    return sets


def read(registry: Registry, folders: Sequence[Path]) -> list[TrainingSet]:
    """The training sets of datasets, audited while they are read, one for each dialect.

    Raises:
        ArtefactError: A dataset is broken, or no installed part speaks its dialect.
        UsageError: A prompt is in two of them.
    """
    datasets = [Dataset.open(folder) for folder in folders]
    for dataset in datasets:
        setting_of(registry, dataset)
    sets: dict[str, TrainingSet] = {}
    count = 0
    with progress(console.err(), "reading pairs", lambda: sum(map(len, datasets)), lambda: count, lambda: "audited"):
        for dataset in datasets:
            subsets: dict[str, list[Pair]] = {"train": [], "heldout": []}
            for row in dataset.rows():
                subsets[row.subset].append(row.pair)
                count += 1
            found = TrainingSet(
                dataset.card.dialect,
                subsets["train"],
                subsets["heldout"],
                f"{dataset.folder.resolve().name}, card.json of SHA-256 {dataset.sha256}",
                _without_gaps(dataset.card.spec.sizes),
            )
            before = sets.get(found.dialect)
            sets[found.dialect] = _merged(before, found, dataset.folder) if before else found
    return list(sets.values())


def _merged(one: TrainingSet, other: TrainingSet, folder: Path) -> TrainingSet:
    seen = Seen()
    for pair in (*one.train, *one.heldout):
        seen.add(pair.prompt)
    if any(pair.prompt in seen for pair in (*other.train, *other.heldout)):
        raise UsageError(
            f"{folder} has pairs of {other.dialect} that another dataset has too", remedy="leave out one of them"
        )
    return TrainingSet(
        one.dialect,
        [*one.train, *other.train],
        [*one.heldout, *other.heldout],
        f"{one.source} + {other.source}",
        _union(one.sizes, other.sizes),
    )


def _without_gaps(sizes: Sequence[int]) -> range | None:
    """The sizes as a range; None if there is a gap between them."""
    span = range(sizes[0], sizes[-1] + 1)
    return span if len(span) == len(sizes) else None


def _union(one: range | None, other: range | None) -> range | None:
    """The sizes of both; None if there is a gap between them, since no range would be true then."""
    if one is None or other is None or one.stop < other.start or other.stop < one.start:
        return None
    return range(min(one.start, other.start), max(one.stop, other.stop))
