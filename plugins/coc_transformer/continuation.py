"""Targets written token by token, whatever computes the logits: the likeliest tokens, or tokens that are drawn."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from math import inf
from random import Random
from typing import NamedTuple, Protocol

import numpy as np

from coc_core.errors import NumericFault
from coc_transformer.files import Shape, length_batches, weights
from coc_transformer.tokenizer import EOS

_FLOATS = 1 << 26  # for all sequences that are continued together

Ids = Sequence[list[int]]


class Prefix(NamedTuple):
    """The first ids of a target, and the smallest logit margin of one of them over the next best token."""

    ids: list[int]
    margin: float


EMPTY = Prefix([], inf)


class Reader(Protocol):
    """Sequences that were begun."""

    @property
    def length(self) -> int:
        """The tokens of the longest."""
        ...

    def read(self, rows: Ids) -> weights.Array:
        """Read the next token of each; gives the logits after it, (B, V)."""
        ...

    def keep(self, rows: list[int]) -> None:
        """Drop all sequences but those with these indices."""
        ...


def complete(
    config: Shape,
    begin: Callable[[Ids], tuple[Reader, weights.Array]],
    contexts: Ids,
    prefixes: Sequence[Prefix],
    numbers: Sequence[Random] | None = None,
    tokens: float = inf,
) -> list[Prefix]:
    """The whole target of each context, with [EOS] unless the context ends, given a prefix of it.

    Args:
        config: The network's size.
        begin: Begins to read some sequences; gives the logits after them, too.
        contexts: The ids before each target.
        prefixes: What is known of the targets.
        numbers: What tokens are drawn with, for each context; None for the likeliest tokens.
        tokens: How many tokens, before those that are written, the sequences of a batch may have together.

    Raises:
        NumericFault: A logit is not finite.
    """
    targets, limit = list(prefixes), config.max_len
    undone = [
        index
        for index, (ids, _) in enumerate(prefixes)
        if len(contexts[index]) + len(ids) < limit and ids[-1:] != [EOS]
    ]
    rows = [contexts[index] + prefixes[index].ids for index in undone]
    longest = max(map(len, rows), default=1)
    most = min(tokens, _FLOATS / (config.cache_floats() / longest + config.floats_per_token()))
    for batch in length_batches(list(map(len, rows)), most):
        some, begun = [undone[place] for place in batch], [rows[place] for place in batch]
        choose = likeliest if numbers is None else partial(drawn, [numbers[index] for index in some])
        reader, logits = begin(begun)
        rests = _continued(reader, logits, [limit - len(row) for row in begun], choose)
        for index, rest in zip(some, rests, strict=True):
            targets[index] = Prefix(prefixes[index].ids + rest.ids, min(prefixes[index].margin, rest.margin))
    return targets


def likeliest(logits: weights.Array, _rows: Sequence[int] = ()) -> tuple[list[int], list[float]]:
    """The likeliest token by each row of logits, and how far its logit is above the next best."""
    best = np.partition(logits, -2, 1)
    return logits.argmax(1).tolist(), (best[:, -1] - best[:, -2]).tolist()


def drawn(numbers: Sequence[Random], logits: weights.Array, rows: Sequence[int]) -> tuple[list[int], list[float]]:
    """A token for each row of logits, with the probability that these give it, and no margins."""
    shares = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    cumulative = (shares / shares.sum(1, keepdims=True)).cumsum(1)
    points = np.array([[numbers[row].random()] for row in rows]) * cumulative[:, -1:]
    return (cumulative <= points).sum(1).tolist(), [inf] * len(rows)


def drafted(limit: int, contexts: Ids, drafts: Ids) -> list[list[int]]:
    """The targets that drafts stand for, with [EOS], as far as the contexts leave room."""
    return [[*draft, EOS][: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]


def agreeing(chosen: weights.Array, margins: weights.Array, targets: Ids) -> list[Prefix]:
    """The prefix of each target, of one token at least, that is chosen, with the token chosen at the first difference.

    Args:
        chosen: The likeliest token after the context, and after each token of a target but the last; those of one
            target after those of another.
        margins: How far its logit is above the next best, for each.
        targets: The targets.
    """
    lengths = [len(target) for target in targets]
    begins = np.cumsum([0, *lengths[:-1]])
    differs = chosen != np.fromiter(chain.from_iterable(targets), np.int64, len(chosen))
    prefixes = list(map(Prefix, targets, np.minimum.reduceat(margins, begins).tolist()))
    for index in np.flatnonzero(np.logical_or.reduceat(differs, begins)).tolist():
        own = slice(begins[index], begins[index] + lengths[index])
        right = int(differs[own].argmax())
        ids = [*targets[index][:right], int(chosen[own][right])]
        prefixes[index] = Prefix(ids, margins[own][: right + 1].min().item())
    return prefixes


def check_finite(logits: weights.Array, length: int | None = None) -> None:
    """NumericFault unless all logits are finite."""
    if not np.isfinite(logits).all():
        place = "" if length is None else f", after {length} tokens"
        raise NumericFault(f"the model gave logits that are not finite{place}")


def _continued(
    reader: Reader,
    logits: weights.Array,
    room: Sequence[int],
    choose: Callable[..., tuple[list[int], list[float]]],
) -> list[Prefix]:
    """What follows each sequence, with [EOS], given the logits after it and the room for tokens that it has."""
    targets, margins, kept = [list[int]() for _ in room], [inf] * len(room), list(range(len(room)))
    active = kept
    while True:
        if len(active) < len(kept):
            logits = logits[[kept.index(row) for row in active]]
        check_finite(logits, reader.length)
        unfinished = []
        for row, token, margin in zip(active, *choose(logits, active), strict=True):
            targets[row].append(token)
            margins[row] = min(margins[row], margin)
            if token != EOS and len(targets[row]) < room[row]:
                unfinished.append(row)
        if not unfinished:
            return list(map(Prefix, targets, margins))
        active = unfinished
        if 4 * len(active) <= 3 * len(kept):  # the others go on reading, which is less work than to drop them
            reader.keep([kept.index(row) for row in active])
            kept = active
        logits = reader.read([targets[row][-1:] for row in kept])
