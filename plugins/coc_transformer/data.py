"""Pairs as tokens, and batches of them."""

import random
from collections.abc import Iterator, Sequence

import torch
from attrs import frozen
from torch import Tensor

from coc_core.data import Pair
from coc_core.errors import UsageError
from coc_core.text import shown
from coc_transformer.tokenizer import PAD, TextTokenizer

IGNORED = -100
"""The label of a token that no loss is taken of; torch's own default."""


@frozen
class Example:
    """The ids of a whole sequence, and the index at which the target begins."""

    ids: tuple[int, ...]
    target: int


@frozen
class Batch:
    """Sequences padded on the right: `ids` and the `labels` of each one's next token, both (B, T)."""

    ids: Tensor
    labels: Tensor


def tokenise(pairs: Sequence[Pair], tokenizer: TextTokenizer, max_len: int) -> list[Example]:
    """The pairs as examples; UsageError if one has more than `max_len` tokens."""
    examples = []
    for pair in pairs:
        ids, target = tokenizer.example(pair)
        if len(ids) > max_len:
            raise UsageError(
                f"the pair with the prompt {shown(pair.prompt, 60)} has {len(ids)} tokens, and 'max_len' is {max_len}",
                remedy=f"train with max_len={len(ids)} or more",
            )
        examples.append(Example(tuple(ids), target))
    return examples


def collate(examples: Sequence[Example]) -> Batch:
    """The examples as one batch. Labels are the next tokens of the target, [EOS] included, and IGNORED elsewhere."""
    length = max(len(example.ids) for example in examples) - 1
    ids = torch.full((len(examples), length), PAD)
    labels = torch.full((len(examples), length), IGNORED)
    for row, example in enumerate(examples):
        sequence = torch.tensor(example.ids)
        end = len(sequence) - 1
        ids[row, :end] = sequence[:-1]
        labels[row, example.target - 1 : end] = sequence[example.target :]
    return Batch(ids, labels)


def shuffled(examples: Sequence[Example], batch_size: int, rng: random.Random) -> Iterator[Batch]:
    """Full batches without end. Each pass over the examples is in a new order, and a batch may span two passes."""
    order: list[Example] = []
    while True:
        while len(order) < batch_size:
            order += rng.sample(examples, len(examples))
        yield collate(order[:batch_size])
        del order[:batch_size]
