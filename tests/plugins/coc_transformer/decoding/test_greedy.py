"""Greedy decoding: as the plain forward pass says, in any company, and never from broken numbers."""

from collections import Counter

import pytest
import torch
from attrs import evolve
from hypothesis import given, settings, strategies as st

from coc_core.errors import LimitFault, NumericFault
from coc_core.models import Pair
from coc_transformer.continuation import EMPTY, complete, verify
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import Decoder
from coc_transformer.network import base, own_network
from coc_transformer.tokenizer import EOS, UNK, TextTokenizer
from coc_transformer.tokenizer.tokens import NO_TEXT, SPACE
from tests.plugins.coc_transformer.conftest import decode
from tests.support.for_each import for_each
from tests.support.networks import Stepping, Sums
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
UNKNOWN = ["PUSH Z", "Z", "PUSH n=1 ~", "é", "PUSH " + SPACE, "\u2060", "\ud800"]
KNOWN = [
    ("merged", SPACE),
    ("digits", "PUSH " + SPACE),
    ("exact", "\u2060"),
]  # if U+FFFD is a token, as which it is read
KNOWN += [(tokens, "\ud800") for tokens, _ in KNOWN]


@for_each(
    ("tokens", "draft", "known"),
    [(tokens, draft, False) for tokens, _ in KNOWN[:3] for draft in UNKNOWN] + [(*each, True) for each in KNOWN],
)
def test_no_text_of_a_draft_stands_for_tokens_that_have_another_text(toy_pairs, scripted, tokens, draft, known):
    pairs = [*toy_pairs, Pair(NO_TEXT, NO_TEXT)] if known else toy_pairs
    tokenizer = TextTokenizer.train(pairs, 512, 1 if known else 2, tokens=tokens)
    ids, start = tokenizer.encode(draft), len(tokenizer.context(PROMPT)) - 1
    assert (UNK in ids) != known
    network = scripted(tokenizer.size, [EOS] * start + [*ids, EOS] + [EOS] * 4)
    model = Transformer(network, tokenizer, "scripted")
    [plain] = model.complete([PROMPT])
    assert NO_TEXT in plain
    assert model.complete([PROMPT], [draft]) == [plain] == model.verify([PROMPT, PROMPT], [draft, draft])


WAITING = ("cpu", "item", "tolist", "numpy", "__bool__", "__int__", "__float__", "__index__")
"""What reads a tensor's numbers. On a GPU, each waits until these are computed."""


@pytest.fixture
def waits(monkeypatch):
    """How often the host has waited, by method; a copy of a matrix is one of logits to the host."""
    counts = Counter()

    def watch(name):
        method = getattr(torch.Tensor, name)

        def watched(self, *arguments, **options):
            counts[name] += name != "copy_" or self.dim() == 2
            return method(self, *arguments, **options)

        monkeypatch.setattr(torch.Tensor, name, watched)

    for name in (*WAITING, "copy_"):
        watch(name)
    return counts


def test_the_decoder_waits_once_a_token(trained, toy_pairs, waits):
    prompts, targets = zip(*toy_pairs[:9], strict=True)
    assert decode(*trained, prompts) == list(targets)
    assert +waits == {"copy_": max(len(trained[1].encode(target)) + 1 for target in targets)}


@pytest.mark.parametrize("kind", [Sums, Stepping])
def test_another_network_waits_once_a_token_whatever_the_lengths(kind, waits, toy_pairs):
    tokenizer = TextTokenizer.train(toy_pairs, 64, 2, tokens="digits")
    network = own_network(kind).config({"width": 16}, tokenizer.size, 24).network().requires_grad_(False).eval()
    waits.clear()
    with network.computing():
        found = complete(network, list(map(tokenizer.context, ["PUSH", "PUSH n=1", "PUSH n=12"])), [EMPTY] * 3)
    assert waits["cpu"] == max(len(target.ids) for target in found)
    assert {*+waits} == {"cpu", "numpy"}


def test_drafts_of_a_batch_wait_once(trained, toy_pairs, waits):
    model, tokenizer = trained
    contexts = [tokenizer.context(pair.prompt) for pair in toy_pairs[:9]]
    verify(model, contexts, [tokenizer.encode(pair.target) for pair in toy_pairs[:9]])
    assert waits["cpu"] == 1
    assert {*+waits} == {"cpu", "numpy"}
