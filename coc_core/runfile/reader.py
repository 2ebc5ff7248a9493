"""Reading a run file. It may come from an untrusted source, so everything in it is checked before it is used."""

import sqlite3
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.execution import StepRecord
from coc_core.runfile import chunk, database
from coc_core.runfile.chunk import MAX_BYTES, MAX_KNOWN_BYTES, MAX_LINE, PackedChunk, Transition
from coc_core.runfile.database import MAX_CHUNKS, MAX_STEP, MAX_TEXT, UNSAVED
from coc_core.runfile.manifest import Manifest, ending, other_writer, outcome_from_json
from coc_core.runfile.untrusted import attributing_errors, open_untrusted
from coc_core.types import Outcome

_EPOCHS = 4  # whose transitions stay unpacked
_MOST_CHARACTERS = MAX_KNOWN_BYTES + 2 * (MAX_BYTES + MAX_LINE)  # of the texts of an epoch


class RunFile:
    """A run file that is open for reading. A context manager; make one with `RunFile.open`.

    A defect, found at once or when a step is read, is an ArtefactError.

    Attributes:
        path: The file.
        manifest: What was run.
        outcome: How the run ended, None if it has not.
        steps: The number of recorded steps.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._stack = ExitStack()
        self.manifest, self.outcome = self._run()
        index = self._index()
        self._firsts = [first for first, *_ in index]
        self._starts = [transition for *_, transition, _ in index]
        self.steps = index[-1][0] + index[-1][1] - 1 if index else 0
        if self.outcome is not None and self.outcome.steps != self.steps:
            raise ArtefactError(f"its outcome says {self.outcome.steps:,} steps, but {self.steps:,} are recorded")
        self._epochs = lru_cache(_EPOCHS)(lambda base: _Epoch(self._starts, self._read_texts))

    @classmethod
    def open(cls, path: Path) -> "RunFile":
        """Open the run file at `path`; ArtefactError if it is not a run file, is damaged, or is being written."""
        with ExitStack() as stack:
            connection = open_untrusted(path, stack)
            with attributing_errors(path):
                runfile = cls(path, connection)
                runfile._check_digests()
            runfile._stack = stack.pop_all()
        return runfile

    @classmethod
    def of(cls, connection: sqlite3.Connection, path: Path = UNSAVED) -> "RunFile":
        """Read the run that is in memory over this connection, which is closed with the run file."""
        runfile = cls(path, connection)
        runfile._stack.callback(connection.close)
        return runfile

    def kept(self) -> "RunFile":
        """Return the same run in memory, packed as it is in the file, which may then be closed."""
        with attributing_errors(self.path):
            return RunFile.of(database.in_memory(self._copy), self.path)

    def save(self, path: Path) -> None:
        """Write the run to a new file; UsageError if something is there, StorageError if it can't be written."""
        database.create(path, self._copy)

    def _copy(self, target: sqlite3.Connection) -> None:
        for table in database.TABLES:
            rows = self._connection.execute(f"SELECT * FROM {table} ORDER BY 1")
            places = ", ".join("?" * len(rows.description))
            target.executemany(f"INSERT INTO {table} VALUES ({places})", rows)

    def __enter__(self) -> "RunFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._stack.close()

    def close_when_unused(self) -> None:
        """Close the file as soon as nobody holds this object any more."""
        weakref.finalize(self, self._stack.close)

    def digest(self) -> str:
        """Return the SHA-256 of the content in hexadecimal, the same however often the run was interrupted.

        The content is what was run (domain, memory, arithmetic, problem), every transition in the order of first use
        (with its actions), every step's transition and pointer, the numbers that were not exact, and how the run ended:
        its status, steps and actions, and the step, kind, text and offset of a fault. Messages, seconds, model calls
        and margins are not part of it.
        """
        texts, ids, pointers, numbers = sha256(), sha256(), sha256(), sha256()
        with attributing_errors(self.path):
            for row in self._rows():
                texts.update(chunk.json_lines(chunk.transitions(row)))
                ids.update(chunk.little_endian(array("I", chunk.ids(row))))
                pointers.update(" ".join(map(str, (*chunk.pointers(row), ""))).encode())
                numbers.update(chunk.json_lines(chunk.numbers(row).items()))
        manifest = self.manifest
        heads = [manifest.domain, manifest.memory, manifest.arith, manifest.problem]
        streams = [stream.hexdigest() for stream in (texts, ids, pointers, numbers)]
        return sha256(chunk.json_lines([[heads, streams, ending(self.outcome)]])).hexdigest()

    def record(self, step: int) -> StepRecord:
        """Return the record of a step from 1 to `steps`; ValueError for any other."""
        return next(self.records(step, step))

    def records(self, first: int = 1, last: int | None = None) -> Iterator[StepRecord]:
        """Return the records of the steps `first` to `last`, by default of all; ValueError if there are no such steps.

        Their actions are texts, and they have no window, states and memory. No more than a chunk is held in memory.
        """
        last = self.steps if last is None else last
        if first < 1 or last > self.steps:
            raise ValueError(f"can't read the steps {first} to {last} of a run with {self.steps}")
        return self._records(first, last)

    def _records(self, first: int, last: int) -> Iterator[StepRecord]:
        begin, end = max(bisect_right(self._firsts, first) - 1, 0), bisect_right(self._firsts, last)
        for index in range(begin, end):
            with attributing_errors(self.path):
                (row,) = self._rows(index, index + 1)
                ids, pointers, numbers = chunk.ids(row), chunk.pointers(row), chunk.numbers(row)
                epoch = self._epochs(row.base)
                known = {number: epoch.transition(number) for number in set(ids)}
            for step in range(max(first, row.first), min(last, row.first + row.steps - 1) + 1):
                offset = step - row.first
                yield StepRecord(step, *known[ids[offset]], pointers[offset], numbers.get(step))

    def _read_texts(self, index: int) -> tuple[Transition, ...]:
        (row,) = self._rows(index, index + 1)
        return chunk.transitions(row)

    def tail(self) -> tuple[PackedChunk | None, list[Transition]]:
        """Return the last chunk, None if there is none, and the transitions that a chunk after it may use."""
        if not self._firsts:
            return None, []
        with attributing_errors(self.path):
            (last,) = self._rows(len(self._firsts) - 1)
            epoch = self._epochs(last.base)
            return last, [epoch.transition(number) for number in range(last.base, last.transition + last.transitions)]

    def _run(self) -> tuple[Manifest, Outcome | None]:
        rows = self._connection.execute("SELECT id, manifest, outcome, digest FROM run LIMIT 2").fetchall()
        match rows:
            case [(1, str(manifest), (str() | None) as outcome, bytes(digest))] if (
                max(len(manifest), len(outcome or "")) <= MAX_TEXT
            ):
                self._sealed = manifest, outcome, digest
                try:
                    return Manifest.from_json(manifest), None if outcome is None else outcome_from_json(outcome)
                except ArtefactError as error:
                    raise ArtefactError(error.message, remedy=other_writer(manifest)) from None
        raise ArtefactError("it does not have exactly one manifest")

    def _check_digests(self) -> None:
        """Check that nothing was changed after it was written, unless by one who wrote new digests, too."""
        manifest, outcome, digest = self._sealed
        last = chunk.START
        for row in self._rows():
            last = chunk.seal(last, row)
            if row.digest != last:
                raise ArtefactError(f"its steps from {row.first:,} on do not match its digest")
        if digest != database.digest(manifest, outcome, last):
            raise ArtefactError("its description of the run does not match its digest")

    def _index(self) -> list[tuple[int, int, int, int, int]]:
        """Return first step, steps, base, first transition and transitions of each chunk; they must be contiguous."""
        rows: list[Any] = self._connection.execute(
            "SELECT first, steps, base, transition, transitions FROM chunk ORDER BY first LIMIT ?", (MAX_CHUNKS + 1,)
        ).fetchall()
        if len(rows) > MAX_CHUNKS:
            raise ArtefactError(f"it has more than {MAX_CHUNKS:,} chunks")
        if not all(type(value) is int and 0 <= value < MAX_STEP for row in rows for value in row):
            raise ArtefactError("its index is malformed")
        if not all(1 <= steps <= chunk.MAX_STEPS and brought <= steps for _, steps, _, _, brought in rows):
            raise ArtefactError("a chunk has too many or too few steps or transitions")
        pairs = list(pairwise([(1, 0, 0, 0, 0), *rows]))
        if not all((a[0] + a[1], a[3] + a[4]) == (b[0], b[3]) for a, b in pairs):
            raise ArtefactError("its chunks don't follow one another")
        # Transitions are forgotten between two chunks, so that few of them can be in use at any step.
        if not all(b[2] in (a[2], b[3]) and b[3] - b[2] < chunk.MAX_KNOWN + chunk.MAX_STEPS for a, b in pairs):
            raise ArtefactError("a chunk may use transitions that were forgotten")
        return rows

    def _rows(self, begin: int = 0, end: int | None = None) -> Iterator[PackedChunk]:
        for first in self._firsts[begin:end]:
            (found,) = self._connection.execute("SELECT * FROM chunk WHERE first = ?", (first,))
            row = PackedChunk(*found)
            if not all(isinstance(blob, bytes) for blob in row[5:]):
                raise ArtefactError("a chunk has values that are not blobs")
            yield row


class _Epoch:
    """The transitions that chunks with the same base may use, each unpacked once at most, by `read(index)`.

    `starts` has the number of the first new transition of each chunk of the file.
    """

    def __init__(self, starts: Sequence[int], read: Callable[[int], Sequence[Transition]]) -> None:
        self._starts = starts
        self._read = read
        self._chunks: dict[int, Sequence[Transition]] = {}
        self._characters = 0

    def transition(self, number: int) -> Transition:
        """Return the transition with this number; ArtefactError if there are far more texts than a recorder keeps."""
        index = bisect_right(self._starts, number) - 1  # the last of those with this start
        found = self._chunks.get(index)
        if found is None:
            found = self._chunks[index] = self._read(index)
            self._characters += sum(len(each.prompt) + len(each.target) for each in found)
            if self._characters > _MOST_CHARACTERS:
                raise ArtefactError("its steps use more texts than a run file keeps")
        return found[number - self._starts[index]]
