"""Log-probabilities of the tokens of known targets."""

from math import exp

import pytest
import torch

from coc_core.errors import LimitFault
from coc_core.models import Pair, TokenModel
from coc_transformer.decoding.backend import Transformer
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer
from tests.support.for_each import for_each

PROMPTS = [f"SUCC n={n}" for n in (3, 7, 11, 19)]


def made(pairs: tuple[Pair, ...], tokens: str, dialects: int = 1) -> tuple[Decoder, TextTokenizer]:
    """A model with random weights, and its tokenizer."""
    tokenizer = TextTokenizer.train(pairs, 512, 2, tokens=tokens, dialects=dialects)
    torch.manual_seed(2)
    config = ModelConfig(tokenizer.size, 16, 2, 2, 32, max_len=24, dropout=0.0, positions="structural", token_shift=0)
    model = Decoder(config, tokenizer.kinds())
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False), tokenizer


@pytest.fixture(scope="module")
def parts(toy_pairs: tuple[Pair, ...]) -> tuple[Decoder, TextTokenizer]:
    return made(toy_pairs, "exact")


@for_each("tokens", ["exact", "binary", "digits", "merged"])
@for_each("dialects", [1, 3])
def test_they_are_those_of_a_pass_over_one_pair(toy_pairs: tuple[Pair, ...], tokens: str, dialects: int) -> None:
    decoder, tokenizer = made(toy_pairs, tokens, dialects)
    dialect = dialects - 1
    model = Transformer(decoder, tokenizer, "toy", dialect)
    pairs = [Pair(prompt, target) for prompt in PROMPTS for target in ("PUSH SUCC n=4", "A", "")]
    scores = model.score([pair.prompt for pair in pairs], [pair.target for pair in pairs], 3)
    names = tokenizer.tokens()
    for pair, found in zip(pairs, scores, strict=True):
        ids, start = tokenizer.example(pair, dialect)
        logprobs = decoder(torch.tensor([ids]))[0].log_softmax(-1)
        target = ids[start:-1]
        assert model.encode(pair.target) == target
        assert [score.token for score in found] == [names[token] for token in target]
        for place, (token, score) in enumerate(zip(target, found, strict=True), start - 1):
            assert score.logprob == pytest.approx(logprobs[place, token].item(), abs=1e-4)
            best = logprobs[place].topk(3)
            assert list(score.top.values()) == pytest.approx(best.values.tolist(), abs=1e-4)
            assert sum(map(exp, score.top.values())) <= 1.0001


def test_a_written_token_is_the_likeliest_one(parts: tuple[Decoder, TextTokenizer]) -> None:
    model = Transformer(*parts, "toy")
    for target, scores in zip(model.complete(PROMPTS), model.score(PROMPTS, model.complete(PROMPTS), 1), strict=True):
        if model.decode(model.encode(target)) == target and "\ufffd" not in target:
            assert all(list(score.top) == [score.token] for score in scores)


def test_a_target_ends_with_the_context(parts: tuple[Decoder, TextTokenizer]) -> None:
    model = Transformer(*parts, "toy")
    (scores,) = model.score(["SUCC n=3"], ["PUSH " * 100], 0)
    assert len(scores) < 24
    with pytest.raises(LimitFault):
        model.score(["SUCC " * 100], ["PUSH"], 0)


@pytest.mark.parametrize("tokens", ["exact", "binary", "digits", "merged"])
def test_characters_that_no_token_stands_for(toy_pairs: tuple[Pair, ...], tokens: str) -> None:
    decoder, tokenizer = made(toy_pairs, tokens)
    model: TokenModel = Transformer(decoder, tokenizer, "toy")
    assert model.unknown_character("SUCC n=3") is None
    assert model.unknown_character("") is None
    assert model.unknown_character("SUCC ü n=3 é") == "ü"
    assert model.unknown_character("SUCC \ud800") == "\ufffd"
