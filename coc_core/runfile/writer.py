"""Recording a run: a listener that gathers the steps and commits them in batches, about twice a second.

A commit has whole steps. SQLite's write-ahead log is synced at each commit, so committed steps survive SIGKILL and loss
of power. The file is locked while it is written. An error of the disk ends the run, and no write is tried twice.
"""

import sqlite3
import time
from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from coc_core.domain import Domain
from coc_core.errors import StorageError
from coc_core.execution import Listener, StepRecord
from coc_core.runfile import chunk, database
from coc_core.runfile.chunk import PackedChunk, Transition
from coc_core.runfile.manifest import Manifest, outcome_to_json
from coc_core.runfile.reader import RunFile
from coc_core.types import Outcome

COMMIT_INTERVAL = 0.5
"""The time between two commits, in seconds."""

_QUICK = 0.01  # seconds
_NEVER: tuple[str | None, tuple[Any, ...], int] = None, (), 0
_LONGEST_STRIDE = 256  # steps


class Recorder:
    """Writes the steps that its listener receives. A context manager; make one with `create` or `resume`.

    The listener of a resumed recorder receives the whole run again, from the first step, and `go_on` must be called
    before the first new one. If an exception leaves the block, committed steps are kept, and gathered ones are
    committed unless it is an interrupt or an error of the disk.

    Attributes:
        path: The run file.
        stored: The number of steps in the file. Nothing is written until the run is beyond them.
        listen: The listener for the machine.
    """

    def __init__(self, path: Path, domain: Domain[Any, Any, Any, Any], connection: sqlite3.Connection) -> None:
        self.path, self.stored, self.connection = path, 0, connection
        self._action = domain.actions.format
        self._known: dict[tuple[str, str, tuple[str, ...]], int] = {}
        self._recent: dict[str, tuple[str, tuple[Any, ...], int]] = {}  # each prompt's last target, and its actions
        self._sealed: list[PackedChunk] = []
        self._before: bytes | None = None  # the digest of the chunk before, if it is known here
        self._first, self._base, self._transition = 1, 0, 0
        self._transitions: list[bytes] = []
        self._ids, self._pointers = array("I"), array("q")
        self._numbers: list[bytes] = []
        self._size = self._known_size = 0
        self._looked = time.monotonic()
        self._due = self._looked + COMMIT_INTERVAL
        self._stride, self._closed = 1, False
        self.listen = self._listener()

    @classmethod
    def create(cls, path: Path, domain: Domain[Any, Any, Any, Any], manifest: Manifest) -> "Recorder":
        """Make a new run file, with its manifest or not at all; UsageError if `path` is taken, or StorageError."""
        database.create(path, partial(database.describe, manifest=manifest.to_json(), outcome=None))
        return cls.resume(path, domain, 0)

    @classmethod
    def in_memory(cls, domain: Domain[Any, Any, Any, Any], manifest: Manifest) -> "Recorder":
        """Record in memory, without a file. When the run has ended, `RunFile.of` reads from the `connection`."""
        fill = partial(database.describe, manifest=manifest.to_json(), outcome=None)
        return cls(database.UNSAVED, domain, database.in_memory(fill))

    @classmethod
    def resume(cls, path: Path, domain: Domain[Any, Any, Any, Any], stored: int) -> "Recorder":
        """Open the file of a run that is continued, and lock it. Nothing in it changes before `go_on`.

        StorageError if another process writes to it, or it no longer has just the steps that were `stored`.
        """
        recorder = cls(path, domain, database.reopen(path, stored))
        recorder.stored = stored
        return recorder

    def go_on(self, manifest: Manifest, source: RunFile) -> None:
        """Continue after the steps in the file, open for reading: replace its manifest, and remove an outcome.

        After a StorageError, the recorder must not be used any more.
        """
        last, known = source.tail()
        if last is not None:
            self._adopt(last, known)
        self._commit([], manifest.to_json(), None)

    def _adopt(self, last: PackedChunk, known: Sequence[Transition]) -> None:
        """Be as after the last chunk of a file. `known` are the transitions from its base on."""
        lines = [chunk.json_lines([each]) for each in known]
        self._known.clear()
        self._recent.clear()
        self._known.update({each: number for number, each in enumerate(known, last.base)})
        self._known_size = sum(map(len, lines))
        self._first, self._base, self._transition = last.first, last.base, last.transition
        self._transitions[:] = lines[last.transition - last.base :]
        self._numbers[:] = [chunk.json_lines([each]) for each in chunk.numbers(last).items()]
        for gathered, stored in ((self._ids, chunk.ids(last)), (self._pointers, chunk.pointers(last))):
            del gathered[:]
            gathered.extend(stored)
        self._size = sum(map(len, (*self._transitions, *self._numbers)))
        if self._is_full():
            self._seal()

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, StorageError) or not isinstance(error, Exception | None):
            database.close_quietly(self.connection)
        else:
            self.close()

    def flush(self) -> None:
        """Commit the gathered steps; after a StorageError, the recorder must not be used any more."""
        self._write(None)

    def finish(self, outcome: Outcome, margins: Mapping[str, float | None] | None = None) -> None:
        """Commit the remaining steps, and the outcome with the smallest logit margin of each model."""
        self._write(outcome_to_json(outcome, margins or {}))

    def close(self) -> None:
        """Commit the gathered steps and close the file, with no log left beside it. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
            with database.guarded(self.path):
                self.connection.execute(database.MERGE_LOG)
        finally:
            database.close_quietly(self.connection)

    @property
    def _steps(self) -> int:
        return self._first + len(self._ids) - 1

    def _listener(self) -> Listener:
        """Make the listener. It runs millions of times: attributes are looked up before, the clock is rarely read."""
        recent, ids, number_of, look = self._recent.get, self._ids, self._number, self._look
        keep, point, at = self._ids.append, self._pointers.append, 0

        def listen(record: StepRecord) -> None:
            nonlocal at
            target, actions, number = recent(record.prompt, _NEVER)
            if target != record.target or actions != record.actions:
                number, new = number_of(record)
                if new:
                    at = 0
            if record.numbers is not None:
                line = chunk.json_lines([(record.step, record.numbers)])
                self._numbers.append(line)
                self._size += len(line)
                at = 0
            keep(number)
            point(record.pointer)
            if len(ids) >= at:
                at = look()

        return listen

    def _look(self) -> int:
        """End the chunk, or commit, if it is time to. Return the length of the chunk at which to look again."""
        if self._is_full():
            self._seal()
        now = time.monotonic()
        self._stride = min(2 * self._stride, _LONGEST_STRIDE) if now - self._looked < _QUICK else 1
        self._looked = now
        if now >= self._due:
            self.flush()
        return min(len(self._ids) + self._stride, chunk.MAX_STEPS)

    def _number(self, record: StepRecord) -> tuple[int, bool]:
        """Number a transition whose prompt had another target or other actions last, and say whether it is new."""
        transition = record.prompt, record.target, tuple(map(self._action, record.actions))
        known = self._known.get(transition)
        if known is None:
            line = chunk.json_lines([transition])
            if len(line) > chunk.MAX_LINE:
                raise StorageError(f"a step has {len(line):,} bytes, and a run file keeps {chunk.MAX_LINE:,} at most")
            number = self._known[transition] = self._transition + len(self._transitions)
            self._transitions.append(line)
            self._size += len(line)
            self._known_size += len(line)
        else:
            number = known
        self._recent[record.prompt] = record.target, record.actions, number
        return number, known is None

    def _is_full(self) -> bool:
        return len(self._ids) >= chunk.MAX_STEPS or self._size >= chunk.MAX_BYTES

    def _seal(self) -> None:
        if self._steps > self.stored:
            self._sealed.append(self._packed())
            self._before = self._sealed[-1].digest
        self._first += len(self._ids)
        self._transition += len(self._transitions)
        for gathered in (self._transitions, self._ids, self._pointers, self._numbers):
            del gathered[:]
        self._size = 0
        if len(self._known) >= chunk.MAX_KNOWN or self._known_size >= chunk.MAX_KNOWN_BYTES:
            self._known.clear()
            self._recent.clear()
            self._base, self._known_size = self._transition, 0

    def _packed(self) -> PackedChunk:
        before = self._before
        if before is None:
            with database.guarded(self.path):
                before = database.digest_before(self.connection, self._first)
        gathered = self._transitions, self._ids, self._pointers, self._numbers
        return chunk.pack(before, self._first, self._base, self._transition, *gathered)

    def _write(self, outcome: str | None) -> None:
        self._due = time.monotonic() + COMMIT_INTERVAL
        if self._steps < self.stored or (self._steps == self.stored and outcome is None):
            return
        with database.guarded(self.path):
            (manifest,) = self.connection.execute("SELECT manifest FROM run").fetchone()
            chunks = [*self._sealed, *([self._packed()] if self._ids else [])]
        self._commit(chunks, manifest, outcome)
        self.stored = self._steps
        self._sealed.clear()

    def _commit(self, chunks: Sequence[PackedChunk], manifest: str, outcome: str | None) -> None:
        with database.guarded(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            database.add(self.connection, chunks)
            database.describe(self.connection, manifest, outcome)
            self.connection.execute("COMMIT")
