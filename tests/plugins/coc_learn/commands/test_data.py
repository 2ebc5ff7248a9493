"""`coc data`: build, verify, show."""

import gzip
import hashlib
import io
import json

import pytest
from rich.console import Console

from coc_core.cli import console
from coc_learn.commands.data import _without_workers
from tests.support.checksums import seal
from tests.support.for_each import for_each
from tests.support.terminal_interrupts import interrupted

CHOICES = ("--domain", "hanoi", "--n", "1-4", "--holdout", 0.5, "--holdout-by", "pairs")


@pytest.fixture
def dataset(coc, tmp_path):
    done = coc("data", "build", *CHOICES, "--out", tmp_path / "it")
    assert (done.code, done.err) == (0, "")
    return tmp_path / "it"


def test_what_was_built_is_reported(coc, tmp_path):
    done = coc("data", "build", "-d", "hanoi", "-m", "tape", "-a", "inline", "-n", "1-5", "-o", tmp_path / "it")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"{tmp_path / 'it'}: 66 training pairs, 17 held-out pairs of hanoi/linked/numeric\n"
        "  n=1-5, hold-out 15% of the steps, seed 0\n"
    )


def test_the_report_may_be_the_card(coc, tmp_path):
    done = coc(
        "data", "build", "-d", "pancake", "-n", 6, "--instances", 4, "--holdout-by", "instances", "--holdout", 0.25,
        "--enumerated", 2, "--near-goal", 3, "--seed", 7, "-o", tmp_path / "it", "--json",
    )  # fmt: skip
    found = json.loads(done.out)
    card = json.loads((tmp_path / "it" / "card.json").read_text())
    assert found == {"dataset": str(tmp_path / "it"), **card}
    assert (card["holdout_by"], card["holdout"], card["seed"]) == ("instances", 0.25, 7)
    assert (card["instances"], card["enumerated"], card["near_goal"]) == (4, 2, 3)
    assert all(file["pairs"] for file in card["files"].values())


def test_what_was_built_is_verified(coc, dataset):
    done = coc("data", "verify", dataset)
    assert (done.code, done.err) == (0, "")
    heading, rest = done.out.splitlines()
    assert heading == f"{dataset}: 12 training pairs, 12 held-out pairs of hanoi/stack"
    assert rest.startswith("  each target is the reference model's, and the rows are those that the card lists; ")
    found = json.loads(coc("data", "verify", dataset, "--json").out)
    assert found.pop("seconds") >= 0
    assert len(found.pop("sha256")) == 64
    assert found == {
        "dataset": str(dataset),
        "verified": True,
        "dialect": "hanoi/stack",
        "train_pairs": 12,
        "heldout_pairs": 12,
    }


def test_the_card_and_some_pairs_are_shown(coc, dataset):
    done = coc("data", "show", dataset, "--rows", 1)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert "dialect           hanoi/stack" in lines
    assert any(line.startswith("train.jsonl.gz    12 pairs, ") for line in lines)
    assert "train.jsonl.gz, line 1" in lines
    assert "heldout.jsonl.gz, line 1" in lines
    assert "train.jsonl.gz, line 2" not in lines
    assert sum(line.startswith("  prompt  INSTR ") for line in lines) == 2


def test_what_is_shown_may_be_a_document(coc, dataset):
    found = json.loads(coc("data", "show", dataset, "--json").out)
    assert found["card"] == json.loads((dataset / "card.json").read_text())
    assert {half: [sorted(pair) for pair in pairs] for half, pairs in found["pairs"].items()} == {
        "train": 2 * [["prompt", "target"]],
        "heldout": 2 * [["prompt", "target"]],
    }


def test_what_is_shown_can_do_nothing_to_a_terminal(coc, dataset):
    card = json.loads((dataset / "card.json").read_text())
    row = json.dumps({"prompt": "\x1b[2Ja\rb", "target": "[red]c\nd\u202e"}).encode() + b"\n"
    (dataset / "train.jsonl.gz").write_bytes(gzip.compress(row))
    card["command"] = "\x1b]0;owned\x07"
    card["files"]["train.jsonl.gz"] |= {"pairs": 2, "bytes": 2 * len(row)}
    (dataset / "card.json").write_text(json.dumps(card))
    seal(dataset)
    done = coc("data", "show", dataset, "--rows", 1)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "  prompt  \\x1b[2Ja\\rb\n  target  [red]c\n          d\\u202e\n" in done.out
    assert "command           \\x1b]0;owned\\x07\n" in done.out


def test_progress_is_shown_on_a_terminal(coc, dataset, monkeypatch):
    screen = Console(file=io.StringIO(), force_terminal=True, width=120)
    monkeypatch.setattr(console, "err", lambda: screen)
    assert coc("data", "verify", dataset).code == 0
    assert coc("data", "build", *CHOICES, "-o", dataset).code == 0
    text = screen.file.getvalue()
    assert "24 of 24 computed again" in text
    assert "writing pairs" in text
    assert "24 so far" in text


@pytest.mark.parametrize("verb", ["verify", "show"])
def test_a_broken_dataset_is_refused_in_one_line(refused, dataset, verb):
    path = dataset / "train.jsonl.gz"
    path.write_bytes(path.read_bytes()[:30])
    line = refused(3, "data", verb, dataset, "--json")
    assert line == f"coc: error: {path}, line 1: the file is cut off\n"
    (dataset / "card.json").unlink()
    assert "card.json: No such file or directory" in refused(3, "data", verb, dataset)


def test_a_target_that_the_reference_model_does_not_write_is_named(refused, dataset, coc):
    found = json.loads(coc("data", "show", dataset, "--json").out)
    wrong = found["pairs"]["train"][1]["target"]
    path = dataset / "train.jsonl.gz"
    data = gzip.decompress(path.read_bytes())
    lines = data.splitlines(keepends=True)
    lines[1] = lines[1].replace(wrong[-1].encode() + b'"}', b'9"}')
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert f"{path}, line 2: the target is " in refused(3, "data", "verify", dataset)


def test_without_a_verb_the_help_is_printed(coc):
    done = coc("data")
    assert done.code == 2
    assert all(verb in done.out for verb in ("build", "verify", "show"))


@pytest.fixture
def empty(dataset):
    """A dataset whose files hold no pair, with a card that says so."""
    card = json.loads((dataset / "card.json").read_text())
    for name in card["files"]:
        data = gzip.compress(b"", mtime=0)
        (dataset / name).write_bytes(data)
        card["files"][name] = {"pairs": 0, "bytes": 0, "sha256": hashlib.sha256(b"").hexdigest()}
    (dataset / "card.json").write_text(json.dumps(card))
    seal(dataset)
    return dataset


def test_a_dataset_without_pairs_is_not_verified(refused, empty):
    assert "holds no pairs" in refused(3, "data", "verify", empty)
    assert "holds no pairs" in refused(3, "data", "verify", empty, "--json")


def test_a_model_is_not_exact_on_no_pairs(refused, empty):
    arguments = ("eval", "-d", "hanoi", "--model", "reference", "--exactness", "--no-runs", "--data", empty)
    assert "there is no pair to check" in refused(2, *arguments)


@pytest.mark.parametrize(
    "words",
    [
        ("--jobs", "2"),
        ("--jobs=2", "--engine=dask"),
        ("-j", "2", "--engine", "dask", "--engine-address", "tcp://here:1"),
        ("-j16",),
    ],
)
def test_the_card_does_not_say_where_the_pairs_were_written(words):
    assert [*_without_workers(["data", "build", *words, "-o", "it"])] == ["data", "build", "-o", "it"]
    assert [*_without_workers(["data", "build", "-o", "it", *words])] == ["data", "build", "-o", "it"]


def test_an_option_without_its_value_is_the_last_word():
    assert [*_without_workers(["-o", "it", "--jobs"])] == ["-o", "it"]


@pytest.mark.slow
def test_workers_build_the_same_dataset(coc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("data", "build", "-d", "pancake", "-m", "tape", "-n", "3-6", "--instances", 40, "-o", "it", "--json")
    found = []
    for more in ((), ("--jobs", 1), ("-j2", "--engine", "processes")):
        monkeypatch.setattr("sys.argv", ["coc", *map(str, words), *map(str, more)])
        done = coc(*words, *more)
        assert done.code == 0, done.err
        found.append((done.out, {path.name: path.read_bytes() for path in (tmp_path / "it").iterdir()}))
    assert found[1:] == found[:1] * 2
    assert b"--instances 40 -o it --json" in found[0][1]["card.json"]


@pytest.mark.slow
def test_ctrl_c_ends_the_workers(tmp_path):
    words = ("data", "build", "-d", "hanoi", "-m", "tape", "-a", "inline", "-n", "1-19", "-o", tmp_path / "it")
    done = interrupted(*words, "--jobs", 2)
    assert (done.code, done.out) == (130, "")
    assert done.err.splitlines()[-1] == "coc: error: interrupted"
    assert "Traceback" not in done.err
    assert done.seconds < 60
    assert list(tmp_path.iterdir()) == []


@for_each("subset", ["train", "heldout"])
def test_pairs_are_exported_for_other_trainers(coc, dataset, tmp_path, subset):
    with gzip.open(dataset / f"{subset}.jsonl.gz", "rt") as file:
        pairs = [json.loads(line) for line in file]
    out = tmp_path / f"{subset}.jsonl"
    done = coc("data", "export", dataset, "--out", out, "--subset", subset)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{out}: 12 rows of hanoi/stack in the format chat\n"
    messages = [json.loads(line)["messages"] for line in out.read_text().splitlines()]
    assert messages == [
        [{"role": "user", "content": pair["prompt"]}, {"role": "assistant", "content": pair["target"]}]
        for pair in pairs
    ]
    done = coc("data", "export", dataset, "-o", out, "--subset", subset, "--format", "prompt-completion", "--json")
    assert json.loads(done.out) == {"file": str(out), "format": "prompt-completion", "subset": subset, "rows": 12}
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert rows == [{"prompt": pair["prompt"], "completion": pair["target"]} for pair in pairs]


def test_nothing_is_exported_of_a_broken_dataset(refused, dataset, tmp_path):
    with gzip.open(dataset / "train.jsonl.gz", "at") as file:
        file.write('{"prompt": "P", "target": "T"}\n')
    assert "is beyond the card's" in refused(3, "data", "export", dataset, "-o", tmp_path / "rows.jsonl")
    assert not (tmp_path / "rows.jsonl").exists()
    assert "'chat', 'prompt-completion'" in refused(2, "data", "export", dataset, "-o", "rows", "--format", "alpaca")
