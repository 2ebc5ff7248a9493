import io
import json
from argparse import Namespace

import pytest
from rich.console import Console

from coc_core.cli import console
from coc_core.cli.train import parse_override, parse_sizes
from coc_core.errors import UsageError


@pytest.fixture(autouse=True)
def fake_parts(with_plugins):
    with_plugins(("fake", "fake_parts"))


@pytest.fixture
def trained(coc, tmp_path):
    folder = tmp_path / "checkpoint"

    def run(*arguments, n="1-3"):
        return coc("train", "-d", "hanoi", "--model", "parrot", "--n", n, "--out", folder, *arguments)

    return Namespace(run=run, folder=folder)


def test_what_was_trained_is_reported(trained):
    done = trained.run("--holdout", 0.25)
    assert (done.code, done.err) == (0, "")
    assert f"{trained.folder}: 7 parameters, 2 steps in 0 s" in done.out
    assert "answered exactly: 10 of 10 training pairs, 0 of 3 held-out pairs" in done.out


def test_what_was_trained_is_a_checkpoint(trained, coc):
    assert trained.run("--holdout", 0).code == 0
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", trained.folder, "--json")
    assert (done.code, json.loads(done.out)["outcome"]) == (0, "solved")


def test_prompts_with_addresses_are_learned_too(trained):
    done = trained.run("--memory", "tape", "--arith", "inline", "--holdout", 0, n="1-4")
    assert "answered exactly: 37 of 37 training pairs" in done.out


def test_several_instances_of_a_size_are_drawn_from_those_for_training(coc, tmp_path):
    done = coc(
        "train", "-d", "pancake", "--model", "parrot", "-n", "6", "--instances", 9, "-o", tmp_path / "new", "--json"
    )
    assert json.loads(done.out)["train_pairs"] > 9


def test_the_report_may_be_a_document(trained):
    done = trained.run("--json", "--seed", 5)
    document = json.loads(done.out)
    assert document == {
        "checkpoint": str(trained.folder),
        "parameters": 7,
        "steps": 2,
        "seconds": 0.5,
        "train_exact": 12,
        "train_pairs": 12,
        "heldout_exact": 0,
        "heldout_pairs": 1,
    }
    assert json.loads((trained.folder / "config.json").read_text())["seed"] == 5


def test_the_progress_is_shown_on_a_terminal(trained, monkeypatch):
    screen = Console(file=io.StringIO(), force_terminal=True, width=120)
    monkeypatch.setattr(console, "err", lambda: screen)
    assert trained.run().code == 0
    assert "loss 0.5000, exact 100.0% seen, – held out" in screen.file.getvalue()


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("--holdout", 1), 2, "leaves nothing to train on"),
        (("--holdout", "nan"), 2, "leaves nothing to train on"),
        (("--preset", "huge"), 2, "unknown preset 'huge'"),
        (("--set", "lr"), 2, "--set 'lr' sets nothing; write it like --set lr=0.001"),
        (("--set", "full=1"), 5, "the disk is full"),
        (("--model", "reference"), 2, "the model 'reference' does not learn"),
        (("--model", "parot"), 2, "unknown model 'parot'; did you mean 'parrot'?"),
        (("--memory", "tape", "--arith", "inline", "--n", "1-40"), 2, "this problem takes 1,649,267,441,662 steps"),
        (("--instances", 0), 2, "0 is not in the range x>=1"),
        (("--n", "3-1"), 2, "the range of sizes '3-1' is empty"),
        (("--n", "0-3"), 2, "hanoi has no problem of size n=0"),
    ],
)
def test_bad_input_is_refused_in_one_line(refused, tmp_path, arguments, code, reason):
    given = {"--domain": "hanoi", "--model": "parrot", "--n": "1-3", "--out": tmp_path / "checkpoint"}
    given |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    assert reason in refused(code, "train", *(word for pair in given.items() for word in pair))
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.parametrize(("text", "sizes"), [("8", range(8, 9)), ("1-20", range(1, 21)), ("5-5", range(5, 6))])
def test_sizes_are_one_or_a_range(text, sizes):
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize("text", ["", "-", "1-", "-3", "1-2-3", "a", "1..3", " 1", "٣", "1_0", "1" * 17])
def test_what_is_no_range_of_sizes_is_refused(text):
    with pytest.raises(UsageError, match="is no range of sizes; write it like 8 or 1-20"):
        parse_sizes(text)


def test_an_override_is_a_name_and_a_value():
    assert parse_override("lr = 0.1") == ("lr", "0.1")
    assert parse_override("path=a=b") == ("path", "a=b")
    with pytest.raises(UsageError, match="sets nothing"):
        parse_override("=1")
