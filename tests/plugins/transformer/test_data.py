"""Batches: what is padded, what is learned."""

import itertools
import random

import pytest
import torch

from coc_core.data import Pair
from coc_core.errors import UsageError
from coc_transformer.data import IGNORED, Example, collate, shuffled, tokenise
from coc_transformer.tokenizer import EOS, PAD, TextTokenizer
from coc_transformer.train import loss_of

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(12)]
TOKENIZER = TextTokenizer.train(PAIRS, 100, 2, single_digits=True)
EXAMPLES = tokenise(PAIRS, TOKENIZER, 64)


def test_only_the_target_and_the_end_are_learned() -> None:
    batch = collate(EXAMPLES)
    assert batch.ids.shape == batch.labels.shape
    for row, (pair, example) in enumerate(zip(PAIRS, EXAMPLES, strict=True)):
        labels = batch.labels[row]
        learned = labels[labels != IGNORED].tolist()
        assert learned[-1] == EOS
        assert TOKENIZER.decode(learned[:-1]) == pair.target
        first = int((labels != IGNORED).nonzero()[0])
        assert first == example.target - 1  # the separator's place, which predicts the target's first token
        assert TOKENIZER.decode(batch.ids[row, 1:first].tolist()) == pair.prompt
        assert (batch.ids[row, len(example.ids) - 1 :] == PAD).all()


def test_the_loss_ignores_prompt_and_padding() -> None:
    batch = collate(EXAMPLES)
    logits = torch.randn(*batch.ids.shape, TOKENIZER.size, generator=torch.Generator().manual_seed(0))
    changed = logits.clone()
    changed[batch.labels == IGNORED] = 100.0
    assert loss_of(logits, batch.labels) == loss_of(changed, batch.labels)


def test_a_pair_that_is_too_long_is_a_usage_error() -> None:
    longest = max(len(example.ids) for example in EXAMPLES)
    assert tokenise(PAIRS, TOKENIZER, longest)
    with pytest.raises(UsageError, match=f"{longest} tokens, and 'max_len' is {longest - 1}"):
        tokenise(PAIRS, TOKENIZER, longest - 1)


def test_every_pass_sees_every_example_once() -> None:
    examples = [Example((1, index, 2), 1) for index in range(10)]
    batches = itertools.islice(shuffled(examples, 4, random.Random(0)), 5)
    seen = [int(index) for batch in batches for index in batch.ids[:, 1]]
    assert sorted(seen[:10]) == sorted(seen[10:]) == list(range(10))
    assert seen[:10] != seen[10:]
