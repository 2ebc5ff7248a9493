"""The backend behind the core's interface: drafts, dialects and margins."""

from pathlib import Path

import pytest
import torch

from coc_core.models import Identity, Pair
from coc_transformer.continuation import decode, sample
from coc_transformer.decoding.backend import Transformer, open_checkpoint
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer

DIALECTS = ("toy/stack", "toy/linked/numeric", "toy/linked/symbolic")


@pytest.fixture(scope="module")
def parts(toy_pairs: tuple[Pair, ...]) -> tuple[Decoder, TextTokenizer]:
    """A model with random weights that knows three dialects."""
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens="exact", dialects=len(DIALECTS))
    torch.manual_seed(2)
    config = ModelConfig(tokenizer.size, 16, 2, 2, 32, max_len=24, dropout=0.0, positions="structural", token_shift=0)
    model = Decoder(config, tokenizer.kinds())
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False), tokenizer


@pytest.fixture
def loaded(parts: tuple[Decoder, TextTokenizer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coc_transformer.decoding.backend.load_decoder", lambda folder, config: parts)
    monkeypatch.setattr("coc_transformer.files.checkpoint.fingerprint", lambda folder: "0")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_uses_its_dialect(parts: tuple[Decoder, TextTokenizer], loaded: None, tmp_path: Path, dialect: str) -> None:
    model = open_checkpoint(tmp_path, {}, Identity("transformer", DIALECTS), dialect)
    prompts = ["SUCC n=3", "SUCC n=11"]
    expected = decode(*parts, prompts, dialect=DIALECTS.index(dialect))
    assert model.complete(prompts) == expected.texts
    assert model.complete(prompts, drafts=[*expected.texts[:1], "PUSH"]) == expected.texts
    assert model.margin == pytest.approx(expected.margin, abs=1e-4)
    assert model.calls == 4
    assert model.sample(prompts, [1, 2]) == sample(*parts, prompts, [1, 2], DIALECTS.index(dialect))


def test_the_smallest_margin_is_kept(parts: tuple[Decoder, TextTokenizer]) -> None:
    model = Transformer(*parts, "toy")
    prompts = [f"SUCC n={n}" for n in range(5)]
    for prompt in prompts:
        model.complete([prompt])
    assert model.margin == pytest.approx(decode(*parts, prompts).margin, abs=1e-4)
