"""Untrusted datasets: whatever they contain, reading ends soon, with an error of one line."""

import gzip
import json
from contextlib import suppress
from hashlib import sha256

import pytest

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_learn.datasets import (
    CARD,
    Dataset,
    DatasetSpec,
    HoldOutBy,
    build_dataset,
    dataset as rows,
    divided_pairs,
    setting_of as setting_named,
    verify_dataset,
)
from coc_learn.datasets.dataset import encode
from tests.support.checksums import write_sums
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.plan_runs import setting_of
from tests.support.special_files import KINDS, put as put_special

TRAIN, HELDOUT = "train.jsonl.gz", "heldout.jsonl.gz"
SETTING = setting_of("hanoi")
SPEC = DatasetSpec(range(1, 5), holdout=0.5)
ROWS = [encode(pair) for half in divided_pairs(SETTING, SPEC) for pair in half]


def built(folder, setting=SETTING, spec=SPEC):
    build_dataset(folder, setting, spec, divided_pairs(setting, spec))
    return folder


@pytest.fixture
def folder(tmp_path):
    return built(tmp_path / "it")


def change_card(folder, **values):
    """Change a card, with its right sum."""
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps(card | values))
    write_sums(folder, [CARD])


def put(folder, name, data, packed=None, **stated):
    """Write rows to a file, and change the card to match them, but for what is stated otherwise."""
    (folder / name).write_bytes(gzip.compress(data) if packed is None else packed)
    found = {"pairs": data.count(b"\n"), "bytes": len(data), "sha256": sha256(data).hexdigest()}
    change_card(folder, files=json.loads((folder / CARD).read_text())["files"] | {name: found | stated})


def rows_of(folder, name):
    return gzip.decompress((folder / name).read_bytes()).splitlines(keepends=True)


def verify(folder):
    dataset = Dataset.open(folder)
    list(dataset.rows())
    list(verify_dataset(dataset, setting_named(REGISTRY, dataset)))


def refused(folder, reason):
    """Reading must fail with this reason, in one line."""
    with pytest.raises(ArtefactError, match=reason) as caught:
        verify(folder)
    assert str(caught.value).isprintable()


@for_each(
    ("row", "reason"),
    [
        (b"[]\n", "is not a JSON object"),
        (b"{} {}\n", "is not strict JSON"),
        (b'{"prompt": ["a"], "target": "b"}\n', "must have the texts"),
        (b'{"prompt": "a", "target": "b", "more": "c"}\n', "must have the texts"),
        (b'{"prompt": "a", "prompt": "a", "target": "b"}\n', "a key appears twice"),
        (b'{"prompt": "a", "target": ' + b"[" * 100_000 + b"}\n", "is not strict JSON"),
        (b'{"prompt": "a", "target": "\xff"}\n', "is not strict JSON: 'utf-8' codec can't decode byte 0xff"),
        (b'{"prompt": "a", "target": "\\ud800"}\n', "contains half of a surrogate pair"),
        (ROWS[1], "the prompt appears twice"),
        (ROWS[1].replace(b'"}', b'9"}'), "the prompt appears twice"),
    ],
)
def test_the_first_row_that_is_wrong_is_named(folder, row, reason):
    put(folder, TRAIN, ROWS[1] + row + ROWS[2])
    refused(folder, f"{TRAIN}, line 2:? .*{reason}")


@for_each("target", [b"", b"9"])
@for_each(("name", "fault"), [(TRAIN, "is not held out: it is also in training"), (HELDOUT, "appears twice")])
def test_a_held_out_prompt_that_is_learned_or_comes_again_is_refused_whatever_its_target(tmp_path, target, name, fault):
    folder = built(tmp_path / "it")
    before, last = rows_of(folder, HELDOUT), rows_of(folder, name)[-1]
    put(folder, HELDOUT, b"".join([*before, last.replace(b'"}', target + b'"}')]))
    refused(folder, f"{HELDOUT}, line {len(before) + 1}: the prompt {fault}")


def test_what_a_card_says_of_a_file_is_compared_after_its_last_row(folder):
    train, heldout = (rows_of(folder, name) for name in (TRAIN, HELDOUT))
    (folder / HELDOUT).write_bytes(gzip.compress(b"".join(heldout).replace(b"CALL", b"CALM", 1)))
    found = Dataset.open(folder).rows()
    assert [next(found)[0] for _ in train + heldout] == ["train"] * len(train) + ["heldout"] * len(heldout)
    with pytest.raises(ArtefactError, match=rf"{HELDOUT} .*SHA-256"):
        list(found)


def test_a_file_that_is_cut_off_or_not_compressed(folder):
    data = (folder / TRAIN).read_bytes()
    for size in (0, 5, 20, len(data) - 8, len(data) - 1):
        (folder / TRAIN).write_bytes(data[:size])
        refused(folder, rf"{TRAIN}(, line \d+: the file is cut off| has 0 pairs)")
    (folder / TRAIN).write_bytes(ROWS[0])
    refused(folder, f"{TRAIN}, line 1: the compression is broken: Not a gzipped file")


def test_a_changed_byte_is_noticed(folder):
    before, path = list(Dataset.open(folder).rows()), folder / TRAIN
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        with suppress(ArtefactError):
            assert list(Dataset.open(folder).rows()) == before  # some bytes have no meaning, such as the time


def test_a_bomb_is_not_unpacked(folder, monkeypatch):
    bomb = gzip.compress(bytes(50_000_000), 1)
    put(folder, TRAIN, ROWS[0], packed=bomb)
    refused(folder, f"{TRAIN}: it has 218,.* bytes, and at most 65,.* are allowed")
    monkeypatch.setattr(rows, "_CHUNK", 10**9)
    refused(folder, f"{TRAIN}, line 1 is longer than 1,048,576 bytes")
    put(folder, TRAIN, ROWS[0], packed=gzip.compress(ROWS[0] * 500_000))
    refused(folder, f"{TRAIN}, line 2 is beyond the card's 1 pairs in {len(ROWS[0])} bytes")


@for_each(
    ("stated", "reason"),
    [
        ({"pairs": 10**6}, r"has \d+ pairs in [\d,]+ bytes, but its card says 1,000,000 in"),
        ({"pairs": 1}, "line 2 is beyond the card's 1 pairs"),
        ({"bytes": 10**6}, r"but its card says \d+ in 1,000,000"),
        ({"bytes": 100}, "is beyond the card's"),
        ({"sha256": "0" * 64}, "does not match its card: the SHA-256 of its rows is "),
    ],
)
def test_a_card_that_does_not_match_its_file(folder, stated, reason):
    put(folder, TRAIN, b"".join(rows_of(folder, TRAIN)), **stated)
    refused(folder, f"{TRAIN}.* {reason}")


FILE = {"pairs": 1, "bytes": 1, "sha256": "0" * 64}


@for_each(
    ("values", "reason"),
    [
        ({"format": 2}, f"{CARD} is not of format 3"),
        ({"domain": "../etc"}, f"{CARD}.*domain (is|can't be) "),
        ({"domain": "hanoy"}, "unknown domain 'hanoy'"),
        ({"arith": "inline", "memory": "tape"}, "'hanoi/stack', but its setting uses 'hanoi/linked/numeric'"),
        ({"dialect": "martian"}, "says 'martian', but its setting uses 'hanoi/stack'"),
        ({"sizes": [2, 1]}, f"{CARD}: sizes are not in order"),
        ({"sizes": [2, 2]}, f"{CARD}: sizes are not in order"),
        ({"sizes": [*range(10_001)]}, rf"{CARD}.*sizes(\[\d\])? (is|are) "),
        ({"holdout": 1}, f"{CARD}.*a hold-out of 1 leaves nothing to train on"),
        ({"seed": 10**30}, f"{CARD}.*seed (is|can't be) "),
        ({"files": {TRAIN: FILE, "../../x.jsonl.gz": FILE}}, f"{CARD}.*files (is|are) "),
        ({"files": {TRAIN: {**FILE, "bytes": 10**12}, HELDOUT: FILE}}, r"\['train.jsonl.gz'\].bytes (is|can't be) "),
        ({"seed": 1}, "the problems that the card names have another row"),
        ({"sizes": [1, 2, 3, 4, 5]}, "the problems that the card names have another row"),
        ({"sizes": [1, 2, 3]}, "does not name the problems that the last rows come from"),
        ({"sizes": [1, 2, 3, 4, 65]}, "problems that can't be drawn: "),
        ({"near_goal": 1}, "problems that can't be drawn: "),
        ({"instances": 10**18}, "names far more problems than the rows can have come from"),
        ({"enumerated": 10**18}, "names far more problems than the rows can have come from"),
    ],
)
def test_a_card_that_makes_no_sense_or_names_other_problems_is_refused_at_once(tmp_path, values, reason):
    folder = built(tmp_path / "it")
    change_card(folder, **values)
    refused(folder, reason)


@pytest.mark.parametrize("name", [CARD, TRAIN, HELDOUT])
def test_a_file_must_exist_and_be_regular(folder, name):
    path = folder / name
    path.rename(folder.parent / name)
    refused(folder, f"can't read .*{name}: No such file or directory")
    path.symlink_to(folder.parent / name)
    refused(folder, f"can't read .*{name}: it is not a regular file")
    path.unlink()
    for kind in KINDS:
        put_special(path, kind)
        refused(folder, f"can't read .*{name}: it is not a regular file|can't read .*{name}: Is a directory")
        path.rmdir() if kind == "folder" else path.unlink()


@for_each(
    "change",
    [
        lambda found: found[:-1],
        lambda found: found[1:],
        lambda found: found[::-1],
        lambda found: [*found, encode(Pair("INSTR MOVE d=7 src=1 dst=2", "OUTPUT Move disk 7 from 1 to 2"))],
    ],
)
@for_each("name", [TRAIN, HELDOUT])
def test_other_rows_than_the_card_names_are_refused_though_every_target_is_right(tmp_path, name, change):
    folder = built(tmp_path / "it")
    put(folder, name, b"".join(change(rows_of(folder, name))))
    refused(folder, "the problems that the card names have another row here|does not name the problems")


def test_a_target_that_the_reference_model_does_not_write_is_named(folder):
    first, *others = rows_of(folder, TRAIN)
    put(folder, TRAIN, b"".join([first.replace(b'"}', b'9"}'), *others]))
    refused(folder, f"{TRAIN}, line 1: the target is .*9', but the reference model writes ")


def test_rows_that_change_files_are_refused(tmp_path):
    """Also where the hold-out is by instances: there the rows of both files, one after the other, stay the same."""
    setting = setting_of("blocksworld")
    folder = built(tmp_path / "it", setting, DatasetSpec(range(1, 5), 3, holdout_by=HoldOutBy.instances, holdout=0.5))
    train, (first, *others) = (rows_of(folder, name) for name in (TRAIN, HELDOUT))
    put(folder, TRAIN, b"".join([*train, first]))
    put(folder, HELDOUT, b"".join(others))
    refused(folder, "does not name the problems that the last rows come from")


def test_a_card_that_was_changed_is_refused(folder):
    (folder / CARD).write_text((folder / CARD).read_text().replace('"command": ""', '"command": "coc"'))
    refused(folder, r"card\.json was changed: its SHA-256 is not the one in SHA256SUMS")
