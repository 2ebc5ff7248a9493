import json

import pytest

from coc_core.errors import ArtefactError
from coc_core.models import CONFIG, Identity, SizeResult, read_config
from coc_core.storage import parse_json_object
from tests.support.for_each import for_each

GOOD = {"backend": "parrot", "dialects": ["hanoi/stack"], "layers": 4}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / CONFIG).write_text(json.dumps(GOOD))
    return tmp_path


def written(folder, **changes):
    (folder / CONFIG).write_text(json.dumps(GOOD | changes))
    return read_config(folder)


def test_a_config_tells_whose_the_checkpoint_is_and_what_it_was_trained_and_tested_on(folder):
    assert read_config(folder) == (Identity("parrot", ("hanoi/stack",)), {"layers": 4})
    assert Identity("parrot", ("a",)).to_json() == {"backend": "parrot", "dialects": ["a"]}
    more = {"dialects": ["a", "b"], "sizes": {"b": [3, 5]}, "tested": {"a": [RESULT]}}
    identity, _ = written(folder, **more)
    assert identity == Identity("parrot", ("a", "b"), {"b": range(3, 6)}, {"a": (SizeResult(9, 2, 30, 29),)})
    assert identity.tested["a"][0].wrong == 1
    assert identity.to_json() == {"backend": "parrot", **more}


RESULT = {"n": 9, "problems": 2, "pairs": 30, "exact": 29}


@for_each(
    ("change", "reason"),
    [
        *(
            ({name: value}, rf": {name}(\[1\])? is ")
            for name, value in (("backend", None), ("backend", 1), ("dialects", None), ("dialects", "hanoi/stack"))
        ),
        ({"dialects": ["a", 1]}, r": dialects\[1\] is "),
        ({"sizes": [1, 20]}, ": sizes is .*, not an object"),
        ({"sizes": {"hanoi/tape": [1, 20]}}, " has sizes or tests of 'hanoi/tape', which is no dialect"),
        ({"sizes": {"hanoi/stack": [2, 1]}}, r": sizes\['hanoi/stack'\] is .*, not a first and a last number"),
        ({"tested": [RESULT]}, ": tested is .*, not an object"),
        ({"tested": {"hanoi/tape": [RESULT]}}, " has sizes or tests of 'hanoi/tape', which is no dialect"),
        ({"tested": {"hanoi/stack": [{}]}}, r": tested\['hanoi/stack'\]\[0\] lacks 'n'"),
        ({"tested": {"hanoi/stack": [RESULT, RESULT | {"exact": 31}]}}, r": tested\['hanoi/stack'\]\[1\]: exact is 31"),
        (
            {"tested": {"hanoi/stack": [RESULT | {"exact": -1}]}},
            r": tested\['hanoi/stack'\]\[0\].exact is -1, not from",
        ),
        (
            {"tested": {"hanoi/stack": [RESULT | {"pairs": 10**18 + 1}]}},
            r": .*\[0\].pairs is 1,000,000,000,000,000,001",
        ),
    ],
)
def test_a_config_names_a_backend_and_dialects_whose_sizes_and_tests_it_has(folder, change, reason):
    with pytest.raises(ArtefactError, match=f"config.json{reason}"):
        written(folder, **change)


def test_what_is_no_folder_or_may_hold_a_pickle_is_refused(folder, tmp_path):
    for name in ("missing", "x" * 300, CONFIG):
        with pytest.raises(ArtefactError, match="is not a checkpoint: "):
            read_config(folder / name)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ArtefactError, match=r"can't read .*config.json: No such file or directory"):
        read_config(tmp_path / "empty")
    for name in ("model.bin", "model.PT", "a.pkl", "weights.pth", "x.npy", "x.npz", "x.ckpt"):
        (folder / name).touch()
        with pytest.raises(ArtefactError, match=f"contains {name}, which may be a pickle; only model.safetensors is"):
            read_config(folder)
        (folder / name).unlink()


@for_each(
    ("data", "reason"),
    [
        (b"", "not strict JSON"),
        (b"{", "not strict JSON"),
        (b"\xff", "not strict JSON"),
        ('{"a": 1}'.encode("utf-8-sig"), "not strict JSON"),
        ('{"a": 1}'.encode("utf-16"), "not strict JSON"),
        (b'{"a": "\xed\xa0\x80"}', "not strict JSON"),
        (b'{"a": NaN}', "NaN is not strict JSON"),
        (b'{"a": -Infinity}', "-Infinity is not strict JSON"),
        (b'{"a": 1e999}', "a number is too large"),
        (b'{"a": 1, "a": 2}', "a key appears twice"),
        (b'{"a": {"b": 1, "b": 1}}', "a key appears twice"),
        (b'{"a": 1} {}', "not strict JSON"),
        (b"[1]", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b"[" * 200_000, "not strict JSON"),
        (b'{"a": [' + b"[]," * 280_000 + b"[]]}", "has more than 524,288 entries"),
        (b'{"a": [' + b"0," * 524_288 + b"0]}", "has more than 524,288 entries"),
    ],
)
def test_only_strict_json_objects_are_read(data, reason):
    with pytest.raises(ArtefactError, match=f"^it .*{reason}"):
        parse_json_object(data, "it")


def test_json_of_as_many_entries_as_allowed_is_read():
    assert len(parse_json_object(b'{"a": [' + b"0," * (524_288 - 2) + b"0]}", "it")["a"]) == 524_287
