"""A dataset: a folder with a file of rows for each subset, and a card, `card.json`, that says how the pairs were made
and what the files contain. It is not trusted until its last row has been read.

The rows are compressed JSON lines, {"prompt": ..., "target": ...} each. The same pairs are written as the same bytes.
Files are read without trust: every size is bounded, whatever a file unpacks to.
"""

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import sha256
from importlib.metadata import version
from itertools import islice, zip_longest
from pathlib import Path
from typing import Annotated

from attrs import asdict, frozen

from coc_core.errors import ArtefactError, PluginError, UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.storage import (
    SUMS,
    check_sums,
    fresh_folder,
    open_regular,
    parse_json_object,
    read_bytes,
    read_document,
    sums_of,
)
from coc_core.text import quoted
from coc_learn.datasets.pairs import DatasetSpec, Seen, divided_pairs

CARD = "card.json"
FORMAT = 3
GENERATOR = "chain-of-computation"
KIND = "dataset"

LONGEST_ROW = 1 << 20  # bytes, including the newline
MOST_BYTES = 2 << 30  # in one file, uncompressed
MOST_PAIRS = 20_000_000  # in one file

_LEVEL = 6
_CHUNK = 1 << 16
_MOST_CARD_BYTES = 1 << 20
_MOST_DRAWN, _MOST_DRAWN_PER_BYTE = 200_000, 10
"""The largest sum of the sizes of all problems, and what each byte of the rows adds to it: a problem that brings new
pairs stands in a row in full.
"""

_Name = Annotated[str, re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")]


class SubsetName(StrEnum):
    """The training pairs, and the pairs that are held out, in the order of reading."""

    train = "train"
    heldout = "heldout"


@frozen
class Subset:
    """The contents of a file: how many pairs, how many bytes uncompressed, and the SHA-256 of these bytes."""

    pairs: Annotated[int, range(MOST_PAIRS + 1)]
    bytes: Annotated[int, range(MOST_BYTES + 1)]
    sha256: Annotated[str, re.compile(r"[0-9a-f]{64}")]


@frozen(kw_only=True)
class Card(DatasetSpec):
    """The description of a dataset, field by field as in its file: the spec, and beside it the setting's `dialect`,
    coc's `version`, the contents of both `files` by name, and the `command` that built the dataset.
    """

    format: int = FORMAT
    generator: _Name = GENERATOR
    version: _Name
    domain: _Name
    memory: _Name
    arith: _Name
    dialect: Annotated[str, re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,255}")]
    files: Mapping[str, Subset]
    command: str

    @property
    def subsets(self) -> Mapping[SubsetName, Subset]:
        """The contents of both files, by the names of the subsets, in the order of reading."""
        return {name: self.files[file_name(name)] for name in SubsetName}


def file_name(subset: SubsetName) -> str:
    """Return the name of the file of a subset."""
    return f"{subset}.jsonl.gz"


@frozen
class Dataset:
    """A dataset's folder, its card, and the SHA-256 of the card's file, which identifies the whole dataset."""

    folder: Path
    card: Card
    sha256: str

    @classmethod
    def open(cls, folder: Path) -> "Dataset":
        """Return the dataset in `folder`; ArtefactError if its card can't be read, makes no sense or was changed."""
        where = str(folder / CARD)
        data = read_bytes(folder / CARD, _MOST_CARD_BYTES, links=False)
        document = parse_json_object(data, where)
        if document.get("format") != FORMAT:
            raise ArtefactError(f"{where} is not of format {FORMAT}, which this version of coc reads")
        card = read_document(Card, document, where)
        if [*card.sizes] != document["sizes"]:
            raise ArtefactError(f"{where}: sizes are not in order")
        if card.files.keys() != {*map(file_name, SubsetName)}:
            raise ArtefactError(f"{where}: files are not {' and '.join(map(file_name, SubsetName))}")
        digest = sha256(data).hexdigest()
        check_sums(folder, {CARD: digest})
        return cls(folder, card, digest)

    def __len__(self) -> int:
        """Return the number of pairs in both subsets, according to the card."""
        return sum(subset.pairs for subset in self.card.files.values())

    def file(self, name: SubsetName) -> Iterator[tuple[int, Pair]]:
        """Return the line numbers and pairs of one file; errors as for `read_rows`."""
        return read_rows(self.folder / file_name(name), self.card.subsets[name])

    def rows(self) -> Iterator[tuple[SubsetName, Pair]]:
        """Yield all pairs in order, the training subset first, audited while they are read: no prompt appears twice,
        and count and hash of a file are those of the card after its last row. ArtefactError, with file and line, at
        the first row that breaks a rule.
        """
        trained = Seen()
        for name in SubsetName:
            seen = trained if name is SubsetName.train else Seen()
            path = self.folder / file_name(name)
            for line, pair in self.file(name):
                if name is SubsetName.heldout and pair.prompt in trained:
                    raise ArtefactError(f"{path}, line {line}: the prompt is not held out: it is also in training")
                if not seen.add(pair.prompt):
                    raise ArtefactError(f"{path}, line {line}: the prompt appears twice")
                yield name, pair


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


def build_dataset(
    folder: Path, setting: Setting, spec: DatasetSpec, halves: Iterable[Iterable[Pair]], command: str = ""
) -> Card:
    """Write a dataset of these halves, as of `divided_pairs`, to `folder`, as a whole or not at all, in place of an
    older one, and return its card, which names the command line. UsageError if something else is there or a file would
    be too large, StorageError if it can't be written.
    """
    with fresh_folder(folder, marker=CARD, kind=KIND) as fresh:
        names = list(map(file_name, SubsetName))
        card = Card(
            domain=setting.domain.name,
            memory=setting.memory.name,
            arith=setting.arithmetic.name,
            dialect=setting.convention.dialect,
            files={name: write_rows(fresh / name, map(encode, half)) for name, half in zip(names, halves, strict=True)},
            version=version(GENERATOR),
            command=command,
            **asdict(spec, recurse=False),
        )
        data = (json.dumps(asdict(card), indent=2) + "\n").encode()
        (fresh / CARD).write_bytes(data)
        (fresh / SUMS).write_bytes(sums_of({CARD: data}))  # the card has those of the other files
    return card


def verify_dataset(dataset: Dataset, setting: Setting) -> Iterator[Pair]:
    """Draw the pairs of a dataset again, and give each when it was compared with the row that is there. ArtefactError,
    with file and line, at the first target that differs or row that the spec does not draw there, and as for
    `read_rows`.
    """
    card, where, count = dataset.card, dataset.folder / CARD, len(dataset)
    if not count:
        raise ArtefactError(f"{dataset.folder} holds no pairs")
    size, each = sum(subset.bytes for subset in card.files.values()), card.instances + card.enumerated + card.near_goal
    if each * sum(card.sizes) > _MOST_DRAWN + _MOST_DRAWN_PER_BYTE * size:
        raise ArtefactError(f"{where} names far more problems than the rows can have come from")
    try:
        halves = divided_pairs(setting, card, through=lambda pairs: islice(pairs, count + 1))
    except (UsageError, PluginError) as error:
        raise ArtefactError(f"{where} names problems that can't be drawn: {error.message}") from None
    for name, half in zip(SubsetName, halves, strict=True):
        for found, pair in zip_longest(dataset.file(name), half):
            if pair is None:
                raise ArtefactError(f"{where} does not name the problems that the last rows come from")
            _compare(str(dataset.folder / file_name(name)), found, pair)
            yield pair


def _compare(file: str, found: tuple[int, Pair] | None, pair: Pair) -> None:
    """Raise ArtefactError unless the next row that was found in a file is that of this pair."""
    line, there = found or (0, None)
    if there == pair:
        return
    where = f"{file}, line {line}" if line else f"{file}, after its last line"
    if there and there.prompt == pair.prompt:
        differ = f"the target is {quoted(there.target)}, but the reference model writes {quoted(pair.target)}"
        raise ArtefactError(f"{where}: {differ}")
    other = f"the problems that the card names have another row here, with the prompt {quoted(pair.prompt)}"
    raise ArtefactError(f"{where}: {other}")


def encode(pair: Pair) -> bytes:
    """Return the row of a pair; UsageError if it is longer than `LONGEST_ROW`."""
    row = json.dumps({"prompt": pair.prompt, "target": pair.target}, ensure_ascii=False).encode() + b"\n"
    if len(row) > LONGEST_ROW:
        raise UsageError(
            f"a pair takes {len(row):,} bytes, and at most {LONGEST_ROW:,} are allowed", remedy="choose a smaller n"
        )
    return row


def decode(row: bytes, where: str) -> Pair:
    """Return the pair in a row; ArtefactError, beginning with `where`, if there is none."""
    match parse_json_object(row, where):
        case {"prompt": str(prompt), "target": str(target), **more} if not more:
            try:
                f"{prompt}{target}".encode()
            except UnicodeEncodeError:
                raise ArtefactError(f"{where} contains half of a surrogate pair") from None
            return Pair(prompt, target)
    raise ArtefactError(f"{where} must have the texts 'prompt' and 'target', and nothing else")


def write_rows(path: Path, rows: Iterable[bytes]) -> Subset:
    """Write rows to a new file; UsageError if it becomes larger than allowed, OSError if the file system refuses."""
    count, size, digest = 0, 0, sha256()
    # Without a name and a time in the header, the bytes depend on the rows alone.
    with path.open("xb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed:
        for row in rows:
            count += 1
            size += len(row)
            if size > MOST_BYTES or count > MOST_PAIRS:
                raise UsageError(
                    f"{path.name} would have more than {MOST_PAIRS:,} pairs or {MOST_BYTES:,} bytes",
                    remedy="choose fewer sizes or instances",
                )
            digest.update(row)
            packed.write(row)
    return Subset(count, size, digest.hexdigest())


def read_rows(path: Path, stated: Subset) -> Iterator[tuple[int, Pair]]:
    """Read a file with the contents that its card states, and never more than a row beyond; yield each row's line
    number from 1 on and its pair. ArtefactError at the first row that is no pair, naming the line, or if a count or the
    SHA-256 differs.
    """
    number, size, digest = 0, 0, sha256()
    try:  # not through a link, which could lead out of the folder
        file = open_regular(path, stated.bytes + stated.bytes // 64 + _CHUNK, links=False)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
    with file, gzip.GzipFile(fileobj=file) as packed:
        while row := _line(packed, f"{path}, line {number + 1}"):
            number += 1
            size += len(row)
            if number > stated.pairs or size > stated.bytes:
                beyond = f"the card's {stated.pairs:,} pairs in {stated.bytes:,} bytes"
                raise ArtefactError(f"{path}, line {number} is beyond {beyond}")
            digest.update(row)
            yield number, decode(row, f"{path}, line {number}")
    if (number, size) != (stated.pairs, stated.bytes):
        found = f"{number:,} pairs in {size:,} bytes"
        raise ArtefactError(f"{path} has {found}, but its card says {stated.pairs:,} in {stated.bytes:,}")
    if digest.hexdigest() != stated.sha256:
        raise ArtefactError(f"{path} does not match its card: the SHA-256 of its rows is {digest.hexdigest()}")


def _line(packed: gzip.GzipFile, where: str) -> bytes:
    """Return the next row with its newline; empty at the end of the file."""
    try:
        row = packed.readline(LONGEST_ROW)
    except EOFError:
        raise ArtefactError(f"{where}: the file is cut off") from None
    except (OSError, zlib.error) as error:
        raise ArtefactError(f"{where}: the compression is broken: {error}") from None
    if row and not row.endswith(b"\n"):
        reason = "is cut off" if len(row) < LONGEST_ROW else f"is longer than {LONGEST_ROW:,} bytes"
        raise ArtefactError(f"{where} {reason}")
    return row
