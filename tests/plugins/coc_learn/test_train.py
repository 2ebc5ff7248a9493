"""`coc.train`."""

import json
from functools import partial

import pytest

import coc_core as coc
from coc_core.errors import UsageError
from tests.support.for_each import for_each

TRANSFORMER = ["-d", "hanoi", "-n", 2, "--model", "transformer", "--device", "abacus"]


pytestmark = pytest.mark.usefixtures("fakes")


@pytest.fixture
def train(tmp_path):
    return partial(coc.train, model="parrot", out=tmp_path / "new")


@pytest.fixture
def jobs(monkeypatch):
    """The jobs that the backend is given."""
    from tests.support.fake_plugin import ParrotTrainer

    given, real = [], ParrotTrainer.train
    monkeypatch.setattr(ParrotTrainer, "train", lambda self, job, report: given.append(job) or real(self, job, report))
    return given


def test_a_checkpoint_is_made_and_runs(train, tmp_path):
    heard = []
    trained = train("hanoi", range(1, 4), holdout=0, on_progress=heard.append)
    assert (trained.folder, trained.report.heldout_pairs) == (str(tmp_path / "new"), 0)
    assert heard
    assert coc.run("hanoi", 3, model=trained.folder).solved


def test_the_command_line_trains_on_the_same_pairs(train, coc, tmp_path):
    options = ["-d", "hanoi", "-n", "1-2,4", "-m", "pda", "-m", "tape", "--holdout-by", "instances", "--seed", 5]
    done = coc("train", "--model", "parrot", *options, "-o", tmp_path / "cli", "--json")
    ours = train("hanoi", [1, 2, 4], memory=["pda", "tape"], holdout_by="instances", seed=5).report
    theirs = json.loads(done.out)
    assert [getattr(ours, name) for name in ("train_pairs", "heldout_pairs")] == [
        theirs[name] for name in ("train_pairs", "heldout_pairs")
    ]


def test_all_prompts_of_a_finite_list_are_learned_by_default(train, jobs, monkeypatch, tmp_path):
    from tests.support.fake_plugin import ParrotTrainer

    monkeypatch.setattr(ParrotTrainer, "presets", lambda _: {"small": "", "program": ""})
    chosen = [{}, {"preset": "small"}, {"holdout": 0.3}]
    held = [
        train("sort", 2, memory="heap", out=tmp_path / f"{number}", **each).report.heldout_pairs > 0
        for number, each in enumerate(chosen)
    ]
    train("hanoi", 2)
    assert [job.preset for job in jobs] == ["program", "small", "program", "small"]
    assert held == [False, True, True]


def test_hyperparameters_come_from_python_and_the_command_can_be_pasted(train, jobs, tmp_path):
    chosen = {"lr": 0.25, "tokens": "characters", "x": True}
    train("hanoi", range(1, 3), arith=("symbolic", "inline"), out=tmp_path / "model", hyperparameters=chosen)
    (job,) = jobs
    assert job.overrides == {"lr": "0.25", "tokens": "characters", "x": "true"}
    out = str(tmp_path / "model")  # a text, also for a path
    assert job.command.startswith(f"coc.train(domain='hanoi', sizes=range(1, 3), out={out!r}, arith=['symbolic', 'inl")
    assert "on_progress" not in job.command


@for_each(
    ("choices", "options"),
    [
        ({}, []),
        ({"domain": "hanio"}, ["-d", "hanio"]),
        ({"domain": "hanoi", "sizes": "x"}, ["-d", "hanoi", "-n", "x"]),
        ({"domain": "hanoi", "sizes": 99}, ["-d", "hanoi", "-n", 99]),
        ({"domain": "hanoi", "memory": "taep"}, ["-d", "hanoi", "-m", "taep"]),
        ({"domain": "hanoi", "arith": ["none"]}, ["-d", "hanoi", "-a", "none"]),
        ({"domain": "hanoi", "instances": 0}, ["-d", "hanoi", "--instances", 0]),
        ({"domain": "hanoi", "near_goal": -1}, ["-d", "hanoi", "--near-goal", -1]),
        ({"domain": "hanoi", "preset": "large"}, ["-d", "hanoi", "--preset", "large"]),
        ({"domain": "hanoi", "model": "reference"}, ["-d", "hanoi", "--model", "reference"]),
        ({"domain": "hanoi", "model": "nobody"}, ["-d", "hanoi", "--model", "nobody"]),
        ({"domain": "hanoi", "holdout": 1.0}, ["-d", "hanoi", "--holdout", 1.0]),
        ({"data": "no/dataset"}, ["--data", "no/dataset"]),
        ({"domain": "hanoi", "sizes": 2, "model": "transformer", "device": "abacus"}, TRANSFORMER),
        ({"data": ["no/dataset"], "sizes": 3}, ["--data", "no/dataset", "-n", 3]),
        ({"domain": "hanoi", "hyperparameters": ["=1"]}, ["-d", "hanoi", "--set", "=1"]),
        ({"domain": "hanoi", "holdout_by": "size"}, ["-d", "hanoi", "--holdout-by", "size"]),
    ],
)
def test_bad_input_is_refused_in_the_words_of_the_command_line(as_refused_by, tmp_path, train, choices, options):
    model = [] if "--model" in options else ["--model", "parrot"]
    as_refused_by(lambda: train(**choices), "train", "-o", tmp_path / "new", *model, *options)
    assert not (tmp_path / "new").exists()


def test_what_is_there_is_looked_at_before_any_pair_is_written(train, tmp_path, monkeypatch, as_refused_by):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "mine").write_text("mine")
    monkeypatch.setattr("coc_learn.sources.PairSource.sets", lambda pairs: pytest.fail("pairs were written"))
    options = ["--model", "parrot", "-d", "hanoi", "-o", tmp_path / "new"]
    as_refused_by(lambda: train("hanoi"), "train", *options)
    assert (tmp_path / "new" / "mine").read_text() == "mine"


def test_other_hyperparameters_are_refused(train):
    with pytest.raises(UsageError, match=r"hyperparameters: 'steps' is of type list"):
        train("hanoi", hyperparameters={"steps": [1]})
