"""Greedy decoding: as the plain forward pass says, in any company, and never from broken numbers."""

from pathlib import Path

import pytest
import torch

from coc_core.checkpoint import read_config
from coc_core.data import Pair
from coc_core.errors import LimitFault, NumericFault
from coc_transformer import checkpoint
from coc_transformer import decode as module
from coc_transformer.config import ModelConfig
from coc_transformer.decode import decode
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, NO_TEXT, TextTokenizer

PROMPTS = ["SUCC n=3", "SUCC n=11", "SUCC n=1", "n", "", "SUCC SUCC n=7", "SUCC n=4"]


@pytest.fixture(scope="module")
def trained(toy_checkpoint: Path) -> tuple[Decoder, TextTokenizer]:
    return checkpoint.load(toy_checkpoint, read_config(toy_checkpoint)[1])


@pytest.fixture(scope="module", params=range(4))
def noisy(request: pytest.FixtureRequest, trained: tuple[Decoder, TextTokenizer]) -> tuple[Decoder, TextTokenizer]:
    """A model with random, large weights: it ends its answers at any length, or never."""
    _, tokenizer = trained
    torch.manual_seed(request.param)
    model = Decoder(ModelConfig(tokenizer.size, 16, 2, 2, 32, max_len=24, dropout=0.0))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.eval(), tokenizer


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


def test_the_cache_changes_no_answer(
    trained: tuple[Decoder, TextTokenizer], noisy: tuple[Decoder, TextTokenizer]
) -> None:
    for model, tokenizer in (trained, noisy):
        assert decode(model, tokenizer, PROMPTS).texts == [naively(model, tokenizer, prompt) for prompt in PROMPTS]


@pytest.mark.parametrize("floats", [1, 1 << 13, 1 << 26])
def test_company_changes_no_answer(
    noisy: tuple[Decoder, TextTokenizer], monkeypatch: pytest.MonkeyPatch, floats: int
) -> None:
    model, tokenizer = noisy
    alone = [decode(model, tokenizer, [prompt]) for prompt in PROMPTS]
    monkeypatch.setattr(module, "_CACHE_FLOATS", floats)
    together = decode(model, tokenizer, PROMPTS)
    assert together.texts == [text for answer in alone for text in answer.texts]
    assert together.margin == pytest.approx(min(answer.margin for answer in alone), abs=1e-4)


def test_nothing_asked_is_nothing_answered(trained: tuple[Decoder, TextTokenizer]) -> None:
    decoded = decode(*trained, [])
    assert (decoded.texts, decoded.margin) == ([], float("inf"))


def test_a_text_that_the_context_cuts_off_says_so(
    trained: tuple[Decoder, TextTokenizer], toy_pairs: tuple[Pair, ...]
) -> None:
    model, tokenizer = trained
    pair = toy_pairs[3]
    whole, start = tokenizer.example(pair)
    prompt = tokenizer.context(pair.prompt)
    for length in range(start + 1, len(whole) + 1):
        short = Decoder(ModelConfig(**{**_sizes(model.config), "max_len": length}))
        state = model.state_dict()
        state["positions.weight"] = state["positions.weight"][:length]
        short.load_state_dict(state)
        [text] = decode(short.eval(), tokenizer, [pair.prompt]).texts
        expected = tokenizer.decode(whole[len(prompt) : length]) + NO_TEXT
        assert text == (expected if length < len(whole) else pair.target)


def _sizes(config: ModelConfig) -> dict[str, float]:
    return {name: getattr(config, name) for name in ("vocab", "d_model", "layers", "heads", "d_ff", "dropout")}


def test_a_prompt_that_leaves_no_room_is_a_limit_fault(trained: tuple[Decoder, TextTokenizer]) -> None:
    with pytest.raises(LimitFault, match="tokens, and the model's context ends at 32") as caught:
        decode(*trained, ["SUCC n=1", "1" * 30])
    assert caught.value.text == "1" * 30


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_broken_numbers_are_a_numeric_fault(noisy: tuple[Decoder, TextTokenizer], value: float) -> None:
    model, tokenizer = noisy
    weight = model.blocks[1].down.weight.data
    kept = weight[0, 0].item()
    try:
        weight[0, 0] = value
        with pytest.raises(NumericFault, match="not finite"):
            decode(model, tokenizer, ["SUCC n=3"])
    finally:
        weight[0, 0] = kept


@pytest.mark.parametrize("small", [0, 10**9])
def test_the_callers_threads_are_put_back(
    trained: tuple[Decoder, TextTokenizer], monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(module, "_SMALL", small)
    torch.set_num_threads(2)
    try:
        decode(*trained, ["SUCC n=3"])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)
