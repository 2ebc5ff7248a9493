"""Text and tokens: exact both ways, and nothing smuggled in."""

import copy
import json

import pytest
from hypothesis import given, strategies as st
from tokenizers import Tokenizer

from coc_core.errors import ArtefactError, LimitFault
from coc_core.models import Pair
from coc_transformer.tokenizer import EOS, PAD, UNK, TextTokenizer
from coc_transformer.tokenizer.tokens import BOS, NO_TEXT, NOTATIONS, SPECIALS, denormalise, normalise
from tests.support.for_each import for_each

PAIRS = [Pair(f"INSTR CALL n={n} src=1", f"PUSH CALL n={n - 1}\nOUTPUT [EOS] x={n}") for n in range(1, 25)]
ALPHABET = sorted(set("".join(pair.prompt + "\n" + pair.target for pair in PAIRS)))


def trained(tokens="digits", dialects=1):
    return TextTokenizer.train(PAIRS, 200, 2, tokens=tokens, dialects=dialects)


SINGLE, MERGED, EXACT, BINARY = trained(), trained("merged"), trained("exact"), trained("binary")
BRACKETS, DIALECTS = trained("brackets"), trained("exact", 3)
FILE = json.loads(SINGLE.to_json())
EXACT_FILE = json.loads(EXACT.to_json())
DECIMAL = NOTATIONS["exact"]


TEXTS = st.lists(st.sampled_from(["B1", "x", "12", "[", "]", ", ", "[-", "\n", "٣", "ß1", "\u2060", "[EOS]", " "])).map(
    "".join
)


@pytest.mark.parametrize("tokenizer", [SINGLE, MERGED, EXACT, BINARY, BRACKETS, DIALECTS])
@given(text=st.text(ALPHABET) | st.text() | TEXTS)
def test_a_text_is_read_as_the_library_reads_it(tokenizer, text):
    library = Tokenizer.from_str(tokenizer.to_json().decode())
    library.encode_special_tokens = True
    prepared = tokenizer._prepared(text)
    found = library.encode(prepared)
    assert tokenizer.encode(text) == found.ids
    unknown = prepared[found.offsets[found.ids.index(UNK)][0]] if UNK in found.ids else None
    assert tokenizer.unknown_character(text) == unknown
    joined = library.decode([id for id in found.ids if id != UNK])
    assert tokenizer.decode([id for id in found.ids if id != UNK]) == (
        denormalise(joined, tokenizer.notation) if tokenizer.notation else joined
    )


@given(text=st.text())
def test_a_text_never_becomes_a_special_token_but_unknown(text):
    for tokenizer in (SINGLE, EXACT, BINARY, DIALECTS):
        assert not {PAD, BOS, EOS, UNK + 1, UNK + 2} & set(tokenizer.encode(text)) - set(range(len(SPECIALS), 300))


def test_an_example_knows_where_its_target_begins():
    ids, start = SINGLE.example(PAIRS[3])
    assert ids[0] == BOS
    assert ids[-1] == EOS
    assert SINGLE.decode(ids[1 : start - 1]) == PAIRS[3].prompt
    assert SINGLE.decode(ids[start - 1 : start]) == "\n"
    assert SINGLE.decode(ids[start:-1]) == PAIRS[3].target
    assert ids[:start] == SINGLE.context(PAIRS[3].prompt)


def test_a_prompt_that_is_certainly_too_long_is_not_encoded(monkeypatch):
    tokenizer = trained("exact")
    fewest = len("x" * 200_000) // max(len(token) for token in tokenizer.tokens() if token[0] != "[")
    assert len(tokenizer.context("x" * 200)) >= 200
    monkeypatch.setattr(tokenizer, "context", None)
    with pytest.raises(LimitFault, match=f"the prompt has at least {fewest:,} tokens, and"):
        tokenizer.context_below(320, "x" * 200_000)


def test_training_is_reproducible_and_the_file_comes_back():
    data = SINGLE.to_json()
    assert trained().to_json() == data
    again = TextTokenizer.from_json(data, "it")
    assert again.to_json() == data
    assert again.encode("[EOS] INSTR CALL") == SINGLE.encode("[EOS] INSTR CALL")


@pytest.mark.parametrize("tokens", ["merged", "digits", "exact", "binary", "brackets"])
def test_each_of_several_dialects_has_a_token_to_begin_with(tokens):
    tokenizer = trained(tokens, dialects=2)
    again = TextTokenizer.from_json(tokenizer.to_json(), "it")
    assert again.dialects == 2
    assert [again.context("CALL", dialect)[0] for dialect in (0, 1)] == [len(SPECIALS), len(SPECIALS) + 1]
    assert again.context("CALL", 0)[1:] == again.context("CALL", 1)[1:]
    assert again.context_below(99, "CALL", 1) == again.context("CALL", 1)
    assert again.decode(again.context("CALL", 1)) == f"{NO_TEXT}CALL\n"
    assert EXACT.dialects == SINGLE.dialects == 1


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=list(NOTATIONS))
@given(text=st.text("B7 120,[]-x"))
def test_inward_and_outward_undo_each_other(notation, text):
    assert denormalise(normalise(text, notation), notation) == text


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("n=120 prev=-1", "n=021 prev=-1"),
        ("[B12, B3], [B40]", "[B12B3], [B40]"),
        ("B1B2", "B1\u2060B2"),
        ("B1,B2, 34", "B1,B2, 43"),
        ("\u2060", NO_TEXT),
    ],
)
def test_digits_are_reversed_and_commas_between_names_are_implied(text, within):
    assert normalise(text, DECIMAL) == within


@given(number=st.integers(0, 10**30), zeros=st.integers(0, 3))
def test_a_binary_number_has_its_value_and_keeps_the_zeros_before_it(number, zeros):
    text = "0" * zeros + str(number)
    within = normalise(text, NOTATIONS["binary"])
    assert within == f"{'0' * zeros}{number:b}"[::-1]
    assert int(within[::-1], 2) == number


def test_a_number_that_is_too_long_for_binary_digits_is_unknown():
    for most, text in ((599, "9" * 599), (599, "0" * 599)):
        assert BINARY.decode(BINARY.encode(text)) == text
        assert BINARY.encode(f"{text}9") == [UNK], most
    one = BINARY.encode("1")
    assert BINARY.decode(1_990 * one) == str(2**1_990 - 1)
    assert BINARY.decode(1_991 * one) == NO_TEXT


@given(text=st.text("B7 10,[]-x"))
def test_each_bracket_is_a_token_of_its_own(text):
    tokenizer = TextTokenizer.train(
        [Pair(text, "[B1, B7] & x=[B7], [10 -x"), Pair("[]", "]] [[")], 300, 1, tokens="brackets"
    )
    again = TextTokenizer.from_json(tokenizer.to_json(), "it")
    ids = again.encode(text)
    assert again.decode(ids) == text
    brackets = [tokenizer.encode(bracket)[0] for bracket in "[]"]
    assert [ids.count(bracket) for bracket in brackets] == [text.count("["), text.count("]")]


def test_a_list_has_as_many_tokens_as_items_and_an_empty_one_its_two_ends():
    pairs = [Pair(f"CALL start=[{', '.join(f'B{n}' for n in range(k))}] & goal=[B1]", "PTR=-1") for k in range(4)]
    tokenizer = TextTokenizer.train(pairs, 200, 1, tokens="exact")
    assert [len(tokenizer.encode(pair.prompt)) for pair in pairs] == [4, 5, 6, 7]
    names = [tokenizer.decode([token]) for token in tokenizer.encode(pairs[2].prompt)]
    assert names == ["CALL start=[", "B0", "B1", "] & goal=[", "B1", "]"]
    assert [tokenizer.kinds()[token] for token in tokenizer.encode(pairs[2].prompt)] == [0, 1, 1, 0, 1, 0]
    assert [tokenizer.kinds()[token] for token in tokenizer.encode("PTR=-1")] == [0, 2]


def _set(path, value):
    def change(file):
        *parents, last = path.split(".")
        for parent in parents:
            file = file[parent]
        file[last] = value

    return change


def _add(file, *tokens):
    vocab = file["model"]["vocab"]
    for token in tokens:
        vocab.setdefault(token, len(vocab))


def _make_special(file, special):
    """Merges by which the text of a special token becomes its id."""
    for end in range(1, len(special)):
        _add(file, special[:end], special[end])
        file["model"]["merges"].append([special[:end], special[end]])


@for_each(
    ("change", "fault"),
    [
        (_set("normalizer", {"type": "Lowercase"}), "'normalizer' is not one that coc makes"),
        (_set("post_processor", {"type": "ByteLevel"}), "'post_processor' is not one"),
        (_set("decoder", {"type": "ByteLevel"}), "'(decoder|pre_tokenizer)' is not one"),
        (_set("pre_tokenizer", {"type": "Split", "pattern": {"Regex": "(a+)+"}}), "'pre_tokenizer' is not one"),
        (_set("truncation", {"max_length": 1}), "'truncation' is not one"),
        (_set("added_tokens", []), "'added_tokens' is not one"),
        (_set("extra", 1), "'extra' is not one"),
        (lambda file: file.pop("decoder"), "'decoder' is not one that coc makes: nothing"),
        (lambda file: file.pop("model"), "'model' is not one"),
        (_set("model", {"type": "WordLevel"}), "'model' is not one"),
        (_set("model.dropout", 0.5), "'model' is not one"),
        (_set("model.byte_fallback", True), "'model' is not one"),
        (_set("model.vocab", []), "not a table of ids"),
        (_set("model.vocab.x", "7"), "not a table of ids"),
        (_set("model.vocab.x", 10**6), "not 0 to"),
        (_set("model.vocab.x", 2), "not 0 to"),
        (lambda file: file["model"]["vocab"].update({"[PAD]": 1, "[BOS]": 0}), "not the first ids"),
        (_set("model.vocab", {}), "the special tokens are not the first ids"),
        (
            _set("model.vocab", {str(number): number for number in range(65_537)}),
            "has 65,537 tokens, and 65,536 are allowed",
        ),
        (lambda file: _add(file, 1_001 * "x"), "has a token of 1,001 characters, and 1,000 are allowed"),
        (lambda file: _add(file, "x\ud800"), "has a token that is not text"),
        (lambda file: _make_special(file, "[EOS]"), "a merge makes a special token of a text"),
        (_set("model.merges", [["x", "1"]]), "a merge is not a pair"),
        (_set("decoder", FILE["decoder"]), "exact: 'decoder' is not one"),
        (_set("model.ignore_merges", False), "exact: 'model' is not one"),
        (_set("model.merges", [["A", "L"]]), "exact: a merge is not a pair"),
        (lambda file: file["added_tokens"].pop(), "exact: 'added_tokens' is not one"),
    ],
)
def test_a_strangers_tokenizer_is_rejected(change, fault):
    stranger = copy.deepcopy(EXACT_FILE if fault.startswith("exact: ") else FILE)
    change(stranger)
    with pytest.raises(ArtefactError, match=f"^it.*{fault.removeprefix('exact: ')}"):
        TextTokenizer.from_json(json.dumps(stranger).encode(), "it")


def test_a_file_that_is_not_strict_json_is_rejected():
    for data in (b"", b"\xff", b'{"model": 1, "model": 2}', SINGLE.to_json()[:-50]):
        with pytest.raises(ArtefactError, match=r"^it.*strict JSON"):
            TextTokenizer.from_json(data, "it")


WITH_LISTS = [*PAIRS, Pair("PUSH a=[B1, B12] b=[]", "OUTPUT Bx-12 [[B1], [B2, B3]] c=[-1]")]
READERS = {kind: TextTokenizer.train(WITH_LISTS, 200, 1, tokens=kind) for kind in (*NOTATIONS, "digits")}


@pytest.mark.parametrize("tokens", READERS)
@given(
    text=st.lists(st.sampled_from(["B1", "B12", "x", "12", "0", "[", "]", ", ", "[-", "-", "\n", "ß", " ", "PUSH a=["]))
)
def test_parts_and_drafts_that_are_known_change_nothing(tokens, text):
    tokenizer, whole = READERS[tokens], "".join(text)
    ids = tokenizer.encode(whole)
    assert ids == tokenizer._read(whole) == tokenizer.encode(whole)
    assert tokenizer.draft_below(1_000, whole) == ids
    if UNK not in ids and whole.isascii():
        assert tokenizer.decode(ids) == whole
    assert tokenizer.target([*ids, EOS], whole, ids) == tokenizer.target([*ids, EOS]) == tokenizer.decode(ids)
    assert tokenizer.target([EOS], whole, []) == ""
