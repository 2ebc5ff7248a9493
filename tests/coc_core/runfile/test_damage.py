"""Damaged and forged recordings are refused, or are what they say."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import attrs
import pytest

import coc_core
from coc_core.errors import ArtefactError, UsageError
from coc_core.runfile import chunk, writer
from coc_core.runfile.manifest import ending
from coc_core.runfile.writer import Recorder
from coc_core.types import Limits
from tests.support import damage
from tests.support.damage import check_recording, seal
from tests.support.recorded_runs import tape, tape_with_an_error
from tests.support.saved_runs import saved

USES = {
    "end": ("replay", "a/run", "--end", "--json"),
    "step": ("replay", "a/run", "--step", "3", "--json"),
}


def _with_log(path):
    """A run that was cut off, in two files: what was committed last is in the log beside it."""
    close = Recorder.close

    def copy_and_close(self):
        self.flush()
        for end in ("", "-wal"):
            shutil.copy(f"{self.path}{end}", f"{path}{end}")
        close(self)

    with mock.patch.object(Recorder, "close", copy_and_close):
        tape(path.parent.with_name("whole"), "tape", "inline", n=3, stop=7, ends=False)


MAKERS = {
    "hanoi on a stack": lambda path: saved(path, n=3),
    "hanoi on a tape, inline": lambda path: saved(path, "hanoi", "tape", "inline"),
    "hanoi with learned arithmetic": lambda path: tape(path, "tape", "learned", n=3),
    "wrong arithmetic": lambda path: tape_with_an_error(path, n=3),
    "pancake": lambda path: saved(path, "pancake", "tape", "inline", n=4, seed=1),
    "blocksworld-extended": lambda path: saved(path, "blocksworld-extended", "tape", "symbolic", n=4, seed=3),
    "a protocol fault": lambda path: saved(path, at=4, text="What?"),
    "an action fault": lambda path: saved(path, "pancake", "pda", "symbolic", n=4, seed=1, at=1, text="ACTION FLIP 9"),
    "interrupted": lambda path: saved(path, at=5),
    "cut off": lambda path: tape(path, n=5, domain="pancake", stop=2, ends=False),
    "with a log": _with_log,
    "a limit": lambda path: tape(path, "pda", n=3, limits=Limits(steps=6)),
}


class Recordings(damage.Kind):
    """Run files. An edit is of a document, or of the rows of chunks, whose blobs are unpacked."""

    whole = True

    def make(self, folder):
        for number, (name, maker) in enumerate(MAKERS.items()):
            place = folder / f"{number}"
            place.mkdir()
            maker(place / "run")
            yield name, {path.name: path.read_bytes() for path in place.iterdir()}

    def parts(self, files):
        with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "run")) as connection:
            for name, data in files.items():
                (Path(folder) / name).write_bytes(data)
            ((manifest, outcome),) = connection.execute("SELECT manifest, outcome FROM run").fetchall()
            rows = connection.execute("SELECT * FROM chunk ORDER BY first").fetchall()
        chunks = [[*row[:5], *(chunk.inflate(blob, 1 << 24).decode("latin-1") for blob in row[5:9])] for row in rows]
        lines = [[*row[:5], row[5].splitlines(), *row[6:8], row[8].splitlines()] for row in chunks]
        return {
            "manifest": manifest.encode(),
            "outcome": (outcome or "").encode(),
            "chunks": json.dumps(chunks).encode() if chunks else b"",
            "lines": json.dumps(lines).encode() if lines else b"",
        }

    def put(self, path, name, data, sealed):
        text = data.decode("utf-8", "replace")
        with closing(sqlite3.connect(path / "run", isolation_level=None)) as connection:
            if name in ("manifest", "outcome"):
                connection.execute(f"UPDATE run SET {name} = ?", (text or None,))
            else:
                self._put_chunks(connection, text)
            if sealed:
                with suppress(sqlite3.Error, TypeError):
                    seal(connection)

    def _put_chunks(self, connection, text):
        """Rows as far as they can be written at all."""
        connection.execute("DELETE FROM chunk")
        with suppress(ValueError, TypeError, AttributeError, sqlite3.Error, OverflowError):
            for row in json.loads(text):
                blobs = ["".join(f"{line}\n" for line in blob) if isinstance(blob, list) else blob for blob in row[5:]]
                packed = [chunk.deflate(blob.encode("latin-1")) for blob in blobs]
                connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row[:5], *packed, b""))

    def use(self, folder, genuine):
        uses = {name: self._printed(folder, words) for name, words in USES.items()}
        page = folder / "page.html"
        uses["view"] = None if damage.coc("view", folder / "a/run", "-o", page) is None else page.read_text()
        uses["load"] = self._load(folder)
        resumed = damage.coc("run", "--resume", folder / "a/run", "--json")
        uses["resume"] = None if resumed is None else self._load(folder)[0]
        return uses

    def _printed(self, folder, words):
        printed = damage.coc(*(folder / word if "/" in word else word for word in words))
        if printed is None:
            return None
        document = json.loads(printed)
        document.pop("run", None)
        if not document.get("verified", True):  # then the end of the run is said to be as recorded, and not believed
            del document["outcome"], document["steps"]
        return document

    def _load(self, folder):
        """What the run is, and what no machine can check."""
        try:
            run = coc_core.load_run(folder / "a" / "run")
            run.verify()
        except (ArtefactError, UsageError):
            return None
        manifest = attrs.asdict(run.recording.manifest)
        heads = [manifest.pop(name) for name in ("domain", "memory", "notation", "problem")]
        records = [(each.prompt, each.target, each.actions, each.pointer, each.numbers) for each in run.trace]
        assert list(run.plan) == [action for record in records for action in record[2]]
        outcome = run.outcome
        note = outcome and (outcome.model_calls, outcome.seconds, outcome.fault and outcome.fault.message)
        return [*heads, records, ending(outcome)], [manifest, note]

    def is_less(self, uses, genuine):
        """Whether it is the beginning of the genuine one, and says that it has not ended."""
        if uses["load"] is None:
            return False
        (*heads, records, end), (*others, all_records, _) = uses["load"][0], genuine.uses["load"][0]
        return heads == others and end is None and records == all_records[: len(records)]

    def check(self, folder, uses, genuine):
        differing = {name for name, found in uses.items() if found not in (None, genuine.uses[name])}
        check_recording(folder / "a" / "run", 3 if differing == {"step"} else None)


@pytest.mark.slow
def test_no_damaged_recording_is_believed(tmp_path, monkeypatch):
    for module, name, value in ((chunk, "MAX_STEPS", 4), (writer, "COMMIT_INTERVAL", 0.0), (writer, "_QUICK", 0.0)):
        monkeypatch.setattr(module, name, value)
    verdicts, wrong = damage.survey(Recordings(), tmp_path, 60)
    assert wrong == [], "\n".join(wrong)
    assert {"refused", "harmless", "true"} <= verdicts.keys()
