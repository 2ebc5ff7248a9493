"""What counts as exact: every token of the target, and none of them unknown."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from coc_core.models import Pair
from coc_transformer.batches import Costs, tokenise
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, UNK, TextTokenizer
from coc_transformer.training.measure import Measurement, measure
from coc_transformer.training.processes import ranks

Scripted = Callable[[int, list[int]], Decoder]
COSTS = Costs(overhead=128, most=4_096)


def measured(model: Decoder, tokenizer: TextTokenizer, pairs: list[Pair]) -> Measurement:
    examples = tokenise({0: pairs}, tokenizer, model.config.max_len)
    with ranks() as alone:
        return measure(model, examples, np.arange(len(pairs)), alone, COSTS)


@pytest.mark.parametrize("tokens", ["merged", "digits", "exact"])
def test_a_target_with_an_unknown_character_is_never_exact(
    toy_pairs: tuple[Pair, ...], scripted: Scripted, tokens: str
) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens=tokens)
    prompt = "SUCC n=3"
    start = len(tokenizer.context(prompt)) - 1
    for target, exact in (("PUSH n=3", 1), ("PUSH n=Z", 0), ("Z", 0), ("é", 0), ("ZZ", 0)):
        ids = tokenizer.encode(target)
        assert (UNK in ids) == (not exact)
        model = scripted(tokenizer.size, [EOS] * start + [*ids, EOS, EOS])
        found = measured(model, tokenizer, [Pair(prompt, target)])
        assert (found.exact, found.pairs, found.all_exact) == (exact, 1, bool(exact))
        assert (found.margin < float("inf")) == bool(exact)


def test_an_unknown_character_in_the_prompt_does_not_count(toy_pairs: tuple[Pair, ...], scripted: Scripted) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens="exact")
    prompt, target = "SUCC n=Z", "PUSH n=3"
    assert UNK in tokenizer.encode(prompt)
    model = scripted(
        tokenizer.size, [EOS] * (len(tokenizer.context(prompt)) - 1) + [*tokenizer.encode(target), EOS, EOS]
    )
    assert measured(model, tokenizer, [Pair(prompt, target)]).exact == 1


@pytest.mark.parametrize("place", [0, 1, -1])
def test_one_wrong_token_of_a_target_makes_it_wrong(
    toy_pairs: tuple[Pair, ...], scripted: Scripted, place: int
) -> None:
    tokenizer = TextTokenizer.train(toy_pairs, 512, 2, tokens="exact")
    prompt, right = "SUCC n=3", [*tokenizer.encode("PUSH n=4\nPUSH n=3"), EOS]
    start = len(tokenizer.context(prompt)) - 1
    pairs = [Pair(prompt, "PUSH n=4\nPUSH n=3")]
    assert measured(scripted(tokenizer.size, [EOS] * start + right + [EOS]), tokenizer, pairs).exact == 1
    wrong = list(right)
    wrong[place] = (right[place] + 1) % tokenizer.size
    assert measured(scripted(tokenizer.size, [EOS] * start + wrong + [EOS]), tokenizer, pairs).exact == 0


def test_the_model_stays_in_its_mode(toy_pairs: tuple[Pair, ...], trained: tuple[Decoder, TextTokenizer]) -> None:
    model, tokenizer = trained
    for training in (True, False):
        model.train(training)
        assert measured(model, tokenizer, list(toy_pairs)).all_exact
        assert model.training is training
    assert not torch.is_inference_mode_enabled()
