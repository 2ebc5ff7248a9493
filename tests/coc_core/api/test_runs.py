"""`coc.run` and `coc.load_run`."""

import gc
import json
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import ArtefactError, StorageError
from tests.support.for_each import for_each


def reference(**choices):
    """A run of hanoi with three disks and the reference model, unless told otherwise."""
    return coc.run(**{"domain": "hanoi", "n": 3, "model": "reference"} | choices)


def test_a_run_says_how_it_ended():
    run = reference()
    assert (run.status, run.solved, run.steps, run.fault) == ("solved", True, 10, None)
    assert (run.outcome.status, run.outcome.actions, run.outcome.model_calls) == ("solved", 7, 9)
    assert run.problem == "n=3 src=1 dst=3"
    assert run.setting.domain.is_goal(run.plan.problem, run.final_state)
    assert repr(run) == "<Run: hanoi n=3 on pda with symbolic arithmetic: solved, 10 steps, 7 actions>"


def test_numbers_that_were_wrong_are_recorded(with_plugins, tmp_path):
    with_plugins(("fake", "tests.support.fake_plugin"), ("faulty", "tests.broken.faulty_arithmetics"))
    run = reference(memory="tape", arith="learned", arith_model="reference")
    run.save(tmp_path / "run")
    assert coc.load_run(tmp_path / "run").digest == run.digest


def test_a_loaded_run_is_like_the_run(tmp_path):
    run = reference(save=tmp_path / "run")
    loaded = coc.load_run(str(tmp_path / "run"))
    assert (loaded.outcome, loaded.problem, loaded.digest) == (run.outcome, run.problem, run.digest)
    assert (list(loaded.plan), list(loaded.trace)) == (list(run.plan), list(run.trace))
    assert loaded.final_state == run.final_state
    (tmp_path / "run").unlink()  # it was read as a whole
    assert len(list(loaded.trace)) == 10


def test_what_is_no_run_file_is_refused(as_refused_by, tmp_path):
    (tmp_path / "bad").write_text("no run")
    as_refused_by(lambda: coc.load_run(tmp_path / "bad"), "diff", tmp_path / "bad", tmp_path / "bad")
    with pytest.raises(ArtefactError, match="No such file"):
        coc.load_run(tmp_path / "missing")


def test_each_step_is_heard():
    heard = []
    run = reference(on_step=lambda record: heard.append((record.step, record.prompt, record.after)))
    assert [(step, prompt) for step, prompt, _ in heard] == [(record.step, record.prompt) for record in run.trace]
    assert heard[-1][2] == run.final_state


def test_a_fault_is_data(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    run = reference(model="rogue")
    assert (run.status, run.solved, run.steps, len(run.plan)) == ("fault", False, 0, 0)
    assert run.fault.kind == run.outcome.fault.kind == "action"
    assert run.final_state == run.setting.domain.initial(run.plan.problem)
    assert "action fault at step 1" in run._repr_html_()
    assert repr(run.plan) == "<Plan: 0 actions: >"


def test_a_notebook_shows_the_puzzle_and_no_markup_of_others(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    shown = reference()._repr_html_()
    assert shown.startswith("<p><b>solved</b> hanoi n=3 on pda with symbolic arithmetic: 10 steps, 7 actions</p>")
    assert 'src="data:image/svg+xml;base64,' in shown
    assert "\x1b" not in reference(model="garbage")._repr_html_()


def test_a_problem_is_a_text_or_a_file(tmp_path):
    text = "n=2 src=3 dst=1"
    (tmp_path / "problem").write_text(text)
    for problem in (text, tmp_path / "problem", json.dumps({"n": 2, "src": 3, "dst": 1})):
        assert reference(n=None, problem=problem).problem == text


def test_what_is_there_is_not_replaced(as_refused_by, tmp_path):
    path = tmp_path / "run"
    path.write_text("mine")
    options = ["run", "-d", "hanoi", "--model", "reference", "--save"]
    as_refused_by(lambda: reference(save=path), *options, path)
    as_refused_by(lambda: reference().save(path), *options, path)
    as_refused_by(lambda: reference(save=tmp_path / "no" / "run"), *options, tmp_path / "no" / "run")
    with pytest.raises(StorageError):
        reference().save(tmp_path / "no" / "run")
    assert path.read_text("utf-8") == "mine"


@pytest.fixture
def cut_off(tmp_path):
    """The file of a run that an exception of its listener ended after four steps."""
    path = tmp_path / "cut.run"

    def stop(record):
        if record.step == 4:
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        reference(save=path, on_step=stop)
    return path


def test_a_run_that_was_cut_off_goes_on(cut_off):
    unfinished = coc.load_run(cut_off)
    assert (unfinished.status, unfinished.outcome, unfinished.steps) == ("unfinished", None, 4)
    assert (unfinished.fault, len(unfinished.plan)) == (None, len(list(unfinished.plan)))
    run = coc.run(resume=cut_off)
    assert (run.solved, run.digest) == (True, reference().digest)
    assert list(coc.load_run(cut_off).plan) == list(run.plan)


def test_a_run_that_has_ended_is_read(tmp_path):
    run = reference(save=tmp_path / "run")
    again = coc.run("hanoi", 3, resume=tmp_path / "run", on_step=lambda record: pytest.fail("a step was taken"))
    assert (again.outcome, again.digest) == (run.outcome, run.digest)


@for_each(
    ("choices", "options"),
    [
        ({"domain": "hanio"}, ["-d", "hanio"]),
        ({"n": "six"}, ["-d", "hanoi", "-n", "six"]),
        ({"max_steps": 0}, ["-d", "hanoi", "--max-steps", 0]),
        ({"device": "abacus", "model": None}, ["-d", "hanoi", "-n", 3, "--device", "abacus"]),
        ({"problem": Path("no/file")}, ["-d", "hanoi", "-n", 3, "--problem", "no/file"]),
        ({"plugins": "no_plugin.py"}, ["-d", "hanoi", "--plugin", "no_plugin.py"]),
        ({"resume": "no.run"}, ["--resume", "no.run"]),
        *(
            ({"resume": ..., "domain": None, "n": None, "model": None, **choices}, ["--resume", ..., *options])
            for choices, options in (
                ({"domain": "pancake"}, ["--domain", "pancake"]),
                ({"problem": "n=3 src=1 dst=3"}, ["--problem", "-"]),
                ({"save": "other"}, ["--save", "other"]),
                ({"model": "hanoi-pda"}, ["--model", "hanoi-pda"]),
                ({"max_steps": 2}, ["--max-steps", 2]),
            )
        ),
    ],
)
def test_bad_input_is_refused_in_the_words_of_the_command_line(as_refused_by, cut_off, choices, options):
    given = {name: cut_off if value is ... else value for name, value in choices.items()}
    as_refused_by(lambda: reference(**given), "run", *(cut_off if word is ... else word for word in options))


def test_what_is_not_as_it_was_is_a_warning(cut_off, monkeypatch):
    monkeypatch.setattr("coc_core.runfile.manifest.platform.python_version", lambda: "2.7")
    with pytest.warns(UserWarning, match="the run was recorded with python .*, and continues with") as caught:
        coc.run(resume=cut_off)
    assert Path(caught[0].filename) == Path(__file__)


def test_a_run_that_is_gone_leaves_nothing_open():
    run = reference()
    connection = run.recording._connection
    del run
    gc.collect()
    with pytest.raises(Exception, match="closed"):
        connection.execute("SELECT 1")


def test_a_plan_and_a_trace_can_be_read_when_the_run_is_gone():
    plan, trace = reference().plan, reference().trace
    gc.collect()
    assert list(plan) == [action for step in trace for action in step.actions]


def test_a_page_shows_the_run_as_the_command_line_does(coc, tmp_path):
    run = reference(save=tmp_path / "run")
    run.view(tmp_path / "ours.html")
    assert coc("view", tmp_path / "run", "-o", tmp_path / "theirs.html").code == 0
    assert (tmp_path / "ours.html").read_text("utf-8") == (tmp_path / "theirs.html").read_text("utf-8")
    run.view(str(tmp_path / "ours.html"), 3, last=5)
    assert coc("view", tmp_path / "run", "-o", tmp_path / "theirs.html", "--from", 3, "--to", 5).code == 0
    assert (tmp_path / "ours.html").read_text("utf-8") == (tmp_path / "theirs.html").read_text("utf-8")


def test_a_page_that_can_t_be_written_is_refused(as_refused_by, tmp_path):
    path, page = tmp_path / "run", tmp_path / "page"
    run = reference(save=path)
    as_refused_by(lambda: run.view(path), "view", path, "-o", path)
    as_refused_by(lambda: run.view(page, 11), "view", path, "-o", page, "--from", 11)
    as_refused_by(lambda: run.view(page, last=-1), "view", path, "-o", page, "--to", -1)
    as_refused_by(lambda: run.view(page, 5, 4), "view", path, "-o", page, "--from", 5, "--to", 4)
    as_refused_by(lambda: run.view(page, "x"), "view", path, "-o", page, "--from", "x")
    as_refused_by(lambda: run.view(tmp_path / "no" / "page"), "view", path, "-o", tmp_path / "no" / "page")
    assert not page.exists()


@pytest.fixture
def known_sizes(monkeypatch):
    """The shipped models say that they were trained with two and three disks."""
    from coc_core import setting

    opened = setting.open_checkpoint

    def opener(*arguments):
        model = opened(*arguments)
        model.trained_sizes = range(2, 4)
        return model

    monkeypatch.setattr(setting, "open_checkpoint", opener)


def test_a_size_that_the_model_was_not_trained_on_is_a_warning(known_sizes):
    with pytest.warns(UserWarning, match=r"the model was trained on n=2-3; n=1 is outside that range"):
        coc.run("hanoi", 1)
    with pytest.warns(UserWarning, match=r"n=1,4 is outside that range"):
        coc.evaluate("hanoi", [1, 2, 4])
