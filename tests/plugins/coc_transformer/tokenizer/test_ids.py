"""Which tokens are learned, which ids a text gets, and what is refused at once because it is certainly too long."""

import json

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_transformer.tokenizer import EOS, ITEM, UNK, TextTokenizer, tokenizer as module
from coc_transformer.tokenizer.tokens import NO_TEXT, SPECIALS

TOKENS = ["merged", "digits", "exact", "binary", "brackets"]
LISTS = [Pair("CALL [B2, B1, B2]", "PUSH [X2, B1] x7"), Pair("CALL [B2, X2]", "PUSH [B2] x7")]


def trained(tokens="exact", pairs=LISTS, vocab=200, **options):
    return TextTokenizer.train(pairs, vocab, options.pop("min_frequency", 1), tokens=tokens, **options)


def characters_only(tokens="exact"):
    return trained(tokens, min_frequency=1_000)


def vocabulary(tokenizer):
    return dict(json.loads(tokenizer.to_json())["model"]["vocab"])


def reordered(tokenizer, first):
    """The same, but a stranger has given this token the first id after the special ones."""
    file = json.loads(tokenizer.to_json())
    vocab = file["model"]["vocab"]
    other = next(token for token, number in vocab.items() if number == len(SPECIALS))
    vocab[first], vocab[other] = vocab[other], vocab[first]
    return TextTokenizer.from_json(json.dumps(file).encode(), "it")


@pytest.mark.parametrize("tokens", TOKENS)
def test_the_vocabulary_is_no_larger_than_asked_but_has_every_character(tokens):
    least = characters_only(tokens).size
    assert trained(tokens, vocab=1).size == trained(tokens, vocab=least).size == least
    assert trained(tokens, vocab=least + 2).size == least + 2
    assert least + 2 < trained(tokens).size


@pytest.mark.parametrize("tokens", TOKENS)
def test_what_occurs_less_often_than_asked_becomes_no_token(tokens):
    assert all(len(token) == 1 for token in set(vocabulary(characters_only(tokens))) - set(SPECIALS))
    assert len(trained(tokens).encode("CALL [")) < len(characters_only(tokens).encode("CALL ["))


def test_the_most_frequent_chunk_becomes_a_token_first():
    pairs = [Pair("aa", "bb1"), Pair("bb2", "bb3"), Pair("bb4", "cc5cc")]
    alone = trained(pairs=[*pairs, Pair("b b", "b b")], vocab=trained(pairs=pairs, min_frequency=9).size + 2)
    learned = [token for token in vocabulary(alone) if len(token) > 1 and token not in SPECIALS]
    assert learned == ["b b"]


def test_names_with_the_same_letters_are_a_kind_in_the_order_of_their_ids():
    tokenizer = trained()
    ids = vocabulary(tokenizer)
    assert ids["B2"] < ids["B1"]
    kinds = {"B": [ids["B2"], ids["B1"]], "X": [ids["X2"]], "x": [ids["x7"]]}
    assert tokenizer.names() == kinds
    assert [kind[0] for kind in tokenizer.names().values()] == sorted(kind[0] for kind in kinds.values())
    moved = reordered(tokenizer, "B1")
    assert moved.names()["B"] == [len(SPECIALS), ids["B2"]]
    assert trained("merged").names() == trained("digits").names() == {}


def test_names_of_a_pool_get_tokens_whether_they_occur_or_not():
    pool = ["B1", "B2", "B3", "B40"]
    tokenizer = TextTokenizer.train([Pair("[B2, B7]", "B7")], 64, 1, tokens="exact", name_pool=pool)
    assert {tokenizer.decode([number]) for number in tokenizer.names()["B"]} == {*pool, "B7"}
    for text in ("[B40, B3]", "B1"):
        assert tokenizer.decode(tokenizer.encode(text)) == text
        assert UNK not in tokenizer.encode(text)
    again = TextTokenizer.from_json(tokenizer.to_json(), "again")
    assert again.encode("[B40, B7, B1]") == tokenizer.encode("[B40, B7, B1]")


def test_a_pool_that_does_not_fit_is_refused():
    pool = [f"B{number}" for number in range(1, 101)]
    with pytest.raises(UsageError, match="a pool of 100 names makes a vocabulary of") as caught:
        TextTokenizer.train([Pair("[B2]", "B7")], 64, 1, tokens="exact", name_pool=pool)
    assert caught.value.remedy == "lower 'name_pool', or raise 'vocab' from 64"


def test_a_comma_after_a_space_begins_an_item():
    tokenizer = trained("digits", [Pair("a , b , c", "a , b , c")] * 3)
    assert tokenizer.kinds()[vocabulary(tokenizer)["\u2581,"]] == ITEM


@pytest.mark.parametrize("tokens", TOKENS)
def test_a_lone_surrogate_is_unknown_and_a_pair_of_them_is_its_character(tokens):
    tokenizer = trained(tokens, [*LISTS, Pair("\U0001f600", "\U0001f600")])
    for lone in ("\ud800", "\udfff"):
        assert tokenizer.encode(f"B{lone}B") == [*tokenizer.encode("B"), UNK, *tokenizer.encode("B")]
    assert tokenizer.encode("\ud83d\ude00") == tokenizer.encode("\U0001f600") != [UNK]


def test_a_target_is_whole_only_if_it_ends_with_eos():
    tokenizer = trained()
    ids = tokenizer.encode("PUSH [B1]")
    assert tokenizer.target([*ids, EOS]) == "PUSH [B1]"
    assert tokenizer.target(ids) == f"PUSH [B1]{NO_TEXT}"
    assert tokenizer.target([*ids, EOS, *ids]) == f"PUSH [B1]{NO_TEXT}PUSH [B1]{NO_TEXT}"
    assert tokenizer.target([*ids, EOS, EOS]) == f"PUSH [B1]{NO_TEXT}"
    assert (tokenizer.target([EOS]), tokenizer.target([])) == ("", NO_TEXT)
    assert tokenizer.target([ids[0], EOS, ids[0]]) == 2 * (tokenizer.decode(ids[:1]) + NO_TEXT)


def longest(tokenizer):
    return max(map(len, set(vocabulary(tokenizer)) - set(SPECIALS)))


def test_no_token_that_is_learned_is_longer_than_a_file_may_have():
    tokenizer = trained("merged", [Pair("x" * 4_000, "y")] * 2)
    assert 500 < longest(tokenizer) <= 1_000
    assert TextTokenizer.from_json(tokenizer.to_json(), "it").encode("xx") == tokenizer.encode("xx")


def test_a_draft_is_encoded_unless_it_is_certainly_too_long():
    for tokenizer in (characters_only(), trained()):
        most = longest(tokenizer)
        for length in (0, 1, 9, 10, 11, 10 * most - 1):
            draft = "[" * length
            certain = length > 10 and length >= 10 * most
            assert tokenizer.draft_below(10, draft) == ([] if certain else tokenizer.encode(draft))
        assert tokenizer.draft_below(10, "[" * max(11, 10 * most)) == []
        assert len(tokenizer.draft_below(10, "[" * 10)) == 10


def test_the_file_can_be_read_by_people():
    text = trained("digits").to_json().decode()
    assert "\u2581" in text
    assert text.endswith("}\n")
    assert text.splitlines()[1].startswith(' "')


def test_a_file_may_be_as_large_as_allowed(monkeypatch):
    data = trained().to_json()
    monkeypatch.setattr(module, "LARGEST_FILE", len(data))
    assert TextTokenizer.from_json(data, "it").to_json() == data
    with pytest.raises(ArtefactError, match=f"^it is larger than {len(data):,} bytes$"):
        TextTokenizer.from_json(data + b" ", "it")
