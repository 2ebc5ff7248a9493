"""Building a dataset. Memory holds digests and numbers, never the pairs, so it stays small however many there are."""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path

from coc_core.datasets.card import CARD, GENERATOR, Card, Subset, file_name, to_json
from coc_core.datasets.rows import LONGEST_ROW, RowWriter, encode
from coc_core.datasets.spec import DatasetSpec, PairStream
from coc_core.setting import Setting
from coc_core.storage import fresh_folder

KIND = "dataset"


def build_dataset(folder: Path, setting: Setting, spec: DatasetSpec, stream: PairStream, command: str = "") -> Card:
    """Write all pairs of `stream`, which is of that setting and spec, to a dataset at `folder`; gives its card.

    The folder is written whole or not at all, in the place of an older dataset. UsageError if something else is there
    or a file would be too large, StorageError if the disk refuses.
    """
    with fresh_folder(folder, marker=CARD, kind=KIND) as fresh, tempfile.TemporaryFile(dir=fresh.parent) as waiting:
        # Which pairs are held out is known when all have been made; until then they wait on the disk.
        for pair in stream:
            waiting.write(encode(pair))
        waiting.seek(0)
        held = stream.held_out()
        with RowWriter(fresh / file_name("train")) as train, RowWriter(fresh / file_name("heldout")) as heldout:
            for index in range(stream.count):
                (heldout if index in held else train).write(waiting.readline(LONGEST_ROW))
        card = Card(
            domain=setting.domain.name,
            memory=setting.memory.name,
            arith=setting.arithmetic.name,
            dialect=setting.convention.dialect,
            spec=spec,
            train=_half(train),
            heldout=_half(heldout),
            version=version(GENERATOR),
            command=command,
        )
        (fresh / CARD).write_bytes((json.dumps(to_json(card), indent=2) + "\n").encode())
    return card


def _half(writer: RowWriter) -> Subset:
    return Subset(writer.rows, writer.bytes, writer.sha256)
