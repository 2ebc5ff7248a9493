"""Building a dataset. Memory holds digests of the prompts, never the pairs, so it stays small."""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

from attrs import asdict

from coc_core.setting import Setting
from coc_core.storage import SUMS, fresh_folder, sums_of
from coc_learn.datasets.card import CARD, GENERATOR, Card, Subset, file_name
from coc_learn.datasets.rows import RowWriter, encode
from coc_learn.datasets.spec import DatasetSpec, PairStream

KIND = "dataset"


def build_dataset(folder: Path, setting: Setting, spec: DatasetSpec, stream: PairStream, command: str = "") -> Card:
    """Write a dataset to `folder`, as a whole or not at all; an older dataset there is replaced.

    Args:
        folder: Where the dataset goes.
        setting: The setting of the pairs.
        spec: The spec of the pairs.
        stream: The pairs, of this setting and spec.
        command: The command line that builds the dataset, for its card.

    Returns:
        The card of the dataset.

    Raises:
        UsageError: If something other than a dataset is in the place, or a file would be too large.
        StorageError: If the file system refuses.
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
