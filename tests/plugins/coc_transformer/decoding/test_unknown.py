"""A response is the text of the tokens that the model chose, whatever the draft says."""

from collections.abc import Callable

import pytest

from coc_core.models import Pair
from coc_transformer.continuation import decode, decode_until_mismatch
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, NO_TEXT, SPACE, UNK, TextTokenizer
from tests.support.for_each import for_each

Scripted = Callable[[int, list[int]], Decoder]
PROMPT = "SUCC n=3"
KINDS = ["merged", "digits", "exact"]


def writing(tokenizer: TextTokenizer, scripted: Scripted, target: list[int]) -> Decoder:
    """A model that responds to PROMPT with this target."""
    start = len(tokenizer.context(PROMPT)) - 1
    return scripted(tokenizer.size, [EOS] * start + target + [EOS] * 4)


@for_each("tokens", KINDS)
@for_each("draft", ["PUSH Z", "Z", "PUSH n=1 ~", "é", "PUSH " + SPACE, "\u2060", "\ud800"])
def test_no_text_of_a_draft_stands_for_an_unknown_token(
    toy_pairs: tuple[Pair, ...], scripted: Scripted, tokens: str, draft: str
) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens=tokens)
    ids = tokenizer.encode(draft)
    assert UNK in ids
    model = writing(tokenizer, scripted, [*ids, EOS])
    [plain] = decode(model, tokenizer, [PROMPT]).texts
    assert NO_TEXT in plain
    assert decode(model, tokenizer, [PROMPT], [draft]).texts == [plain]
    assert decode_until_mismatch(model, tokenizer, [PROMPT, PROMPT], [draft, draft]).texts == [plain]
    backend = Transformer(model, tokenizer, label="scripted")
    assert backend.complete([PROMPT], [draft]) == [plain] == backend.verify([PROMPT], [draft])


@for_each(
    ("tokens", "draft"),
    [
        ("merged", SPACE),
        ("merged", "\ud800"),
        ("digits", "PUSH " + SPACE),
        ("digits", "\ud800"),
        ("exact", "\u2060"),
        ("exact", "\ud800"),
    ],
)
def test_no_text_of_a_draft_stands_for_a_token_that_has_another_text(
    toy_pairs: tuple[Pair, ...], scripted: Scripted, tokens: str, draft: str
) -> None:
    tokenizer = TextTokenizer.train([*toy_pairs, Pair(NO_TEXT, NO_TEXT)], 512, 1, tokens=tokens)
    ids = tokenizer.encode(draft)
    assert UNK not in ids
    model = writing(tokenizer, scripted, [*ids, EOS])
    [plain] = decode(model, tokenizer, [PROMPT]).texts
    assert decode(model, tokenizer, [PROMPT], [draft]).texts == [plain] != [draft]


def test_a_draft_that_is_far_too_long_is_not_read(
    toy_pairs: tuple[Pair, ...], trained: tuple[Decoder, TextTokenizer], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, tokenizer = trained
    pair, longest = toy_pairs[5], []
    encode = TextTokenizer.encode
    monkeypatch.setattr(TextTokenizer, "encode", lambda self, text: longest.append(len(text)) or encode(self, text))
    assert decode(model, tokenizer, [pair.prompt], ["n" * 100_000]).texts == [pair.target]
    assert max(longest) < 1_000
    assert decode(model, tokenizer, [pair.prompt], [pair.target + "\n" + pair.target]).texts == [pair.target]
