import io
import json
import shutil
import sys
from argparse import Namespace
from hashlib import sha256

import pytest
from attrs import evolve

from coc_core.cli import failures
from coc_learn.datasets import Dataset
from tests.support.fake_plugin import ParrotTrainer

pytestmark = pytest.mark.usefixtures("fakes")


@pytest.fixture
def trained(coc, tmp_path):
    folder = tmp_path / "checkpoint"

    def run(*arguments, n="1-3"):
        return coc("train", "-d", "hanoi", "--model", "parrot", "--n", n, "--out", folder, *arguments)

    return Namespace(run=run, folder=folder)


def test_an_interrupted_training_says_how_to_go_on(trained, monkeypatch):
    """If there is a snapshot to go on from."""

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ParrotTrainer, "train", interrupt)
    monkeypatch.setattr(sys, "argv", ["coc", "train", "-d", "hanoi", "--out", "my model"])
    assert trained.run().err == "coc: error: interrupted\n"
    trained.folder.with_name(f"{trained.folder.name}.training").mkdir()
    done = trained.run()
    assert (done.code, done.err.splitlines()) == (
        130,
        ["coc: note: to go on: coc train -d hanoi --out 'my model' --resume", "coc: error: interrupted"],
    )


def test_the_command_of_a_certificate_names_the_memory_that_was_trained(coc, tmp_path, monkeypatch):
    monkeypatch.setattr(ParrotTrainer, "presets", lambda self: {"small": "", "program": "by heart"})
    folder = tmp_path / "model"
    words = ("-d", "blocksworld", "-m", "heap")
    out = coc("train", *words, "--model", "parrot", "-o", folder).out
    rest = "-n 1 --instances 1 --split all -o blocksworld.certificate"
    assert out.splitlines()[-1] == f"to certify it: coc certify {' '.join(words)} --model {folder} {rest}"


def test_what_was_trained_and_why_it_is_not_exact_is_said_in_a_few_lines(trained, monkeypatch):
    done = trained.run("--holdout", 0.25, "--holdout-by", "pairs")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"{trained.folder}: 7 parameters, 2 steps in 500 ms",
        "  exact targets: 10 of 10 training pairs, 0 of 3 held-out pairs",
        "  3 held-out pairs not exact: training did not see them; --holdout 0 learns all pairs",
    ]
    shutil.rmtree(trained.folder)
    assert "not exact" not in trained.run("--holdout", 0).out
    shutil.rmtree(trained.folder)
    train = ParrotTrainer.train
    monkeypatch.setattr(ParrotTrainer, "train", lambda *job: evolve(train(*job), train_exact=12))
    line = "  1 training pair not exact: take more steps than 2, by --set steps=N\n"
    assert line in trained.run("--holdout", 0).out


def test_the_model_is_tested_on_further_sizes(trained, coc):
    done = trained.run("--holdout", 0, "--test-n", "2,4", n="1-3")
    assert (
        "  hanoi/stack, n=2: all of 4 targets exact; n=4: 11 of 15 targets wrong (1 problem of each size)\n" in done.out
    )
    tested = config_of(trained.folder)["tested"]["hanoi/stack"]
    assert tested == [{"n": n, "problems": 1, "pairs": pairs, "exact": 4} for n, pairs in ((2, 4), (4, 15))]
    note = "the model was trained on n=1-3; n=4 is outside that range; tests of n=4 found wrong targets"
    assert f"coc: note: {note}\n" in coc("run", "-d", "hanoi", "-n", 4, "--model", trained.folder).err


def config_of(folder):
    return json.loads((folder / "config.json").read_text())


def test_several_settings_are_several_dialects(trained):
    words = ("-m", "pda", "-m", "tape", "-a", "symbolic", "-a", "inline", "--holdout", 0.5, "--json", "--resume")
    done, config = json.loads(trained.run(*words).out), config_of(trained.folder)
    assert config["dialects"] == ["hanoi/stack", "hanoi/linked/symbolic", "hanoi/linked/numeric"]
    assert config["sources"] == [f"{name}, n=1-3, hold-out 50% of the steps, seed 0" for name in config["dialects"]]
    assert config["sizes"] == {dialect: [1, 3] for dialect in config["dialects"]}
    assert config["resume"] is True
    assert done["train_pairs"] + done["heldout_pairs"] == 13 + 13 + (1 + 4 + 10)


def test_each_dialect_is_held_out_by_the_same_seed(trained, coc, tmp_path):
    trained.run("-m", "pda", "-m", "tape", "--holdout", 0.5, "--seed", 3)
    answers = json.loads((trained.folder / "answers.json").read_text())
    for memory, dialect in (("pda", "hanoi/stack"), ("tape", "hanoi/linked/symbolic")):
        folder = tmp_path / memory
        coc("data", "build", "-d", "hanoi", "-m", memory, "-n", "1-3", "--holdout", 0.5, "--seed", 3, "-o", folder)
        assert list(answers[dialect].items()) == [pair for _, pair in Dataset.open(folder).rows()]


@pytest.fixture
def dataset(coc, tmp_path):
    def build(name, n, domain="hanoi", memory="pda"):
        chosen = ("-d", domain, "-m", memory, "-n", n, "--holdout", 0.5, "--holdout-by", "pairs")
        done = coc("data", "build", *chosen, "-o", tmp_path / name)
        assert done.code == 0, done.err
        return tmp_path / name

    return build


def learn(*data):
    return ("train", "--model", "parrot", *(word for folder in data for word in ("--data", folder)))


def test_datasets_are_learned(coc, dataset, tmp_path):
    one, two = dataset("one", "1-3"), dataset("two", "1-4", memory="tape")
    done = coc(*learn(one, two), "-o", tmp_path / "new", "--json")
    assert (done.code, done.err) == (0, "")
    report, config = json.loads(done.out), config_of(tmp_path / "new")
    assert (report["train_pairs"], report["heldout_pairs"]) == (7 + 12, 6 + 12)
    assert config["dialects"] == ["hanoi/stack", "hanoi/linked/symbolic"]
    digest = sha256((one / "card.json").read_bytes()).hexdigest()
    assert config["sources"][0] == f"one, card.json of SHA-256 {digest}"
    for memory in ("pda", "tape"):
        assert coc("run", "-d", "hanoi", "-m", memory, "-n", 3, "--model", tmp_path / "new").code == 0


def test_datasets_of_one_dialect_and_broken_ones_are_refused(refused, dataset, tmp_path):
    one, two, other = dataset("one", "1-3"), dataset("two", "1-3", memory="tape"), dataset("other", "4")
    line = refused(2, *learn(one, other), "-o", tmp_path / "new")
    assert "two datasets are of hanoi/stack; build one with the problems of both" in line
    (two / "heldout.jsonl.gz").write_bytes((two / "train.jsonl.gz").read_bytes())
    line = refused(3, *learn(one, two), "-o", tmp_path / "new")
    assert "heldout.jsonl.gz, line 1: the prompt is not held out: it is also in training" in line
    assert "card.json: No such file" in refused(3, *learn(tmp_path), "-o", tmp_path / "new")


def test_what_earlier_trainings_mean_for_the_pairs_is_reported(trained, tmp_path):
    done = trained.run("--init", tmp_path, "--holdout", 0.25, "--set", "known=3", "--set", "complete=0")
    assert done.out.splitlines()[3:] == [
        "  3 pairs held out but not counted, because the steps were learned in another dialect or with other names",
        "  no pair counts as held out, since the training did not begin with new weights",
    ]


def test_the_report_may_be_a_document(trained):
    document = json.loads(trained.run("--json", "--seed", 5, "--holdout-by", "pairs").out)
    counts = {"train_exact": 12, "train_pairs": 12, "heldout_exact": 0, "heldout_pairs": 1, "known": 0}
    counts |= {"parameters": 7, "steps": 2, "seconds": 0.5, "complete": True, "tested": {}}
    assert document == {"checkpoint": str(trained.folder)} | counts
    assert config_of(trained.folder)["seed"] == 5


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_of_several_processes_only_the_first_one_speaks(trained, monkeypatch, options):
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    for rank, told in (("1", False), ("0", True)):
        monkeypatch.setenv("RANK", rank)
        done = trained.run(*options)
        assert (done.code, bool(done.out), bool(screen.getvalue())) == (0, told, told)
        shutil.rmtree(trained.folder)


def test_an_error_of_several_processes_is_told_once(trained, monkeypatch):
    for rank, told in (("0", True), ("1", False), ("12", False), ("-1", True)):
        monkeypatch.setenv("RANK", rank)
        for words, code in ((("--preset", "huge"), 2), (("--set", "full=1"), 5), (("--nom", 1), 2)):
            done = trained.run(*words)
            assert (done.code, done.out, bool(done.err)) == (code, "", told)


def test_what_broke_in_one_process_is_told_by_it(trained, monkeypatch):
    monkeypatch.setattr("tests.support.fake_plugin.TrainingProgress", lambda *given: 1 / 0)
    monkeypatch.setenv("RANK", "1")
    done = trained.run()
    assert (done.code, done.out) == (70, "")
    assert "ZeroDivisionError" in done.err
    assert done.err.endswith("coc: error: this is a bug in coc; please report it with the lines above\n")
    monkeypatch.setattr(failures, "plugin_at_fault", lambda error: "'rogue' of stranger")
    done = trained.run()
    assert done.err == "coc: error: the plugin 'rogue' of stranger raised ZeroDivisionError: division by zero\n"
