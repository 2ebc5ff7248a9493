"""Text and tokens: exact both ways, and nothing smuggled in."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coc_core.data import Pair
from coc_core.errors import ArtefactError
from coc_transformer import tokenizer as module
from coc_transformer.tokenizer import BOS, EOS, NO_TEXT, PAD, UNK, TextTokenizer

PAIRS = [Pair(f"INSTR CALL n={n} src=1", f"PUSH CALL n={n - 1}\nOUTPUT [EOS] x={n}") for n in range(1, 25)]
ALPHABET = sorted(set("".join(pair.prompt + "\n" + pair.target for pair in PAIRS)))


def trained(*, single_digits: bool = True) -> TextTokenizer:
    return TextTokenizer.train(PAIRS, 200, 2, single_digits=single_digits)


SINGLE, MERGED = trained(), trained(single_digits=False)
FILE: dict[str, Any] = json.loads(SINGLE.to_json())


@pytest.mark.parametrize("tokenizer", [SINGLE, MERGED], ids=["single digits", "merged digits"])
@given(text=st.text(ALPHABET))
def test_known_characters_come_back_exactly(tokenizer: TextTokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    assert tokenizer.decode(ids) == text
    assert not {PAD, BOS, EOS, UNK} & set(ids)


@given(text=st.text())
def test_a_text_never_becomes_a_special_token_but_unknown(text: str) -> None:
    assert not {PAD, BOS, EOS} & set(SINGLE.encode(text))


def test_special_tokens_spelled_out_are_plain_characters() -> None:
    assert SINGLE.decode(SINGLE.encode("[EOS]")) == "[EOS]"


def test_an_unknown_character_is_unk_and_a_metaspace_is_no_space() -> None:
    assert SINGLE.encode("ß") == [UNK]
    assert SINGLE.encode("\u2581") == [UNK]


def test_special_tokens_have_no_text() -> None:
    call = SINGLE.encode("CALL")
    assert SINGLE.decode([*call, UNK, *call, BOS]) == f"CALL{NO_TEXT}CALL{NO_TEXT}"


def test_each_digit_is_a_token() -> None:
    assert len(SINGLE.encode("120")) == 3
    assert len(MERGED.encode("24")) <= 2
    multi = [token for token in FILE["model"]["vocab"] if sum(map(str.isdigit, token)) and len(token) > 1]
    assert multi == []


def test_an_example_knows_where_its_target_begins() -> None:
    ids, start = SINGLE.example(PAIRS[3])
    assert ids[0] == BOS
    assert ids[-1] == EOS
    assert SINGLE.decode(ids[1 : start - 1]) == PAIRS[3].prompt
    assert SINGLE.decode(ids[start - 1 : start]) == "\n"
    assert SINGLE.decode(ids[start:-1]) == PAIRS[3].target
    assert ids[:start] == SINGLE.context(PAIRS[3].prompt)


def test_training_is_reproducible_and_the_file_comes_back() -> None:
    data = SINGLE.to_json()
    assert trained().to_json() == data
    again = TextTokenizer.from_json(data, "it")
    assert again.to_json() == data
    assert again.encode("[EOS] INSTR CALL") == SINGLE.encode("[EOS] INSTR CALL")


def _set(path: str, value: object) -> Any:
    def change(file: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        for parent in parents:
            file = file[parent]
        file[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_set("normalizer", {"type": "Lowercase"}), "'normalizer' is not one that coc makes"),
        (_set("post_processor", {"type": "ByteLevel"}), "'post_processor' is not one"),
        (_set("decoder", {"type": "ByteLevel"}), "'decoder' is not one"),
        (_set("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(a+)+"}}), "'pre_tokenizer' is not one"),
        (_set("truncation", {"max_length": 1}), "'truncation' is not one"),
        (_set("added_tokens", []), "'added_tokens' is not one"),
        (_set("extra", 1), "'extra' is not one"),
        (lambda file: file.pop("decoder"), "lacks 'decoder'"),
        (lambda file: file.pop("model"), "lacks 'model'"),
        (_set("model", {"type": "WordLevel"}), "no BPE of the known form"),
        (_set("model.dropout", 0.5), "'dropout' must be null"),
        (_set("model.byte_fallback", True), "'byte_fallback' must be false"),
        (_set("model.vocab", []), "no table of ids"),
        (_set("model.vocab.x", "7"), "no table of ids"),
        (_set("model.vocab.x", 10**6), "not 0 to"),
        (_set("model.vocab.x", 2), "not 0 to"),
        (lambda file: file["model"]["vocab"].update({"[PAD]": 1, "[BOS]": 0}), "not the first ids"),
        (_set("model.merges", {}), "a merge is no pair"),
        (_set("model.merges", [["x", "1"]]), "a merge is no pair"),
        (_set("model.merges", ["P U"]), "a merge is no pair"),
    ],
)
def test_a_strangers_tokenizer_is_rejected(change: Any, fault: str) -> None:
    file = copy.deepcopy(FILE)
    change(file)
    with pytest.raises(ArtefactError, match=fault):
        TextTokenizer.from_json(json.dumps(file).encode(), "it")


def test_a_file_that_is_no_strict_json_or_too_large_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"", b"\xff", b'{"model": 1, "model": 2}', SINGLE.to_json()[:-50]):
        with pytest.raises(ArtefactError, match="strict JSON"):
            TextTokenizer.from_json(data, "it")
    monkeypatch.setattr(module, "LARGEST_FILE", 100)
    with pytest.raises(ArtefactError, match="larger than 100 bytes"):
        TextTokenizer.from_json(SINGLE.to_json(), "it")


class Panic(BaseException):
    """As pyo3's PanicException: not an Exception."""


def test_a_panic_is_an_artefact_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Panicking:
        @staticmethod
        def from_str(text: str) -> None:
            raise Panic("called `Option::unwrap()` on a `None` value")

    monkeypatch.setattr(module, "Tokenizer", Panicking)
    with pytest.raises(ArtefactError, match="can't be read as a tokenizer: called"):
        TextTokenizer.from_json(SINGLE.to_json(), "it")
