"""Sampling: targets come with the probabilities that the model gives them, by seeds of their own."""

from collections import Counter, defaultdict
from math import sqrt

import torch

from coc_core.models import Pair
from coc_transformer.continuation import sample
from coc_transformer.decoding.backend import Transformer
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer

PROMPT = "SUCC n=3"


def made(pairs: tuple[Pair, ...], room: int) -> tuple[Decoder, TextTokenizer]:
    """A model with random weights whose context has room for so many tokens after the prompt, and its tokenizer."""
    tokenizer = TextTokenizer.train(pairs, 512, 2, tokens="exact", dialects=1)
    torch.manual_seed(2)
    longest = len(tokenizer.context_below(1000, PROMPT, 0)) + room
    config = ModelConfig(
        tokenizer.size, 16, 2, 2, 32, max_len=longest, dropout=0.0, positions="structural", token_shift=0
    )
    model = Decoder(config, tokenizer.kinds())
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False), tokenizer


def test_a_token_is_as_frequent_as_it_is_likely(toy_pairs: tuple[Pair, ...]) -> None:
    decoder, tokenizer = made(toy_pairs, 1)
    ids = tokenizer.context_below(1000, PROMPT, 0)
    likely = defaultdict[str, float](float)
    for token, probability in enumerate(decoder(torch.tensor([ids]))[0, -1].softmax(-1).tolist()):
        likely[tokenizer.target([token])] += probability
    count = 2000
    found = Counter(sample(decoder, tokenizer, [PROMPT] * count, range(count)))
    assert len(found) > 3
    assert found.keys() <= likely.keys()
    for text, probability in likely.items():
        assert abs(found[text] / count - probability) <= 4 * sqrt(probability * (1 - probability) / count) + 1e-3


def test_a_target_depends_on_its_seed_alone(toy_pairs: tuple[Pair, ...]) -> None:
    model = Transformer(*made(toy_pairs, 12), "toy")
    prompts = [PROMPT, "SUCC n=11", PROMPT, "SUCC", PROMPT]
    together = model.sample(prompts, [1, 2, 3, 4, 1])
    assert together == [
        model.sample([prompt], [seed])[0] for prompt, seed in zip(prompts, [1, 2, 3, 4, 1], strict=True)
    ]
    assert together[0] == together[4] != together[2]
    assert model.sample([], []) == []
    assert model.calls == 10
