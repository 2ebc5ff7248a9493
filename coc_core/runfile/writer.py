"""Recording a run: a listener that gathers the steps and commits them in batches, about twice a second.

A commit holds whole steps. What has been committed is safe against SIGKILL and loss of power: SQLite's write-ahead log,
synced at each commit. The file is locked for as long as it is written. A refusal of the disk ends the run, and nothing
is tried a second time.
"""

import os
import sqlite3
import tempfile
import time
from array import array
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from coc_core.domain import Domain
from coc_core.errors import StorageError, UsageError
from coc_core.execution import Listener, StepRecord
from coc_core.runfile import chunk, database
from coc_core.runfile.chunk import Row, Transition
from coc_core.runfile.database import APPLICATION, SIBLINGS, TABLES, VERSION
from coc_core.runfile.manifest import Manifest, outcome_to_json
from coc_core.storage import sync
from coc_core.types import Outcome

REMEMBERED = 1 << 16
"""How many transitions are known at once; then all are forgotten, and one that comes again is stored again."""

SECONDS = 0.5
"""The time between two commits."""

_QUICK = 0.01  # seconds
_NEVER = None, 0
_LONGEST_STRIDE = 256  # steps


class Recorder:
    """Writes a run file as its `listen` hears the steps. A context manager; make one with `create` or `resume`.

    A resumed one hears the whole run again, from its first step, and writes what is new. An exception that leaves the
    block keeps what was committed and, unless it came out of the blue (Ctrl-C) or from the disk, what was gathered.
    """

    def __init__(self, path: Path, domain: Domain[Any, Any, Any, Any], connection: sqlite3.Connection) -> None:
        self.path = path
        self.kept = 0
        """How many steps the file holds. Until the run gets beyond them nothing is written."""

        self._connection = connection
        self._action = domain.actions.format
        self._known: dict[tuple[str, str], int] = {}
        self._recent: dict[str, tuple[str, int]] = {}  # the last target of each prompt: no pair is made to look it up
        self._sealed: list[Row] = []
        self._first = 1
        self._transition = 0
        self._transitions: list[Transition] = []
        self._ids = array("I")
        self._pointers = array("q")
        self._numbers: dict[int, tuple[int, ...]] = {}
        self._text = 0
        self._looked = time.monotonic()
        self._due = self._looked + SECONDS
        self._stride = 1
        self._closed = False
        self.listen = self._listener()
        """The listener for the machine."""

    @classmethod
    def create(
        cls,
        path: Path,
        domain: Domain[Any, Any, Any, Any],
        manifest: Manifest,
    ) -> "Recorder":
        """A recorder into a new file; UsageError if something is at `path` already, StorageError if it can't be made.

        The file appears with its manifest in it, or not at all.
        """
        taken = next((other for end in ("", *SIBLINGS) if os.path.lexists(other := f"{path}{end}")), None)
        if taken is not None:
            raise UsageError(
                f"{taken} already exists", remedy="choose another file, or go on with that run by --resume"
            )
        try:
            with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as scratch:
                fresh = Path(scratch) / "run"
                with database.guarded(path), database.opened(fresh) as connection:
                    database.execute(
                        connection, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}"
                    )
                    connection.execute("BEGIN IMMEDIATE")
                    database.execute(connection, *TABLES.values())
                    connection.execute("INSERT INTO run VALUES (1, ?, NULL)", (manifest.to_json(),))
                    database.execute(connection, "COMMIT", database.TIDY)
                os.link(fresh, path)
            sync(path.parent)
        except FileExistsError:
            raise UsageError(f"{path} already exists", remedy="choose another file") from None
        except OSError as error:
            raise StorageError(f"can't write the run to {path}: {error.strerror}") from None
        return cls.resume(path, domain, manifest, 0)

    @classmethod
    def resume(
        cls,
        path: Path,
        domain: Domain[Any, Any, Any, Any],
        manifest: Manifest,
        kept: int,
    ) -> "Recorder":
        """A recorder into the file of a run that has not ended, which holds `kept` steps. The outcome is taken out.

        StorageError if another process writes to the file, or has done so since it was read.
        """
        with database.guarded(path):
            connection = database.connect(str(path))
            try:
                database.configure(connection)
                connection.execute("BEGIN IMMEDIATE")
                (found,) = connection.execute("SELECT coalesce(max(first + steps), 1) - 1 FROM chunk").fetchone()
                if found != kept:
                    raise StorageError(f"somebody else has written to {path} meanwhile", remedy="try it again")
                connection.execute("UPDATE run SET manifest = ?, outcome = NULL", (manifest.to_json(),))
                connection.execute("COMMIT")
            except BaseException:
                database.abandon(connection)
                raise
        recorder = cls(path, domain, connection)
        recorder.kept = kept
        return recorder

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, StorageError) or (kind is not None and not issubclass(kind, Exception)):
            database.abandon(self._connection)
        else:
            self.close()

    def flush(self) -> None:
        """Commit what has been gathered; StorageError if that can't be done, which ends this recorder."""
        self._write(None)

    def finish(self, outcome: Outcome, margins: Mapping[str, float | None] | None = None) -> None:
        """Commit the rest and the outcome, with the smallest margin of each model."""
        self._write(outcome_to_json(outcome, margins or {}))

    def close(self) -> None:
        """Commit what has been gathered, and close the file; nothing stays beside it. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
            with database.guarded(self.path):
                self._connection.execute(database.TIDY)
        finally:
            database.abandon(self._connection)

    @property
    def _steps(self) -> int:
        return self._first + len(self._ids) - 1

    def _listener(self) -> Listener:
        """Gathers the step that was just committed. Millions of them: what it needs is looked up once, and the clock is
        looked at after a new transition, and else after a few hundred quick steps or each slow one.
        """
        recent, ids, number_of, look = self._recent.get, self._ids, self._number, self._look
        keep, point, at = self._ids.append, self._pointers.append, 0

        def listen(record: StepRecord) -> None:
            nonlocal at
            target, number = recent(record.prompt, _NEVER)
            if target != record.target:
                number, new = number_of(record)
                if new:
                    at = 0
            if record.numbers is not None:
                self._numbers[record.step] = record.numbers
                self._text += 24 * len(record.numbers)
                at = 0
            keep(number)
            point(record.pointer)
            if len(ids) >= at:
                at = look()

        return listen

    def _look(self) -> int:
        """End the chunk, or commit, if it is time to; gives how long the chunk may grow until the next look."""
        if len(self._ids) >= chunk.STEPS or self._text >= chunk.TEXT:
            self._seal()
        now = time.monotonic()
        self._stride = min(2 * self._stride, _LONGEST_STRIDE) if now - self._looked < _QUICK else 1
        self._looked = now
        if now >= self._due:
            self.flush()
        return min(len(self._ids) + self._stride, chunk.STEPS)

    def _number(self, record: StepRecord) -> tuple[int, bool]:
        """The number of a transition that was not the last one of its prompt, and whether it is new."""
        prompt, target = record.prompt, record.target
        known = self._known.get((prompt, target))
        if known is None and len(self._known) >= REMEMBERED:
            self._known.clear()
            self._recent.clear()
        number = self._learn(prompt, target, record.actions) if known is None else known
        self._recent[prompt] = target, number
        return number, known is None

    def _learn(self, prompt: str, target: str, actions: tuple[Any, ...]) -> int:
        """Number a new transition."""
        number = self._known[prompt, target] = self._transition + len(self._transitions)
        transition = Transition(prompt, target, tuple(map(self._action, actions)))
        self._transitions.append(transition)
        self._text += len(prompt) + len(target) + sum(map(len, transition.actions))
        return number

    def _seal(self) -> None:
        """End a chunk."""
        if self._steps > self.kept:
            self._sealed.append(self._row())
        self._first += len(self._ids)
        self._transition += len(self._transitions)
        for gathered in (self._transitions, self._ids, self._pointers):
            del gathered[:]
        self._numbers.clear()
        self._text = 0

    def _row(self) -> Row:
        return chunk.pack(self._first, self._transition, self._transitions, self._ids, self._pointers, self._numbers)

    def _write(self, outcome: str | None) -> None:
        self._due = time.monotonic() + SECONDS
        if self._steps < self.kept or (self._steps == self.kept and outcome is None):
            return
        rows = [*self._sealed, *([self._row()] if self._ids else [])]
        with database.guarded(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            if outcome is not None:
                self._connection.execute("UPDATE run SET outcome = ?", (outcome,))
            self._connection.execute("COMMIT")
        self.kept = self._steps
        self._sealed.clear()
