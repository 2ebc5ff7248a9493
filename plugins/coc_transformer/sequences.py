"""Sequences that are read token by token, as whole numbers: what both backends look up, mask and scale by.

Positions by fields count what came before a token, so that a longer number or list shifts nothing after it: the fields
so far, the items in this field (the places in a list), the digits in this item, and the separators. Sequences of a
batch end in the same column, so that the next token of each goes into one slice; the columns before a shorter one hold
nothing. Nothing here needs torch. Shapes: B sequences, S new columns, T columns so far.
"""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from coc_transformer.files import COUNTERS, ModelConfig
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL

Array = NDArray[Any]
Counts = tuple[int, int, int, int]

INDEX, TOKEN, FIELDS, DIGITS, ITEMS, SEPARATORS = range(6)
"""What is known of each column: its index in the sequence, the token, -1 for none, and its counts."""
_NOTHING = (0, -1, 0, 0, 0, 0)
_COLUMNS = (FIELDS, ITEMS, DIGITS)
"""Of the counters of `ModelConfig.tables`. Those that have tables stand side by side above, with the token."""


_FASTEST = 2.0  # radians per place, so that two neighbours differ clearly
_SLOWEST = 0.04  # so that no two places of the longest lists look alike


def rotation_table(planes: int) -> Array:
    """Return the cosines and then the sines of each place's rotation in each plane, (places, 2 P)."""
    speeds = np.logspace(0, 1, planes, base=_SLOWEST / _FASTEST) * _FASTEST
    angles = np.arange(COUNTERS[1])[:, None] * speeds
    return np.concatenate((np.cos(angles), np.sin(angles)), 1).astype(np.float32)


def rotated(x: Any, rotations: Any, join: Callable[..., Any]) -> Any:
    """Rotate the first components of queries or keys, (..., H, S, W), by rows of the table, (..., 1, S, 2 P), so that
    scores depend on how far apart two places in a list are (Su et al., "RoFormer", 2021). Plane i has components i and
    P + i; those after the planes stay. `join` is `torch.cat` or `np.concatenate`.
    """
    planes = rotations.shape[-1] // 2
    cosines, sines = rotations[..., :planes], rotations[..., planes:]
    first, second, rest = x[..., :planes], x[..., planes : 2 * planes], x[..., 2 * planes :]
    return join((first * cosines - second * sines, first * sines + second * cosines, rest), -1)


def visible(config: ModelConfig, causal: Any, own: Any, keys: Any, queries: Any) -> Any:
    """Return which tokens, (..., T), each of some tokens, (..., S), looks at, from which it may, `causal`, and which it
    is, `own`. Both have fields, items, digits and separators, of the keys and of the queries.
    """
    fields, items, digits, _ = keys
    looks, in_target = causal, queries[3][..., None] > 0
    if not config.prompt_attention:
        looks = looks & in_target
    if not config.list_attention:
        is_item = (items > 0) & (digits == 0)
        looks = looks & ~(in_target & is_item[:, None] & (fields[:, None] == queries[0][..., None]))
    return looks | own


def after(counts: Counts, kind: int) -> Counts:
    """Return the counts of a token of some kind, from those of the token before it. A separator begins a field, too."""
    fields, digits, items, separators = counts
    if kind == SYMBOL:
        return fields, digits + 1, items, separators
    if kind == ITEM:
        return fields, 0, items + 1, separators
    return fields + 1, 0, 0, separators + (kind == SEPARATOR_KIND)


class Lookup:
    """Which rows of one table add up to the input of a token: those of the token and of its positions, and the same of
    the preceding tokens, as the matrices of the token shift map them. `size` rows, of which the first is zero and
    stands for what does not exist, are there once for each distance.
    """

    def __init__(self, config: ModelConfig, kinds: Sequence[int] = ()) -> None:
        tables = config.tables()
        sizes = {TOKEN: config.vocab, **{_COLUMNS[counter]: size for counter, size in tables.items()}}
        if not tables:
            sizes[INDEX] = config.max_len
        columns, starts = sorted(sizes), dict(zip(sizes, accumulate(sizes.values(), initial=1), strict=False))
        self.config, self.kinds = config, kinds or [FIELD] * config.vocab
        self.width, self.size = len(columns), 1 + sum(sizes.values())
        self.digits_apart = bool(tables) and ITEMS not in sizes
        """By fields, digits mix with their neighbours only: longer numbers would else have runs of digits never seen in
        training."""
        self.offsets = np.arange(config.token_shift, -1, -1)[:, None] * self.size
        """Where the rows begin of a token at each distance, the farthest first."""
        self._columns = slice(columns[0], columns[-1] + 1)
        self._last, self._starts = (np.array([by[each] for each in columns]) for by in (sizes, starts))
        self._last -= 1

    def rows(self, facts: Array, *, padded: bool) -> Array:
        """Return the own rows of tokens, (..., 6) to (..., width); a larger count than a table has shares its last row.
        Only facts that are `padded` may be of no token.
        """
        rows: Array = np.minimum(facts[..., self._columns], self._last) + self._starts
        if padded:
            rows *= facts[..., TOKEN, None] >= 0
        return rows


class Sequences:
    """The columns of a batch, given the first tokens of each sequence; there is `room` for as many more."""

    def __init__(self, lookup: Lookup, rows: Sequence[Sequence[int]], room: int) -> None:
        lengths = list(map(len, rows))
        self._lookup, self._reach = lookup, lookup.config.token_shift
        self.length = 0
        self.starts, self.padded = max(lengths) - np.array(lengths), max(lengths) > min(lengths)
        """The column of the first token of each sequence, and whether it is not the first for all."""
        self._starts: list[int] = self.starts.tolist()
        self._last: list[Counts] = [(0, 0, 0, 0)] * len(rows)
        self._seen = np.zeros((len(rows), self._reach + max(lengths) + room, 6), np.int32)
        self._rows = np.zeros((*self._seen.shape[:2], lookup.width), np.int64)

    def add(self, rows: Sequence[Sequence[int]]) -> range:
        """Add the next tokens of each, as many of all but at first; return their columns."""
        begin, self.length = self.length, self.length + max(map(len, rows))
        seen = []
        for number, (row, start) in enumerate(zip(rows, self._starts, strict=True)):
            nothing = self.length - begin - len(row)
            counts, facts = self._last[number], [_NOTHING] * nothing
            for index, token in enumerate(row, begin + nothing - start):
                counts = after(counts, self._lookup.kinds[token])
                facts.append((index, token, *counts))
            self._last[number] = counts
            seen.append(facts)
        new = slice(self._reach + begin, self._reach + self.length)
        self._seen[:, new] = seen
        self._rows[:, new] = self._lookup.rows(self._seen[:, new], padded=self.padded and not begin)
        return range(begin, self.length)

    @property
    def columns(self) -> int:
        """How many columns there is room for."""
        return self._seen.shape[1] - self._reach

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all sequences but those with these indices."""
        self.starts, self._seen, self._rows = self.starts[rows], self._seen[rows], self._rows[rows]
        self._last, self._starts = [self._last[row] for row in rows], self.starts.tolist()
        self.padded = bool(self.starts.any())

    def bags(self, columns: range) -> Array:
        """Return the rows of the table whose sums are the inputs of these columns, (B, S, k)."""
        reach, first, last = self._reach, columns.start, columns.stop
        windows = self._rows[:, None, first : last + reach]  # of each token and those before it
        if last - first > 1:
            windows = sliding_window_view(self._rows[:, first : last + reach], reach + 1, 1).swapaxes(2, 3)
        bags = windows + self._lookup.offsets
        if reach > 1 and self._lookup.digits_apart:
            whole = sliding_window_view(self._seen[:, first : last + reach, DIGITS] == 0, reach + 1, 1)
            mixed = whole & whole[..., -1:]
            mixed[..., -2:] = True
            bags = bags * mixed[..., None]
        return bags.reshape(len(bags), last - first, -1)

    def facts(self, columns: range) -> Array:
        """Return the counts of these columns, with the token and its index, (B, S, 6)."""
        return self._seen[:, self._reach + columns.start : self._reach + columns.stop]

    def sharpness(self, columns: range) -> Any:
        """Return what makes attention sharper in a longer sequence, half the logarithm of a token's number: one for all
        or (B, 1, S, 1); None where nothing does.
        """
        if not self._lookup.config.log_scaling:
            return None
        if len(columns) == 1 and not self.padded:
            return math.log(columns.stop) / 2
        return np.log(self.facts(columns)[..., INDEX] + 1)[:, None, :, None] / 2

    def bias(self, columns: range) -> Array | None:
        """Return what is added to the scores of these columns, (B or 1, 1, S, T): minus infinity for those that they
        don't look at. None for a single one that looks at all.
        """
        config = self._lookup.config
        alone = len(columns) == 1 and not self.padded and config.list_attention
        if alone and (config.prompt_attention or all(last[3] for last in self._last)):
            return None
        seen, own = self.facts(range(columns.stop)), self.facts(columns)
        keys = np.arange(columns.stop)
        queries = keys[columns.start :, None]
        looks: Any = (keys <= queries)[None]
        if self.padded:
            looks = looks & (keys >= self.starts[:, None, None])
        counted = ([each[..., column] for column in (FIELDS, ITEMS, DIGITS, SEPARATORS)] for each in (seen, own))
        looks = visible(config, looks, keys == queries, *counted)
        return np.where(looks[:, None], np.float32(0), np.float32(-np.inf))
