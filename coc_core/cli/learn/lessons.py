"""Where the pairs of a training or a dataset come from."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

from coc_core.cli import console
from coc_core.cli.progress import progress
from coc_core.cli.solve.run import check_length
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


def stream(setting: Setting, recipe: DatasetSpec) -> PairStream:
    """The pairs of a recipe; UsageError if a problem has to be run that takes more steps than are allowed."""
    pairs = PairStream(setting, recipe)
    if not setting.convention.memoryless:
        check_length(setting, pairs.problems[-1])
    return pairs


def written(settings: Sequence[Setting], recipe: DatasetSpec) -> list[TrainingSet]:
    """The lessons that the reference model writes now, for each setting from the same problems and seed."""
    streams = [(setting.convention.dialect, stream(setting, recipe)) for setting in settings]
    lessons = []
    with progress(
        console.err(), "writing pairs", lambda: None, lambda: sum(pairs.count for _, pairs in streams), lambda: "so far"
    ):
        for dialect, pairs in streams:
            all_pairs = list(pairs)
            held = pairs.held_out()
            train = [pair for index, pair in enumerate(all_pairs) if index not in held]
            heldout = [pair for index, pair in enumerate(all_pairs) if index in held]
            sizes = range(recipe.first, recipe.last + 1)
            lessons.append(TrainingSet(dialect, train, heldout, f"{dialect}, {recipe}", sizes))
    return lessons


def read(registry: Registry, folders: Sequence[Path]) -> list[TrainingSet]:
    """The lessons of datasets, audited while they are read, those of one dialect in one.

    ArtefactError if a dataset is broken, or its dialect is one that no installed part speaks. UsageError if a prompt
    stands in two of them.
    """
    datasets = [Dataset.open(folder) for folder in folders]
    for dataset in datasets:
        setting_of(registry, dataset)
    lessons: dict[str, TrainingSet] = {}
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
                range(dataset.card.spec.first, dataset.card.spec.last + 1),
            )
            before = lessons.get(found.dialect)
            lessons[found.dialect] = _merged(before, found, dataset.folder) if before else found
    return list(lessons.values())


def _merged(one: TrainingSet, other: TrainingSet, folder: Path) -> TrainingSet:
    seen = Seen()
    for pair in (*one.train, *one.heldout):
        seen.add(pair.prompt)
    if any(pair.prompt in seen for pair in (*other.train, *other.heldout)):
        raise UsageError(
            f"{folder} has pairs of {other.dialect} that stand in another dataset too", remedy="leave out one of them"
        )
    return TrainingSet(
        one.dialect,
        [*one.train, *other.train],
        [*one.heldout, *other.heldout],
        f"{one.source} + {other.source}",
        _union(one.sizes, other.sizes),
    )


def _union(one: range | None, other: range | None) -> range | None:
    """The sizes of both; None if there is a gap between them, since no range would be true then."""
    if one is None or other is None or one.stop < other.start or other.stop < one.start:
        return None
    return range(min(one.start, other.start), max(one.stop, other.stop))
