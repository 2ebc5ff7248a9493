"""Untrusted datasets: whatever they contain, reading ends soon, with an error of one line."""

import gzip
import json
import shutil
from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_learn.datasets import CARD, Dataset, DatasetSpec, HoldOutBy, PairStream, build_dataset, rows, verify_dataset
from coc_learn.datasets.rows import encode
from tests.support.checksums import write_sums
from tests.support.for_each import for_each
from tests.support.plan_runs import setting_of
from tests.support.special_files import KINDS, put as put_special

TRAIN, HELDOUT = "train.jsonl.gz", "heldout.jsonl.gz"
SETTING = setting_of("hanoi")
SPEC = DatasetSpec(range(1, 5), holdout=0.5)
PAIRS = list(PairStream(SETTING, SPEC))
ROWS = [encode(pair) for pair in PAIRS]


@pytest.fixture
def folder(tmp_path):
    build_dataset(tmp_path / "it", SETTING, SPEC, PairStream(SETTING, SPEC))
    return tmp_path / "it"


def put(folder, name, data, packed=None, pairs=None):
    """Write rows to a file, and change the card to match them."""
    (folder / name).write_bytes(gzip.compress(data) if packed is None else packed)
    card = json.loads((folder / CARD).read_text())
    count = data.count(b"\n") if pairs is None else pairs
    card["files"][name] = {"pairs": count, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    (folder / CARD).write_text(json.dumps(card))
    write_sums(folder, [CARD])


def verified(folder, setting=SETTING):
    dataset = Dataset.open(folder)
    list(dataset.rows())
    return list(verify_dataset(dataset, setting))


def refused(folder, reason):
    """Reading must fail with this reason, in one line."""
    with pytest.raises(ArtefactError, match=reason) as caught:
        verified(folder)
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
        ('{"prompt": "a", "target": "b"}\n'.encode("utf-16-be"), "is not strict JSON"),
        ('{"prompt": "a", "target": "b"}'.encode("utf-16-le") + b"\n", "is not strict JSON"),
        (b'\xef\xbb\xbf{"prompt": "a", "target": "b"}\n', "is not strict JSON"),
        (b'{"prompt": "a", "target": "\\ud800"}\n', "contains half of a surrogate pair"),
        (ROWS[1], "the prompt appears twice"),
    ],
)
def test_the_first_row_that_is_wrong_is_named(folder, tmp_path, row, reason):
    folder = shutil.copytree(folder, tmp_path / "copy")
    put(folder, TRAIN, ROWS[1] + row + ROWS[2])
    refused(folder, f"{TRAIN}, line 2:? .*{reason}")


def test_a_file_that_is_cut_off(folder):
    data = (folder / TRAIN).read_bytes()
    for size in (0, 5, 20, len(data) - 8, len(data) - 1):
        (folder / TRAIN).write_bytes(data[:size])
        refused(folder, rf"{TRAIN}(, line \d+: the file is cut off| has 0 pairs)")


def test_a_file_that_is_not_compressed(folder):
    (folder / TRAIN).write_bytes(ROWS[0])
    refused(folder, f"{TRAIN}, line 1: the compression is broken: Not a gzipped file")


@settings(max_examples=50)
@given(st.data())
def test_a_changed_byte_is_noticed(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("changed") / "it"
    build_dataset(folder, SETTING, SPEC, PairStream(SETTING, SPEC))
    before = list(Dataset.open(folder).rows())
    path = folder / data.draw(st.sampled_from([TRAIN, HELDOUT]))
    packed = bytearray(path.read_bytes())
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(packed)
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


@pytest.mark.parametrize(
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
    card = json.loads((folder / CARD).read_text())
    card["files"][TRAIN] |= stated
    (folder / CARD).write_text(json.dumps(card))
    write_sums(folder, [CARD])
    refused(folder, f"{TRAIN}.* {reason}")


def changed(**values):
    return lambda card: {**card, **values}


FILE = {"pairs": 1, "bytes": 1, "sha256": "0" * 64}


@for_each(
    ("change", "reason"),
    [
        (changed(format=2), "is not of format 3"),
        (changed(domain="../etc"), "domain (is|can't be) "),
        (changed(sizes=[2, 1]), r"sizes(\[\d\])? (is|are) "),
        (changed(sizes=[2, 2]), r"sizes(\[\d\])? (is|are) "),
        (changed(sizes=[*range(10_001)]), r"sizes(\[\d\])? (is|are) "),
        (changed(holdout=1), "a hold-out of 1 leaves nothing to train on"),
        (changed(seed=10**30), "seed (is|can't be) "),
        (changed(files={TRAIN: FILE}), "files (is|are) "),
        (changed(files={TRAIN: FILE, "../../x.jsonl.gz": FILE}), "files (is|are) "),
        (
            changed(files={TRAIN: {**FILE, "bytes": 10**12}, HELDOUT: FILE}),
            r"files\['train.jsonl.gz'\].bytes (is|can't be) ",
        ),
    ],
)
def test_a_card_that_makes_no_sense(folder, tmp_path, change, reason):
    folder = shutil.copytree(folder, tmp_path / "copy")
    path = folder / CARD
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    refused(folder, f"{CARD}.*{reason}")


@given(st.binary(max_size=200))
def test_no_card_breaks_the_reader(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("card")
    (folder / CARD).write_bytes(data)
    refused(folder, CARD)


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


def test_what_is_not_a_folder(tmp_path):
    (tmp_path / "file").touch()
    for name, reason in (("missing", "No such file"), ("file", "Not a directory"), ("x" * 300, "File name too long")):
        refused(tmp_path / name, f"can't read .*: {reason}")


def sealed(folder, name, change):
    """Change a file's rows, with right counts and sums."""
    found = gzip.decompress((folder / name).read_bytes()).splitlines(keepends=True)
    put(folder, name, b"".join(change(found)))


@for_each(
    "change",
    [
        lambda found: found[:-1],
        lambda found: found[1:],
        lambda found: found[::-1],
        lambda found: [*found, encode(Pair("INSTR MOVE d=7 src=1 dst=2", "OUTPUT Move disk 7 from 1 to 2"))],
        lambda found: [],
    ],
)
@for_each("name", [TRAIN, HELDOUT])
def test_other_rows_than_the_card_names_are_refused_though_every_target_is_right(folder, tmp_path, name, change):
    folder = shutil.copytree(folder, tmp_path / "copy")
    sealed(folder, name, change)
    refused(folder, "the problems that the card names have another row here|does not name the problems")


def test_a_target_that_the_reference_model_does_not_write_is_named(folder):
    sealed(folder, TRAIN, lambda found: [found[0].replace(b'"}', b'9"}'), *found[1:]])
    refused(folder, f"{TRAIN}, line 1: the target is .*9', but the reference model writes ")


def test_rows_that_change_files_are_refused(tmp_path):
    """Also where the hold-out is by instances: there the rows of both files, one after the other, stay the same."""
    spec = DatasetSpec(range(1, 5), instances=3, holdout_by=HoldOutBy.instances, holdout=0.5)
    setting = setting_of("blocksworld")
    build_dataset(tmp_path / "it", setting, spec, PairStream(setting, spec))
    first = gzip.decompress((tmp_path / "it" / HELDOUT).read_bytes()).splitlines(keepends=True)[0]
    sealed(tmp_path / "it", TRAIN, lambda found: [*found, first])
    sealed(tmp_path / "it", HELDOUT, lambda found: found[1:])
    with pytest.raises(ArtefactError, match="does not name the problems that the last rows come from"):
        verified(tmp_path / "it", setting)


@for_each(
    ("change", "reason"),
    [
        ({"seed": 1}, "the problems that the card names have another row"),
        ({"holdout": 0.25}, "the problems that the card names have another row"),
        ({"sizes": [1, 2, 3, 4, 5]}, "the problems that the card names have another row"),
        ({"sizes": [1, 2, 3]}, "does not name the problems that the last rows come from"),
        ({"sizes": [1, 2, 3, 4, 65]}, "problems that can't be drawn: "),
        ({"near_goal": 1}, "problems that can't be drawn: "),
        ({"instances": 10**18}, "names far more problems than the rows can have come from"),
        ({"enumerated": 10**18}, "names far more problems than the rows can have come from"),
    ],
)
def test_a_card_that_names_other_problems_is_refused_at_once(folder, tmp_path, change, reason):
    folder = shutil.copytree(folder, tmp_path / "copy")
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps(card | change))
    write_sums(folder, [CARD])
    refused(folder, reason)


@pytest.mark.parametrize("key", ["seed", "version", "command", "sizes"])
def test_a_card_that_was_changed_is_refused(folder, key):
    card = json.loads((folder / CARD).read_text())
    changed = {"seed": 9, "version": "9", "command": "coc data build -o this", "sizes": [1, 2, 3]}
    (folder / CARD).write_text(json.dumps(card | {key: changed[key]}))
    with pytest.raises(ArtefactError, match=r"card\.json was changed: its SHA-256 is not the one in SHA256SUMS"):
        Dataset.open(folder)
