"""What is recorded is what happened, and a run that goes on comes to what it would have been."""

import errno
import sys
from array import array

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Replay, RunFile, chunk, database, is_finished, prepare_resume, writer
from coc_core.runfile.writer import Recorder
from coc_core.types import Fault, Limits, Outcome
from tests.support.for_each import for_each
from tests.support.recorded_runs import digest, go_on, stage, tape

PLACES = [("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"), ("tape", "learned")]


def test_only_steps_that_are_there_can_be_read(tmp_path):
    tape(tmp_path / "run", n=2)
    with RunFile.open(tmp_path / "run") as runfile:
        for wrong in (0, 5):
            with pytest.raises(ValueError, match="of a run with 4"):
                runfile.record(wrong)
        assert [found.step for found in runfile.records(2, 3)] == [2, 3]


@pytest.mark.parametrize(("memory", "arith"), PLACES)
def test_the_digest_does_not_depend_on_chunks_or_commits(tmp_path, monkeypatch, memory, arith):
    tape(tmp_path / "one", memory, arith)
    for steps in (1, 5):
        with monkeypatch.context() as patch:
            patch.setattr(chunk, "MAX_STEPS", steps)
            patch.setattr(chunk, "MAX_BYTES", 200 * steps)
            tape(tmp_path / f"run{steps}", memory, arith)
        assert digest(tmp_path / f"run{steps}") == digest(tmp_path / "one")


def test_an_interrupt_while_the_steps_are_taken_again_loses_none(tmp_path):
    tape(tmp_path / "run", stop=15)
    go_on(tmp_path / "run", stop=5)
    with RunFile.open(tmp_path / "run") as runfile:
        assert (runfile.steps, runfile.outcome.status) == (15, "interrupted")


@for_each(("stop", "steps"), [(0, 5), (3, 4), (4, 4), (4, 5), (4, 4096), (6, 5), (8, 4), (8, 4096)])
def test_a_file_with_other_chunks_is_continued_from_those_that_it_has(tmp_path, monkeypatch, steps, stop):
    tape(tmp_path / "whole", "tape", "inline")
    whole = digest(tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr(chunk, "MAX_STEPS", 4)
        tape(tmp_path / "run", "tape", "inline", stop=stop, ends=False)
    monkeypatch.setattr(chunk, "MAX_STEPS", steps)
    monkeypatch.setattr(writer, "COMMIT_INTERVAL", 0.0)
    go_on(tmp_path / "run")
    assert digest(tmp_path / "run") == whole


def test_no_model_is_called_for_recorded_steps(tmp_path):
    tape(tmp_path / "run", "tape", "inline", stop=20)
    outcome = go_on(tmp_path / "run")
    assert (outcome.status, outcome.model_calls) == ("solved", outcome.steps - 20)


def test_a_run_at_its_limit_continues_with_a_higher_one(tmp_path):
    tape(tmp_path / "whole", limits=Limits(steps=100))
    outcome = tape(tmp_path / "run", limits=Limits(steps=9))
    assert (outcome.status, outcome.fault.kind, outcome.steps) == ("fault", "limit", 9)
    with RunFile.open(tmp_path / "run") as runfile:
        assert is_finished(runfile.outcome, runfile.manifest)
        assert is_finished(runfile.outcome, runfile.manifest, 9)
        assert not is_finished(runfile.outcome, runfile.manifest, 100)
        with pytest.raises(UsageError, match="9 steps are recorded, but the limit would be 8"):
            prepare_resume(Registry.installed(), runfile, runfile.manifest.with_choices(8))
        Replay(Registry.installed(), runfile).verify()
    go_on(tmp_path / "run", most=100)
    assert digest(tmp_path / "run") == digest(tmp_path / "whole")
    with RunFile.open(tmp_path / "run") as runfile:
        assert runfile.manifest.limits.steps == 100


@pytest.mark.parametrize("kind", ["protocol", "loop"])
def test_other_faults_are_the_end(kind):
    outcome = Outcome("fault", 3, 0, Fault(4, kind, "so"))
    assert is_finished(outcome, None, 10**9)
    assert not is_finished(None, None)
    assert not is_finished(Outcome("interrupted", 3, 0), None)


def recorder_of(path, kept=None):
    setting, problem = stage()
    manifest = Manifest.of(setting, problem, setting.model("reference"), executor="cached", model="reference")
    if kept is None:
        return Recorder.create(path, setting.domain, manifest)
    return Recorder.resume(path, setting.domain, kept)


@pytest.mark.parametrize("name", ["run", "run-wal", "run-journal", "run-shm"])
def test_what_is_there_is_never_replaced(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=f"{name} already exists"):
        recorder_of(tmp_path / "run")
    assert (tmp_path / name).read_text() == "mine"


def test_what_the_disk_refuses_is_a_matter_of_storage(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(StorageError, match="No such file or directory"):
        recorder_of(tmp_path / "missing" / "run")
    monkeypatch.setattr(database.os, "link", full)
    with pytest.raises(StorageError, match=r"can't write the run to .*run: No space left on device"):
        recorder_of(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_numbers_have_their_least_significant_byte_first(monkeypatch):
    numbers = array("I", [1, 258])
    here = sys.byteorder
    found = {}
    for order in ("little", "big"):
        monkeypatch.setattr(sys, "byteorder", order)
        found[order] = chunk.little_endian(numbers)
    assert found[here] == b"\1\0\0\0\2\1\0\0"
    assert found["big" if here == "little" else "little"] == b"\0\0\0\1\0\0\1\2"
    assert numbers == array("I", [1, 258])
