"""`coc run --save` and `--resume`."""

import json
import re
import shlex
import signal

import pytest

from coc_core.models import Model
from coc_core.runfile import RunFile


@pytest.fixture(autouse=True)
def fake_parts(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run"


@pytest.fixture
def save(coc, path):
    """`coc run --save` of hanoi with 4 disks and the reference model, unless told otherwise."""

    def saved(*arguments, n=4, model="reference"):
        return coc("run", "-d", "hanoi", "-n", n, "--model", model, "--save", path, *arguments)

    return saved


@pytest.fixture
def interrupted(save, monkeypatch):
    """Saves a run with Ctrl-C at the step before the last but some."""

    def cut(step, *arguments):
        from coc_puzzles.hanoi.domain import Hanoi

        legal, count = Hanoi.apply, iter(range(1, 1000))

        def apply(self, state, action):
            if next(count) == step:
                signal.raise_signal(signal.SIGINT)
            return legal(self, state, action)

        with monkeypatch.context() as patch:
            patch.setattr(Hanoi, "apply", apply)
            return save(*arguments)

    return cut


def test_a_saved_run_says_where_and_what(save, path):
    done = save("--json")
    document = json.loads(done.out)
    assert (done.code, document["save"], document["replayed"]) == (0, str(path), 0)
    with RunFile.open(path) as runfile:
        assert document["digest"] == runfile.digest()
        assert runfile.manifest.model == "reference"
        assert runfile.steps == 22
    assert [other.name for other in path.parent.iterdir()] == ["run"]


def test_an_interrupted_run_goes_on(interrupted, coc, path, save):
    done = interrupted(5, "--json")
    assert (done.code, json.loads(done.out)["outcome"]) == (130, "interrupted")
    words = ["-d", "hanoi", "-m", "pda", "-a", "symbolic", "-n", 4, "--seed", 0, "-x", "auto", "--model", "reference"]
    done = coc("run", "--resume", path, "--json", *words, "--max-steps", 1000)  # which say the same
    document = json.loads(done.out)
    assert (done.code, done.err, document["outcome"]) == (0, "", "solved")
    assert 0 < document["replayed"] < document["steps"]
    path.rename(path.with_name("first"))
    assert json.loads(save("--json").out)["digest"] == document["digest"]


def test_an_interrupted_run_says_how_to_go_on(interrupted, coc, path, tmp_path):
    plan = tmp_path / "the plan"
    done = interrupted(5, "--plan", plan)
    command = shlex.split(done.out.rpartition("to go on: ")[2])
    assert command == ["coc", "run", "--resume", str(path), "--plan", str(plan)]
    done = coc(*command[1:])
    assert (done.code, len(plan.read_text("utf-8").splitlines())) == (0, 15)


def test_without_a_file_an_interrupted_run_says_what_to_do(coc, monkeypatch):
    from coc_puzzles.hanoi.domain import Hanoi

    monkeypatch.setattr(
        Hanoi, "apply", lambda *given, legal=Hanoi.apply: signal.raise_signal(signal.SIGINT) or legal(*given)
    )
    done = coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "-x", "sequential", "--max-steps", 999)
    assert (done.code, "a run with --save FILE can be continued" in done.out) == (130, True)


def test_the_rate_of_a_resumed_run_is_of_the_steps_that_are_new(interrupted, coc, path, monkeypatch):
    monkeypatch.setattr("coc_core.cli.solve.report.speed", lambda steps, _: f"rate over {steps} steps")
    interrupted(5)
    done = coc("run", "--resume", path)
    found = re.search(r"22 steps, .*; (\d+) recorded before, (\d+) new; rate over (\d+) steps", done.out)
    assert int(found[1]) + int(found[2]) == 22
    assert found[2] == found[3]


def test_a_finished_run_says_so(save, coc, path):
    first = json.loads(save("--json").out)
    done = coc("run", "--resume", path)
    assert done.code == 0
    assert "solved" in done.out
    assert "has ended already: 22 steps, 15 actions" in "".join(done.out.splitlines())
    again = json.loads(coc("run", "--resume", path, "--json").out)
    assert again["digest"] == first["digest"]
    assert {key: first[key] for key in again if key != "replayed"} == {
        key: again[key] for key in again if key != "replayed"
    }


def test_a_run_that_ended_with_a_fault_ends_with_it_again(save, coc, path):
    assert save(model="rogue").code == 1
    done = coc("run", "--resume", path)
    assert (done.code, done.err) == (1, "")
    assert "action fault at step" in done.out
    assert json.loads(coc("run", "--resume", path, "--json").out)["fault"]["kind"] == "action"


def test_a_folder_is_remembered_by_its_whole_path(tmp_path, monkeypatch):
    from coc_core.api.job import _lasting

    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    assert _lasting("model") == str(tmp_path / "model")
    assert _lasting("./other") == str(tmp_path / "other")
    assert (_lasting("reference"), _lasting(None)) == ("reference", None)


@pytest.mark.parametrize("arith", ["symbolic", "learned"])
def test_a_resumed_run_calls_its_model_as_before_and_writes_its_plan_from_the_beginning(
    interrupted, coc, path, monkeypatch, arith
):
    words = ["-m", "tape", "-a", arith, *(["--arith-model", "reference"] if arith == "learned" else [])]
    assert interrupted(5, "--deterministic", *words).code == 130
    unbatched = []
    complete = Model.complete

    def watched(self, prompts, drafts=None):
        unbatched.append(self.unbatched)
        return complete(self, prompts, drafts)

    monkeypatch.setattr(Model, "complete", watched)
    plan, whole = path.with_name("plan"), path.with_name("whole")
    assert coc("run", "--resume", path, "--plan", plan).code == 0
    assert set(unbatched) == {True}
    assert coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "--plan", whole).code == 0
    assert plan.read_text() == whole.read_text()
    with RunFile.open(path) as runfile:
        assert runfile.manifest.records["model"]["calls"] == "unbatched"
