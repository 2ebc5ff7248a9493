"""Reading a run file. It may be a stranger's, so everything in it is checked before it is believed."""

import sqlite3
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import ExitStack
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from attrs import evolve, frozen

from coc_core.errors import ArtefactError
from coc_core.runfile import chunk
from coc_core.runfile.chunk import Row, Transition
from coc_core.runfile.manifest import Manifest, outcome_from_json, outcome_to_json
from coc_core.runfile.schema import LONGEST_TEXT, MOST_CHUNKS
from coc_core.runfile.untrusted import blaming, unlock
from coc_core.types import Outcome

_OPENED = 24  # chunks whose transitions are kept unpacked


@frozen
class Recorded:
    """One recorded step, counted from 1; `pointer` is the memory's after the step, -1 once it has halted."""

    step: int
    prompt: str
    target: str
    actions: tuple[str, ...]
    pointer: int


class Walked(NamedTuple):
    """A step for those in a hurry: its transition, the pointer after it, its numbers if they were not exact."""

    transition: Transition
    pointer: int
    numbers: tuple[int, ...] | None


class RunFile:
    """A run file that is open for reading. A context manager; make one with `RunFile.open`.

    `steps` is how many are recorded; `outcome` is None while the run has not ended. Whatever is found to be wrong, at
    once or when a step is read, is an ArtefactError.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._stack = ExitStack()
        self.manifest, self.outcome = self._run()
        index = self._index()
        self._firsts = [first for first, _, _, _ in index]
        self._starts = [transition for _, _, transition, _ in index]
        self.steps = index[-1][0] + index[-1][1] - 1 if index else 0
        if self.outcome is not None and self.outcome.steps != self.steps:
            raise ArtefactError(f"its outcome tells of {self.outcome.steps:,} steps, and {self.steps:,} are recorded")
        self._texts = lru_cache(_OPENED)(self._read_texts)

    @classmethod
    def open(cls, path: Path) -> "RunFile":
        """The run file at `path`; ArtefactError, in one line, for anything else, and for one that is being written."""
        with ExitStack() as stack:
            connection = unlock(path, stack)
            with blaming(path):
                runfile = cls(path, connection)
            runfile._stack = stack.pop_all()
        return runfile

    def __enter__(self) -> "RunFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._stack.close()

    def digest(self) -> str:
        """The SHA-256 of the content, in hexadecimal: equal for equal runs, however often they were interrupted.

        The content is what was run (domain, memory, arithmetic, problem), every transition in the order of first use
        (with its actions), every step's transition and pointer, the numbers that were not exact, and the outcome
        without seconds, calls and margins.
        """
        texts, ids, pointers, numbers = sha256(), sha256(), sha256(), sha256()
        with blaming(self.path):
            for row in self._rows(0, len(self._firsts)):
                chunk.ids(row)
                texts.update(chunk.lines(chunk.transitions(row)))
                ids.update(chunk.inflate(row.ids))
                pointers.update(" ".join(map(str, (*chunk.pointers(row), ""))).encode())
                numbers.update(chunk.lines(chunk.numbers(row).items()))
        manifest = self.manifest
        heads = [manifest.domain, manifest.memory, manifest.arith, manifest.problem]
        end = self.outcome and outcome_to_json(evolve(self.outcome, model_calls=0, seconds=0.0), {})
        streams = [stream.hexdigest() for stream in (texts, ids, pointers, numbers)]
        return sha256(chunk.lines([[heads, streams, end]])).hexdigest()

    def step(self, number: int) -> Recorded:
        """The step of that number, 1 to `steps`; ValueError for any other."""
        return next(self.recorded(number, number))

    def recorded(self, first: int = 1, last: int | None = None) -> Iterator[Recorded]:
        """The steps from `first` to `last`, both counted from 1 and both included; by default all of them."""
        last = self.steps if last is None else last
        if first < 1 or last > self.steps:
            raise ValueError(f"steps {first} to {last} of a run with {self.steps}")
        walked = self.walk(first)
        for step in range(first, last + 1):
            (prompt, target, actions), pointer, _ = next(walked)
            yield Recorded(step, prompt, target, actions, pointer)

    def walk(self, first: int = 1) -> Iterator[Walked]:
        """Every step from `first` on, with no more than a chunk of them in memory."""
        begin = max(bisect_right(self._firsts, first) - 1, 0)
        for index in range(begin, len(self._firsts)):
            with blaming(self.path):
                (row,) = self._rows(index, index + 1)
                ids, pointers, numbers = chunk.ids(row), chunk.pointers(row), chunk.numbers(row)
                known = {number: self._transition(number) for number in set(ids)}
            for offset in range(max(first - row.first, 0), row.steps):
                number = row.first + offset
                yield Walked(known[ids[offset]], pointers[offset], numbers.get(number) if numbers else None)

    def _transition(self, number: int) -> Transition:
        index = bisect_right(self._starts, number) - 1  # of those that begin with the same number the last one has it
        return self._texts(index)[number - self._starts[index]]

    def _read_texts(self, index: int) -> tuple[Transition, ...]:
        (row,) = self._rows(index, index + 1)
        return chunk.transitions(row)

    def _run(self) -> tuple[Manifest, Outcome | None]:
        rows = self._connection.execute("SELECT id, manifest, outcome FROM run LIMIT 2").fetchall()
        match rows:
            case [(1, str(manifest), (str() | None) as outcome)] if (
                max(len(manifest), len(outcome or "")) <= LONGEST_TEXT
            ):
                return Manifest.from_json(manifest), None if outcome is None else outcome_from_json(outcome)
        raise ArtefactError("it has no manifest, or more than one")

    def _index(self) -> list[tuple[int, int, int, int]]:
        """First step, steps, first transition and transitions of each chunk, which must follow one another."""
        rows: list[Any] = self._connection.execute(
            "SELECT first, steps, transition, transitions FROM chunk ORDER BY first LIMIT ?", (MOST_CHUNKS + 1,)
        ).fetchall()
        if len(rows) > MOST_CHUNKS:
            raise ArtefactError(f"it has more than {MOST_CHUNKS:,} chunks")
        if not all(type(value) is int and 0 <= value < 1 << 48 for row in rows for value in row):
            raise ArtefactError("its index is malformed")
        if not all(1 <= steps <= chunk.STEPS and brought <= steps for _, steps, _, brought in rows):
            raise ArtefactError("a chunk has too many or too few steps or transitions")
        pairs = pairwise([(1, 0, 0, 0), *rows])
        if not all((a[0] + a[1], a[2] + a[3]) == (b[0], b[2]) for a, b in pairs):
            raise ArtefactError("its chunks don't follow one another")
        return rows

    def _rows(self, begin: int, end: int) -> Iterator[Row]:
        for first in self._firsts[begin:end]:
            (found,) = self._connection.execute("SELECT * FROM chunk WHERE first = ?", (first,))
            row = Row(*found)
            if not all(isinstance(blob, bytes) for blob in row[4:]):
                raise ArtefactError("a chunk holds no blobs")
            yield row
