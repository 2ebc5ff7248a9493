"""`coc data`: build, verify, export."""

import gzip
import hashlib
import json

import pytest

from tests.support.checksums import seal
from tests.support.for_each import for_each

CHOICES = ("--domain", "hanoi", "--n", "1-4", "--holdout", 0.5, "--holdout-by", "pairs")


@pytest.fixture
def dataset(coc, tmp_path):
    done = coc("data", "build", *CHOICES, "--out", tmp_path / "it")
    assert (done.code, done.err) == (0, "")
    return tmp_path / "it"


def test_what_was_built_is_reported(coc, tmp_path):
    words = (
        "data build -d pancake -n 6 --instances 4 --holdout-by instances --holdout 0.25 --enumerated 2 --near-goal 3"
    )
    words = (*words.split(), "--seed", 7, "-o", tmp_path / "it")
    told = (
        "n=6, 4 instances of each n and the first 2 enumerated and 3 near-goal, hold-out 25% of the instances, seed 7"
    )
    heading, line = coc(*words).out.splitlines()
    assert heading.startswith(f"{tmp_path / 'it'}: ")
    assert heading.endswith(" held-out pairs of pancake/stack")
    assert line == f"  {told}"
    found = json.loads(coc(*words, "--json").out)
    card = json.loads((tmp_path / "it" / "card.json").read_text())
    assert found == {"dataset": str(tmp_path / "it"), **card}
    assert (card["holdout_by"], card["holdout"], card["seed"]) == ("instances", 0.25, 7)
    assert (card["instances"], card["enumerated"], card["near_goal"]) == (4, 2, 3)


def test_what_was_built_is_verified(coc, dataset):
    done = coc("data", "verify", dataset)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        f"{dataset}: 12 training pairs, 12 held-out pairs of hanoi/stack\n"
        "  each target is the reference model's, and the rows are those that the card lists\n"
    )
    found = json.loads(coc("data", "verify", dataset, "--json").out)
    assert len(found.pop("sha256")) == 64
    assert found == {
        "dataset": str(dataset),
        "verified": True,
        "dialect": "hanoi/stack",
        "train_pairs": 12,
        "heldout_pairs": 12,
    }


def test_a_dataset_without_pairs_is_not_verified(refused, dataset):
    card = json.loads((dataset / "card.json").read_text())
    for name in card["files"]:
        (dataset / name).write_bytes(gzip.compress(b""))
        card["files"][name] = {"pairs": 0, "bytes": 0, "sha256": hashlib.sha256(b"").hexdigest()}
    (dataset / "card.json").write_text(json.dumps(card))
    seal(dataset)
    assert "holds no pairs" in refused(3, "data", "verify", dataset)
    arguments = ("eval", "-d", "hanoi", "--model", "reference", "--exactness", "--no-runs", "--data", dataset)
    assert "there is no pair to check" in refused(2, *arguments)


@for_each("subset", ["train", "heldout"])
def test_pairs_are_exported_for_other_trainers(coc, dataset, tmp_path, subset):
    with gzip.open(dataset / f"{subset}.jsonl.gz", "rt") as file:
        pairs = [json.loads(line) for line in file]
    out = tmp_path / f"{subset}.jsonl"
    done = coc("data", "export", dataset, "--out", out, "--subset", subset)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{out}: 12 rows of hanoi/stack\n"
    messages = [json.loads(line)["messages"] for line in out.read_text().splitlines()]
    assert messages == [
        [{"role": "user", "content": pair["prompt"]}, {"role": "assistant", "content": pair["target"]}]
        for pair in pairs
    ]
    done = coc("data", "export", dataset, "-o", out, "--subset", subset, "--json")
    assert json.loads(done.out) == {"file": str(out), "subset": subset, "rows": 12}


def test_nothing_is_exported_of_a_broken_dataset(refused, dataset, tmp_path):
    with gzip.open(dataset / "train.jsonl.gz", "at") as file:
        file.write('{"prompt": "P", "target": "T"}\n')
    assert "is beyond the card's" in refused(3, "data", "export", dataset, "-o", tmp_path / "rows.jsonl")
    assert not (tmp_path / "rows.jsonl").exists()
