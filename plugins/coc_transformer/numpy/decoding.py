"""Greedy and sampled decoding, and drafts checked in one pass, of token ids."""

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

import numpy as np

from coc_transformer import continuation
from coc_transformer.continuation import EMPTY, Ids, Prefix, agreeing, drafted
from coc_transformer.counts import Counts, after, counts_of
from coc_transformer.files import length_batches
from coc_transformer.numpy.network import Array, Network, State

_FLOATS = 1 << 26  # for all sequences that are read together
_TOKENS = 1 << 12  # likewise, where one after the other is decoded
_READ = 1 << 9  # likewise, where all are read at once, so that what is computed stays in the processor's caches

_QUIET = np.errstate(all="ignore")  # numbers that are not finite are found among the logits


class Reader:
    """Sequences that a network has begun to read, with the counts of their last tokens."""

    def __init__(self, network: Network, state: State, counts: list[Counts]) -> None:
        self._network, self._state, self._counts = network, state, counts

    @property
    def length(self) -> int:
        return self._state.length

    @_QUIET
    def read(self, rows: Ids) -> Array:
        network, pairs = self._network, zip(self._counts, rows, strict=True)
        self._counts = [after(counts, network.kinds[row[0]]) for counts, row in pairs]
        hidden = network.read(self._state, np.array(rows), np.array(self._counts)[:, None])
        logits: Array = hidden[:, 0].dot(network.output)
        return logits

    def keep(self, rows: list[int]) -> None:
        self._state.keep(rows)
        self._counts = [self._counts[row] for row in rows]


def complete(
    network: Network, contexts: Ids, prefixes: Sequence[Prefix], numbers: Sequence[Random] | None = None
) -> list[Prefix]:
    """The whole target of each context; arguments and errors as for `coc_transformer.continuation.complete`."""
    return continuation.complete(network.config, partial(_begun, network), contexts, prefixes, numbers, _TOKENS)


@_QUIET
def _begun(network: Network, rows: Ids) -> tuple[Reader, Array]:
    state, hidden = network.begin(rows, 1, network.config.max_len)
    reader = Reader(network, state, [counts_of(network.kinds, row)[-1] for row in rows])
    return reader, hidden[:, 0].dot(network.output)


def verify(network: Network, contexts: Ids, drafts: Ids) -> list[Prefix]:
    """The beginning of each target up to the first difference from its draft, and the token chosen there.

    Args:
        network: The model.
        contexts: The ids before each target, fewer than `max_len`.
        drafts: The ids of each draft, without [EOS].

    Returns:
        The prefixes; an empty one where logits are not finite, so that decoding reports it.
    """
    targets = drafted(network.config.max_len, contexts, drafts)
    prefixes = [EMPTY] * len(targets)
    for batch, logits in _batches(network, contexts, targets):
        some = [targets[index] for index in batch]
        finite = np.logical_and.reduceat(np.isfinite(logits).all(1), np.cumsum([0, *map(len, some[:-1])]))
        found = agreeing(*_likeliest(logits), some)
        for index, prefix, is_finite in zip(batch, found, finite, strict=True):
            prefixes[index] = prefix if is_finite else EMPTY
    return prefixes


@_QUIET
def _likeliest(logits: Array) -> tuple[Array, Array]:
    """The likeliest token by each row of logits, and how far its logit is above the next best."""
    best = np.partition(logits, -2, 1)
    return logits.argmax(1), best[:, -1] - best[:, -2]


def predicted_logits(network: Network, contexts: Ids, targets: Ids) -> Iterator[tuple[int, Array]]:
    """The index of each target, and the logits at its tokens, (target, vocabulary)."""
    for batch, logits in _batches(network, contexts, targets):
        yield from zip(batch, np.split(logits, np.cumsum([len(targets[index]) for index in batch])[:-1]), strict=True)


def _batches(network: Network, contexts: Ids, targets: Ids) -> Iterator[tuple[list[int], Array]]:
    """The indices of some targets, and the logits at their tokens, those of one target after those of another."""
    rows = [context + target[:-1] for context, target in zip(contexts, targets, strict=True)]
    most = min(
        _READ, _FLOATS / (network.config.floats_per_token() + 2 * network.config.layers * network.config.d_model)
    )
    for batch in length_batches([len(row) for row in rows], most):
        some, lengths = [rows[index] for index in batch], [len(targets[index]) for index in batch]
        yield batch, _last_logits(network, some, lengths)


@_QUIET
def _last_logits(network: Network, rows: Ids, lengths: Sequence[int]) -> Array:
    """The logits of so many of the last tokens of each row, those of one row after those of another."""
    _, hidden = network.begin(rows, max(1, *lengths))
    logits: Array = hidden[np.arange(-hidden.shape[1], 0) >= -np.array(lengths)[:, None]].dot(network.output)
    return logits
