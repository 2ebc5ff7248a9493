"""Building a dataset, and comparing one with what its card says, by drawing its pairs again.

Memory holds digests of the prompts, never the pairs, so it stays small.
"""

import json
import tempfile
from collections.abc import Container, Iterator
from importlib.metadata import version
from pathlib import Path

from attrs import asdict

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.storage import SUMS, fresh_folder, sums_of
from coc_core.text import quoted
from coc_learn.datasets.card import CARD, GENERATOR, SUBSETS, Card, Dataset, Row, Subset, SubsetName, file_name
from coc_learn.datasets.pairs import held_out_indices
from coc_learn.datasets.rows import RowWriter, encode
from coc_learn.datasets.spec import DatasetSpec, HoldOutBy, PairStream

KIND = "dataset"

_MOST_DRAWN = 200_000
_MOST_DRAWN_PER_BYTE = 10
"""The largest sum of the sizes of all problems, and what each byte of the rows adds to it. A problem that brings new
pairs stands in a row in full, so only problems that come again and again can have a larger sum.
"""


def build_dataset(folder: Path, setting: Setting, spec: DatasetSpec, stream: PairStream, command: str = "") -> Card:
    """Write a dataset to `folder`, as a whole or not at all, in place of an older one, and return its card, which names
    the command line. UsageError if something else is there or a file would be too large, StorageError if it can't be
    written.
    """
    with fresh_folder(folder, marker=CARD, kind=KIND) as fresh, tempfile.TemporaryFile(dir=fresh.parent) as buffer:
        # Which pairs are held out is known only after the last one, so they are buffered on disk.
        for pair in stream:
            buffer.write(encode(pair))
        buffer.seek(0)
        held = stream.held_out()
        with RowWriter(fresh / file_name("train")) as train, RowWriter(fresh / file_name("heldout")) as heldout:
            for index in range(stream.count):
                (heldout if index in held else train).write(buffer.readline())
        card = Card(
            domain=setting.domain.name,
            memory=setting.memory.name,
            arith=setting.arithmetic.name,
            dialect=setting.convention.dialect,
            sizes=spec.sizes,
            instances=spec.instances,
            enumerated=spec.enumerated,
            near_goal=spec.near_goal,
            split=spec.split,
            holdout_by=spec.by,
            holdout=spec.holdout,
            seed=spec.seed,
            files={file_name("train"): _counts(train), file_name("heldout"): _counts(heldout)},
            version=version(GENERATOR),
            command=command,
        )
        data = (json.dumps(asdict(card), indent=2) + "\n").encode()
        (fresh / CARD).write_bytes(data)
        (fresh / SUMS).write_bytes(sums_of({CARD: data}))  # the card has those of the other files
    return card


def _counts(writer: RowWriter) -> Subset:
    return Subset(writer.rows, writer.bytes, writer.sha256)


def setting_of(registry: Registry, dataset: Dataset) -> Setting:
    """Return the setting that a dataset's card names; ArtefactError if there is none or it has another dialect,
    PluginError if a plugin is broken.
    """
    card, where = dataset.card, dataset.folder / CARD
    try:
        setting = Setting.of(registry, card.domain, card.memory, card.arith)
    except UsageError as error:
        raise ArtefactError(f"{where}: {error.message}") from None
    if setting.convention.dialect != card.dialect:
        raise ArtefactError(f"{where} says {card.dialect!r}, but its setting uses {setting.convention.dialect!r}")
    return setting


def verify_dataset(dataset: Dataset, setting: Setting) -> Iterator[Row]:
    """Draw the pairs of a dataset again, and give each with its place, compared with the row that is there.
    ArtefactError, with file and line, at the first target that differs or row that the spec does not draw there, and as
    for `read_rows`.
    """
    card, where = dataset.card, dataset.folder / CARD
    if not len(dataset):
        raise ArtefactError(f"{dataset.folder} holds no pairs")
    spec, size = card.spec, sum(subset.bytes for subset in card.files.values())
    each = spec.instances + spec.enumerated + spec.near_goal
    if each * sum(spec.sizes) > _MOST_DRAWN + _MOST_DRAWN_PER_BYTE * size:
        raise ArtefactError(f"{where} names far more problems than the rows can have come from")
    files = {name: dataset.file(name) for name in SUBSETS}
    try:
        stream = PairStream(setting, spec)
        held = _held_out(dataset, stream)
        for index, pair in enumerate(stream):
            subset: SubsetName = "heldout" if index in held else "train"
            yield _compared(dataset, subset, next(files[subset], None), pair)
        further = sum(1 for file in files.values() for _ in file)
        if further or stream.held_out() != held:
            raise ArtefactError(f"{where} does not name the problems that the last rows come from")
    except (UsageError, PluginError) as error:
        raise ArtefactError(f"{where} names problems that can't be drawn: {error.message}") from None


def _compared(dataset: Dataset, subset: SubsetName, found: tuple[int, Pair] | None, pair: Pair) -> Row:
    """Return the row that was found in a subset; ArtefactError unless it is that of this pair."""
    line, there = found or (None, None)
    if line and there == pair:
        return Row(subset, line, pair)
    where = f"{dataset.folder / file_name(subset)}, " + (f"line {line}" if line else "after its last line")
    if there and there.prompt == pair.prompt:
        raise ArtefactError(
            f"{where}: the target is {quoted(there.target)}, but the reference model writes {quoted(pair.target)}"
        )
    raise ArtefactError(
        f"{where}: the problems that the card names have another row here, with the prompt {quoted(pair.prompt)}"
    )


def _held_out(dataset: Dataset, stream: PairStream) -> Container[int]:
    """Return the indices of the held-out rows among all of them, in the order in which they are drawn."""
    card = dataset.card
    if card.spec.by is HoldOutBy.steps:
        return stream.held_out()  # known of each pair as soon as it is drawn
    if card.spec.by is HoldOutBy.instances:
        return range(card.subsets["train"].pairs, len(dataset))
    return held_out_indices(len(dataset), card.spec.holdout, card.spec.seed)
