"""Greedy decoding: as the plain forward pass says, in any company, and never from broken numbers."""

import pytest
import torch
from attrs import evolve
from hypothesis import given, settings, strategies as st

from coc_core.errors import LimitFault, NumericFault
from coc_core.models import Pair
from coc_transformer.continuation import EMPTY, complete, verify
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import Decoder
from coc_transformer.network import base
from coc_transformer.tokenizer import EOS, NO_TEXT, SPACE, UNK, TextTokenizer
from tests.plugins.coc_transformer.conftest import decode
from tests.support.for_each import for_each
from tests.support.random_checkpoints import random_decoder

PROMPTS = ["SUCC n=3", "SUCC n=11", "SUCC n=1", "n", "", "SUCC SUCC n=7", "SUCC n=4"]


KINDS = [
    ("merged", "absolute", 0, 0),
    ("digits", "absolute", 2, 0),
    ("exact", "structural", 0, 3),
    ("exact", "structural", 2, 0),
    ("brackets", "fields", 2, 0),
]


@pytest.fixture(scope="module", params=enumerate(KINDS), ids=str)
def noisy(request, toy_pairs):
    seed, (tokens, positions, shift, rotary) = request.param
    return random_decoder(toy_pairs, tokens, seed=seed, positions=positions, token_shift=shift, rotary=rotary)


@torch.inference_mode()
def naively(model, tokenizer, prompt):
    """Greedy decoding that reads the whole sequence anew for each token."""
    ids = tokenizer.context(prompt)
    start = len(ids)
    while len(ids) < model.config.max_len:
        token = int(model(torch.tensor([ids]))[0, -1].argmax())
        if token == EOS:
            return tokenizer.decode(ids[start:])
        ids.append(token)
    return tokenizer.decode(ids[start:]) + NO_TEXT


def test_the_kv_cache_changes_no_target(trained, noisy):
    for model, tokenizer in (trained, noisy):
        assert decode(model, tokenizer, PROMPTS) == [naively(model, tokenizer, prompt) for prompt in PROMPTS]


def test_a_text_that_the_context_cuts_off_says_so(trained, toy_pairs):
    model, tokenizer = trained
    pair = toy_pairs[3]
    whole, start = tokenizer.example(pair)
    prompt = tokenizer.context(pair.prompt)
    for length in range(start + 1, len(whole) + 1):
        short = shortened(model, tokenizer, length)
        expected = tokenizer.decode(whole[len(prompt) : length]) + NO_TEXT
        for guesses in (None, [pair.target], [""], [pair.target[:7]]):
            [text] = decode(short, tokenizer, [pair.prompt], guesses)
            assert text == (expected if length < len(whole) else pair.target)


def shortened(model, tokenizer, length):
    """The same model with less room."""
    short = Decoder(evolve(model.config, max_len=length), tokenizer.kinds())
    state = {
        name: value[:length] if name == "positions.weight" else value for name, value in model.state_dict().items()
    }
    short.load_state_dict(state)
    return short.requires_grad_(False).eval()


def test_a_prompt_that_leaves_no_room_is_a_limit_fault(trained):
    with pytest.raises(LimitFault, match="tokens, and the model's context ends at 32") as caught:
        decode(*trained, ["SUCC n=1", "1" * 30])
    assert caught.value.text == "1" * 30


@for_each("value", [float("nan"), float("inf"), -float("inf")])
def test_broken_numbers_are_a_numeric_fault(noisy, value):
    model, tokenizer = noisy
    weight = model.state_dict()["blocks.1.down.weight"]
    kept = weight[0, 0].item()
    try:
        weight[0, 0] = value
        for guesses in (None, ["PUSH n=4"]):
            with pytest.raises(NumericFault, match=r"not finite, after \d+ tokens"):
                decode(model, tokenizer, ["SUCC n=3"], guesses)
    finally:
        weight[0, 0] = kept


def guesses_at(answer):
    """Right, nearly right, cut off, empty, too long, and of characters that nobody knows."""
    wrong = [f"{answer[:place]}9{answer[place + 1 :]}" for place in range(0, len(answer), 5)]
    return [
        answer,
        *wrong,
        *(answer[:end] for end in range(0, len(answer), 4)),
        answer + "7",
        300 * "1",
        "Ünicode [EOS]",
    ]


def test_drafts_change_no_target(noisy, monkeypatch):
    monkeypatch.setattr(base, "_READ_CPU", 64)
    model, tokenizer = noisy
    plain = decode(model, tokenizer, PROMPTS)
    predicted = [(place, guess) for place, text in enumerate(plain) for guess in guesses_at(text.replace(NO_TEXT, "?"))]
    prompts, guesses = [PROMPTS[place] for place, _ in predicted], [guess for _, guess in predicted]
    assert decode(model, tokenizer, prompts, guesses) == [plain[place] for place, _ in predicted]
    contexts, drafts = [tokenizer.context(prompt) for prompt in prompts], list(map(tokenizer.encode, guesses))
    with model.computing():
        found = complete(model, contexts, verify(model, contexts, drafts))
        expected = complete(model, contexts, [EMPTY] * len(contexts))
    assert [each.ids for each in found] == [each.ids for each in expected]
    assert [each.margin for each in found] == pytest.approx([each.margin for each in expected], abs=1e-4)


def test_only_what_no_draft_has_right_is_decoded(trained, toy_pairs, monkeypatch):
    tokenizer, pair, plainly, decoded = trained[1], toy_pairs[4], Decoder.begin, []
    model = Transformer(*trained, "toy")
    monkeypatch.setattr(Decoder, "begin", lambda network, ids: decoded.append(ids) or plainly(network, ids))
    prompts, targets = [pair.prompt for pair in toy_pairs], [pair.target for pair in toy_pairs]
    assert (model.complete(prompts, targets), decoded) == (targets, [])
    assert model.complete([pair.prompt], [pair.target[:-1] + "3"]) == [pair.target]
    assert decoded.pop() == [tokenizer.example(pair)[0][:-1]]
    assert model.verify(prompts[:5], [*targets[:2], "n", "n", "n"]) == targets[:3]
    assert list(map(len, decoded)) == [1]


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(PROMPTS), st.booleans(), st.text("SUC n=1234\nPH") | st.text()),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_is_right_comes_first(predicted):
    parts = random_decoder((Pair("SUCC n=1", "PUSH n=2\nPUSH n=1"),), seed=5, token_shift=1)
    prompts, model, expected = [prompt for prompt, _, _ in predicted], *(Transformer(*parts, "toy") for _ in range(2))
    plain = decode(*parts, prompts)
    guesses = [text if right else guess for text, (_, right, guess) in zip(plain, predicted, strict=True)]
    wrong = [place for place, text in enumerate(plain) if text != guesses[place]]
    count = wrong[0] + 1 if wrong else len(prompts)
    assert model.verify(prompts, guesses) == plain[:count] == expected.complete(prompts[:count])
    assert model.margin == (expected.margin and pytest.approx(expected.margin, abs=1e-4))


PROMPT = "SUCC n=3"
TOKENS = ["merged", "digits", "exact"]


def writing(tokenizer, scripted, target):
    """A model that responds to PROMPT with this target."""
    start = len(tokenizer.context(PROMPT)) - 1
    return scripted(tokenizer.size, [EOS] * start + target + [EOS] * 4)


@for_each("tokens", TOKENS)
@for_each("draft", ["PUSH Z", "Z", "PUSH n=1 ~", "é", "PUSH " + SPACE, "\u2060", "\ud800"])
def test_no_text_of_a_draft_stands_for_an_unknown_token(toy_pairs, scripted, tokens, draft):
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens=tokens)
    ids = tokenizer.encode(draft)
    assert UNK in ids
    model = Transformer(writing(tokenizer, scripted, [*ids, EOS]), tokenizer, "scripted")
    [plain] = model.complete([PROMPT])
    assert NO_TEXT in plain
    assert model.complete([PROMPT], [draft]) == [plain] == model.verify([PROMPT, PROMPT], [draft, draft])


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
def test_no_text_of_a_draft_stands_for_a_token_that_has_another_text(toy_pairs, scripted, tokens, draft):
    tokenizer = TextTokenizer.train([*toy_pairs, Pair(NO_TEXT, NO_TEXT)], 512, 1, tokens=tokens)
    ids = tokenizer.encode(draft)
    assert UNK not in ids
    model = writing(tokenizer, scripted, [*ids, EOS])
    assert decode(model, tokenizer, [PROMPT], [draft]) == decode(model, tokenizer, [PROMPT]) != [draft]
