"""Greedy and sampled decoding, and drafts checked in one pass, of token ids."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np

from coc_core.errors import NumericFault
from coc_numpy.network import Array, Network
from coc_transformer.counts import after, counts_of
from coc_transformer.files import cache_floats, floats_per_token, length_batches
from coc_transformer.tokenizer import EOS

_FLOATS = 1 << 26  # for all sequences that are read together
_TOKENS = 1 << 12  # likewise, where one after the other is decoded
_READ = 1 << 9  # likewise, where all are read at once, so that what is computed stays in the processor's caches

_QUIET = np.errstate(all="ignore")  # numbers that are not finite are found among the logits

Ids = Sequence[list[int]]
Choose = Callable[[Array, Sequence[int]], tuple[list[int], list[float]]]
"""Chooses the next token of some rows of a batch by their logits, (rows, vocabulary), each with its margin."""


class Prefix(NamedTuple):
    """The first ids of a target, and the smallest logit margin of one of them over the next best token."""

    ids: list[int]
    margin: float


EMPTY = Prefix([], inf)


def likeliest(logits: Array, rows: Sequence[int] = ()) -> tuple[list[int], list[float]]:
    """The likeliest token by each row of logits, and how far its logit is above the next best."""
    best = np.partition(logits, -2, 1)
    return logits.argmax(1).tolist(), (best[:, -1] - best[:, -2]).tolist()


def drawn(numbers: Sequence[Random], logits: Array, rows: Sequence[int]) -> tuple[list[int], list[float]]:
    """A token for each row of logits, with the probability that these give it, and no margins."""
    weights = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    cumulative = (weights / weights.sum(1, keepdims=True)).cumsum(1)
    points = np.array([[each.random()] for each in map(numbers.__getitem__, rows)]) * cumulative[:, -1:]
    return (cumulative <= points).sum(1).tolist(), [inf] * len(rows)


def complete(
    network: Network, contexts: Ids, prefixes: Sequence[Prefix], numbers: Sequence[Random] | None = None
) -> list[Prefix]:
    """The whole target of each context, with [EOS] unless the context ends, given a prefix of it.

    Args:
        network: The model.
        contexts: The ids before each target.
        prefixes: What is known of the targets.
        numbers: What tokens are drawn with, for each context; None for the likeliest tokens.

    Raises:
        NumericFault: A logit is not finite.
    """
    targets, limit, config = list(prefixes), network.config.max_len, network.config
    rows = [context + prefix.ids for context, prefix in zip(contexts, prefixes, strict=True)]
    undone = [index for index, row in enumerate(rows) if len(row) < limit and prefixes[index].ids[-1:] != [EOS]]
    longest = max((len(rows[index]) for index in undone), default=0)
    each = cache_floats(config) / max(longest, 1) + floats_per_token(config)
    for batch in length_batches([len(rows[index]) for index in undone], min(_TOKENS, _FLOATS / each)):
        some = [undone[place] for place in batch]
        choose = likeliest if numbers is None else partial(drawn, [numbers[index] for index in some])
        for index, rest in zip(some, _continued(network, [rows[index] for index in some], choose), strict=True):
            targets[index] = Prefix(prefixes[index].ids + rest.ids, min(prefixes[index].margin, rest.margin))
    return targets


@_QUIET
def _continued(network: Network, rows: Ids, choose: Choose) -> list[Prefix]:
    """What follows each row, with [EOS]."""
    limit, kinds = network.config.max_len, network.kinds
    targets, margins, kept = [list[int]() for _ in rows], [inf] * len(rows), list(range(len(rows)))
    counts = [counts_of(kinds, row)[-1] for row in rows]
    state, hidden = network.begin(rows, 1, limit)
    active = kept
    while True:
        logits = hidden[:, 0].dot(network.output)
        if len(active) < len(kept):
            logits = logits[[place for place, row in enumerate(kept) if row in active]]
        check_finite(logits, state.length)
        chosen, found = choose(logits, active)
        unfinished = []
        for row, token, margin in zip(active, chosen, found, strict=True):
            targets[row].append(token)
            margins[row] = min(margins[row], margin)
            if token != EOS and len(rows[row]) + len(targets[row]) < limit:
                unfinished.append(row)
        if not unfinished:
            return list(map(Prefix, targets, margins))
        if 4 * len(unfinished) <= 3 * len(kept):
            state.keep([place for place, row in enumerate(kept) if row in unfinished])
            kept = unfinished
        active = unfinished
        for row in active:
            counts[row] = after(counts[row], kinds[targets[row][-1]])
        ids = np.array([[targets[row][-1]] for row in kept])
        hidden = network.read(state, ids, np.array([[counts[row]] for row in kept]))


def verify(network: Network, contexts: Ids, drafts: Ids) -> list[Prefix]:
    """The beginning of each target up to the first difference from its draft, and the token chosen there.

    Args:
        network: The model.
        contexts: The ids before each target, fewer than `max_len`.
        drafts: The ids of each draft, without [EOS].

    Returns:
        The prefixes; an empty one where logits are not finite, so that decoding reports it.
    """
    limit = network.config.max_len
    targets = [[*draft, EOS][: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]
    prefixes = [EMPTY] * len(targets)
    for index, logits in predicted_logits(network, contexts, targets):
        if np.isfinite(logits).all():
            chosen, margins = likeliest(logits)
            target = targets[index]
            right = next((place for place, token in enumerate(target) if token != chosen[place]), len(target))
            prefixes[index] = Prefix(chosen[: right + 1], min(margins[: right + 1]))
    return prefixes


def predicted_logits(network: Network, contexts: Ids, targets: Ids) -> Iterator[tuple[int, Array]]:
    """The index of each target, and the logits at its tokens, (target, vocabulary)."""
    rows = [context + target[:-1] for context, target in zip(contexts, targets, strict=True)]
    most = min(_READ, _FLOATS / (floats_per_token(network.config) + 2 * network.config.layers * network.config.d_model))
    for batch in length_batches([len(row) for row in rows], most):
        yield from zip(
            batch,
            _last_logits(network, [rows[index] for index in batch], [len(targets[index]) for index in batch]),
            strict=True,
        )


@_QUIET
def _last_logits(network: Network, rows: Ids, lengths: Sequence[int]) -> list[Array]:
    """The logits of so many of the last tokens of each row."""
    _, hidden = network.begin(rows, max(1, *lengths))
    every = np.concatenate([own[len(own) - length :] for own, length in zip(hidden, lengths, strict=True)])
    return np.split(every.dot(network.output), np.cumsum(lengths)[:-1])


def check_finite(logits: Array, length: int | None = None) -> None:
    """NumericFault unless all logits are finite."""
    if not np.isfinite(logits).all():
        place = "" if length is None else f", after {length} tokens"
        raise NumericFault(f"the model gave logits that are not finite{place}")
