"""A dataset that was built matches its card and is read again; the bytes of its files, and how many there may be."""

import gzip
import json
from hashlib import sha256

import pytest
from attrs import asdict
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_learn.datasets import (
    CARD,
    Dataset,
    DatasetSpec,
    HoldOutBy,
    build_dataset,
    dataset as rows,
    divided_pairs,
    setting_of as setting_named,
    teacher_pairs,
    verify_dataset,
)
from coc_learn.datasets.dataset import Subset, decode, encode, read_rows, write_rows
from coc_learn.datasets.pairs import hold_out
from coc_problems import Split
from tests.support.for_each import for_each
from tests.support.plan_runs import SETTINGS, setting_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


def made(
    folder,
    domain="hanoi",
    names=("pda", "symbolic"),
    spec=DatasetSpec(range(1, 7), holdout_by=HoldOutBy.pairs, holdout=0.5),
):
    setting = setting_of(domain, *names)
    return setting, build_dataset(folder, setting, spec, divided_pairs(setting, spec), "coc data build")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@for_each("names", SETTINGS)
def test_a_dataset_holds_the_pairs_of_the_runs(tmp_path, names):
    setting, card = made(tmp_path / "it", names=names)
    dataset = Dataset.open(tmp_path / "it")
    assert dataset.card == card
    found = list(dataset.rows())
    verified = verify_dataset(dataset, setting_named(Registry.installed(), dataset))
    assert sorted(verified) == sorted(pair for _, pair in found)
    assert len(found) == len(dataset) == sum(each.pairs for each in card.files.values())
    train, held = hold_out(list(teacher_pairs(setting, DatasetSpec(range(1, 7)).drawn(setting))), 0.5, 0)
    assert found == [*(("train", pair) for pair in train), *(("heldout", pair) for pair in held)]
    assert card.dialect == setting.convention.dialect


def test_the_card_says_all_of_its_spec_and_what_the_unpacked_files_hold(tmp_path):
    spec = DatasetSpec((5, 7), 4, Split.test, HoldOutBy.instances, 0.25, 7, 2, 3)
    card, path = made(tmp_path / "it", "pancake", spec=spec)[1], tmp_path / "it" / CARD
    dataset, document = Dataset.open(tmp_path / "it"), json.loads(path.read_text())
    assert (dataset.card, dataset.sha256) == (card, sha256(path.read_bytes()).hexdigest())
    assert {name: getattr(card, name) for name in asdict(spec)} == asdict(spec)
    stated = {"sizes": [5, 7], "instances": 4, "split": "test", "holdout_by": "instances", "holdout": 0.25}
    assert document == document | stated | {"seed": 7, "command": "coc data build"}
    for name, found in document["files"].items():
        data = gzip.decompress((tmp_path / "it" / name).read_bytes())
        assert found == {"pairs": data.count(b"\n"), "bytes": len(data), "sha256": sha256(data).hexdigest()}


def test_the_same_build_gives_the_same_bytes(tmp_path):
    made(tmp_path / "one")
    made(tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    made(tmp_path / "one", spec=DatasetSpec(range(1, 7), holdout=0.5, seed=1))
    assert contents(tmp_path / "one") != contents(tmp_path / "two")


def test_what_is_not_a_dataset_is_not_replaced(tmp_path):
    (tmp_path / "novel.txt").write_text("chapter one")
    with pytest.raises(UsageError, match="already exists and is not a dataset"):
        made(tmp_path)


@given(TEXT, TEXT)
def test_a_row_is_read_as_it_was_written(prompt, target):
    row = encode(Pair(prompt, target))
    assert row.count(b"\n") == 1
    assert decode(row, "here") == (prompt, target)
    assert json.loads(row) == {"prompt": prompt, "target": target}


PAIR = Pair("n=1", "ß → \u2028")


def written(path, count, pair=PAIR):
    return write_rows(path, [encode(pair)] * count)


def test_a_file_has_neither_a_name_nor_a_time_in_its_header(tmp_path):
    written(tmp_path / "a", 3)
    data = (tmp_path / "a").read_bytes()
    # No flags, no time, neither the best nor the fastest level.
    assert data[:10] == b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    assert gzip.decompress(data) == 3 * encode(PAIR)


def test_a_row_may_be_as_long_as_allowed(monkeypatch):
    row = encode(PAIR)
    monkeypatch.setattr(rows, "LONGEST_ROW", len(row))
    assert encode(PAIR) == row
    with pytest.raises(
        UsageError, match=f"^a pair takes {len(row) + 1} bytes, and at most {len(row)} are allowed; choo"
    ):
        encode(Pair("n=12", PAIR.target))


@for_each(("name", "most"), [("MOST_PAIRS", 3), ("MOST_BYTES", 3 * len(encode(PAIR)))])
def test_a_file_may_be_as_large_as_allowed(tmp_path, monkeypatch, name, most):
    row = encode(PAIR)
    monkeypatch.setattr(rows, name, most)
    assert written(tmp_path / "a", 3) == Subset(3, 3 * len(row), sha256(3 * row).hexdigest())
    limits = f"{rows.MOST_PAIRS:,} pairs or {rows.MOST_BYTES:,} bytes"
    with pytest.raises(UsageError, match=f"^b would have more than {limits}; choose fewer sizes or instances$"):
        written(tmp_path / "b", 4)


def test_a_packed_file_may_be_a_64th_larger_than_what_it_unpacks_to(tmp_path, monkeypatch):
    """And a few bytes more: what cannot be compressed has a header and marks between its blocks."""
    monkeypatch.setattr(rows, "_CHUNK", 1_000)
    path, count = tmp_path / "a", 200
    writer = written(path, count)
    size, data = writer.bytes, path.read_bytes()
    most = size + size // 64 + 1_000
    assert size // 64 != size // 65
    assert size % 64
    path.write_bytes(data.ljust(most, b"\0"))  # zeros may follow the compressed data
    assert len(list(read_rows(path, writer))) == count
    path.write_bytes(data.ljust(most + 1, b"\0"))
    with pytest.raises(ArtefactError, match=f"has {most + 1:,} bytes, and at most {most:,} are allowed$"):
        list(read_rows(path, writer))
