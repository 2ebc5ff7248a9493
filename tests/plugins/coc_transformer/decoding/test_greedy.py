"""Greedy decoding: as the plain forward pass says, in any company, and never from broken numbers."""

from typing import Any

import pytest
import torch
from attrs import evolve
from hypothesis import given, settings, strategies as st

from coc_core.errors import LimitFault, NumericFault
from coc_core.models import Pair
from coc_transformer import continuation
from coc_transformer.continuation import decode, decode_until_mismatch
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.network import base, device
from coc_transformer.tokenizer import EOS, NO_TEXT, TextTokenizer
from tests.support.for_each import for_each

Model = tuple[Decoder, TextTokenizer]

PROMPTS = ["SUCC n=3", "SUCC n=11", "SUCC n=1", "n", "", "SUCC SUCC n=7", "SUCC n=4"]


KINDS = [
    ("merged", "absolute", 0, 0),
    ("digits", "absolute", 2, 0),
    ("exact", "structural", 0, 3),
    ("exact", "structural", 2, 0),
    ("brackets", "fields", 2, 0),
]
MODELS = [(seed, *kind) for seed, kind in enumerate(KINDS)]


def make_noisy(seed: int, tokens: str, positions: str, token_shift: int, rotary: int, pairs: tuple[Pair, ...]) -> Model:
    """A model with random, large weights: it ends its targets at any length, or never."""
    tokenizer = TextTokenizer.train(pairs, 512, 2, tokens=tokens)
    torch.manual_seed(seed)
    sizes = {"d_model": 16, "layers": 2, "heads": 2, "d_ff": 32, "max_len": 24, "dropout": 0.0}
    config = ModelConfig(
        vocab=tokenizer.size,
        positions=positions,
        token_shift=token_shift,
        rotary=rotary,
        **sizes,  # type: ignore[arg-type]
    )
    model = Decoder(config, tokenizer.kinds())
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False).eval(), tokenizer


@pytest.fixture(scope="module", params=MODELS, ids=lambda values: "-".join(map(str, values)))
def noisy(request: pytest.FixtureRequest, toy_pairs: tuple[Pair, ...]) -> Model:
    return make_noisy(*request.param, pairs=toy_pairs)


@torch.inference_mode()
def naively(model: Decoder, tokenizer: TextTokenizer, prompt: str) -> str:
    """Greedy decoding that reads the whole sequence anew for each token."""
    ids = tokenizer.context(prompt)
    start = len(ids)
    while len(ids) < model.config.max_len:
        token = int(model(torch.tensor([ids]))[0, -1].argmax())
        if token == EOS:
            return tokenizer.decode(ids[start:])
        ids.append(token)
    return tokenizer.decode(ids[start:]) + NO_TEXT


def test_the_kv_cache_changes_no_target(trained: Model, noisy: Model) -> None:
    for model, tokenizer in (trained, noisy):
        assert decode(model, tokenizer, PROMPTS).texts == [naively(model, tokenizer, prompt) for prompt in PROMPTS]


def test_a_text_that_the_context_cuts_off_says_so(trained: Model, toy_pairs: tuple[Pair, ...]) -> None:
    model, tokenizer = trained
    pair = toy_pairs[3]
    whole, start = tokenizer.example(pair)
    prompt = tokenizer.context(pair.prompt)
    for length in range(start + 1, len(whole) + 1):
        short = shortened(model, tokenizer, length)
        expected = tokenizer.decode(whole[len(prompt) : length]) + NO_TEXT
        for guesses in (None, [pair.target], [""], [pair.target[:7]]):
            [text] = decode(short, tokenizer, [pair.prompt], guesses).texts
            assert text == (expected if length < len(whole) else pair.target)


def shortened(model: Decoder, tokenizer: TextTokenizer, length: int) -> Decoder:
    """The same model with less room."""
    short = Decoder(evolve(model.config, max_len=length), tokenizer.kinds())
    state = {
        name: value[:length] if name == "positions.weight" else value for name, value in model.state_dict().items()
    }
    short.load_state_dict(state)
    return short.requires_grad_(False).eval()


def test_a_prompt_that_leaves_no_room_is_a_limit_fault(trained: Model) -> None:
    with pytest.raises(LimitFault, match="tokens, and the model's context ends at 32") as caught:
        decode(*trained, ["SUCC n=1", "1" * 30])
    assert caught.value.text == "1" * 30


@for_each("value", [float("nan"), float("inf"), -float("inf")])
def test_broken_numbers_are_a_numeric_fault(noisy: Model, value: float) -> None:
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


@pytest.mark.parametrize("small", [0, 10**9])
def test_the_callers_threads_are_put_back(trained: Model, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    monkeypatch.setattr(device, "SMALL", small)
    torch.set_num_threads(2)
    try:
        decode(*trained, ["SUCC n=3"])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


# ── drafts ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def guesses_at(answer: str) -> list[str]:
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


def test_drafts_change_no_target(noisy: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_READ_CPU", 64)
    model, tokenizer = noisy
    plain = decode(model, tokenizer, PROMPTS)
    predicted = [
        (place, guess) for place, text in enumerate(plain.texts) for guess in guesses_at(text.replace(NO_TEXT, "?"))
    ]
    found = decode(model, tokenizer, [PROMPTS[place] for place, _ in predicted], [guess for _, guess in predicted])
    assert found.texts == [plain.texts[place] for place, _ in predicted]
    assert found.margins == pytest.approx([plain.margins[place] for place, _ in predicted], abs=1e-4)


def test_a_right_draft_is_not_decoded(
    trained: Model, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = [pair.target for pair in toy_pairs]
    prompts = [pair.prompt for pair in toy_pairs]
    plain = decode(*trained, prompts)
    monkeypatch.setattr(Decoder, "begin", None)
    found = decode(*trained, prompts, targets)
    assert found.texts == targets
    assert found.margins == pytest.approx(plain.margins, abs=1e-4)


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[continuation.Ids]:
    """The sequences that are decoded, each batch as it was begun."""
    decoded: list[continuation.Ids] = []
    plainly = Decoder.begin

    def watched(model: Decoder, ids: continuation.Ids) -> Any:
        decoded.append(ids)
        return plainly(model, ids)

    monkeypatch.setattr(Decoder, "begin", watched)
    return decoded


def test_only_what_follows_the_first_difference_is_decoded(
    trained: Model, toy_pairs: tuple[Pair, ...], decoded: list[continuation.Ids]
) -> None:
    model, tokenizer = trained
    pair = toy_pairs[4]
    draft = pair.target[:-1] + "3"
    assert decode(model, tokenizer, [pair.prompt], [draft]).texts == [pair.target]
    right, _ = tokenizer.example(pair)
    assert decoded == [[right[:-1]]]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(PROMPTS), st.booleans(), st.text("SUC n=1234\nPH") | st.text()), max_size=8))
def test_whatever_is_right_comes_first(predicted: list[tuple[str, bool, str]]) -> None:
    model, tokenizer = make_noisy(5, "exact", "structural", 1, 0, (Pair("SUCC n=1", "PUSH n=2\nPUSH n=1"),))
    prompts = [prompt for prompt, _, _ in predicted]
    plain = decode(model, tokenizer, prompts)
    guesses = [text if right else guess for text, (_, right, guess) in zip(plain.texts, predicted, strict=True)]
    found = decode_until_mismatch(model, tokenizer, prompts, guesses)
    wrong = [place for place, text in enumerate(plain.texts) if text != guesses[place]]
    count = wrong[0] + 1 if wrong else len(prompts)
    assert found.texts == plain.texts[:count]
    assert found.margins == pytest.approx(plain.margins[:count], abs=1e-4)


def test_nothing_behind_a_wrong_draft_is_decoded(
    trained: Model, toy_pairs: tuple[Pair, ...], decoded: list[continuation.Ids]
) -> None:
    prompts, targets = [pair.prompt for pair in toy_pairs[:5]], [pair.target for pair in toy_pairs[:5]]
    found = decode_until_mismatch(*trained, prompts, [*targets[:2], "n", "n", "n"])
    assert found.texts == targets[:3]
    assert [len(ids) for ids in decoded] == [1]
