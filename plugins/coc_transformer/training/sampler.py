"""Which pairs each step learns from, and what is drawn anew for each, as functions of the seed and the step alone, so
that no state must be stored. Part of a batch comes from passes over all pairs, each in a new order; a batch may span
two passes. The rest is stratified by sampling buckets (`coc_learn.datasets.buckets`): draw a family uniformly, then one
of its buckets, then one of the bucket's pairs. So a rare kind of step is seen as often as any other.
"""

from array import array
from collections.abc import Sequence

import numpy as np
import torch
from attrs import define, field, frozen
from numpy.typing import NDArray
from torch import Tensor

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_learn.datasets import sampling_buckets
from coc_programs import Record
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.examples import Rows

_PASS, _BUCKETS = range(2)  # streams of random numbers


@frozen(eq=False)
class BucketFamily:
    """The pairs of each bucket of one family: bucket i has `rows[starts[i]:starts[i + 1]]`."""

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]

    def draw(self, count: int, rng: np.random.Generator) -> Rows:
        """Draw `count` pairs, each from a bucket drawn for it."""
        chosen = rng.integers(len(self.starts) - 1, size=count)
        drawn = rng.integers(self.starts[chosen], self.starts[chosen + 1])
        return self.rows[drawn].astype(np.int64)


def bucket_families(parts: Sequence[Sequence[Pair]], *, binary: bool = False) -> list[BucketFamily]:
    """Return the families of the pairs of several dialects, in order; no bucket has pairs of two. Carries may be
    `binary`.
    """
    families: list[tuple[dict[tuple[int, str], int], array[int]]] = []
    for dialect, pairs in enumerate(parts):
        for pair in pairs:
            keys = sampling_buckets(pair, binary=binary)
            families = families or [({}, array("i")) for _ in keys]
            for key, (known, member) in zip(keys, families, strict=True):
                member.append(known.setdefault((dialect, key), len(known)))
    members = [np.asarray(member) for _, member in families]  # the bucket of each pair
    starts = [np.concatenate(([0], np.cumsum(np.bincount(member)))) for member in members]
    orders = [np.argsort(member, kind="stable").astype(np.int32) for member in members]
    return list(map(BucketFamily, orders, starts))


@define
class BatchSampler:
    """Draws the pairs of each step, `batch_size` of `pairs`; a `share` of these is stratified by buckets."""

    pairs: int
    batch_size: int
    share: float
    seed: int
    bucket_families: Sequence[BucketFamily] = ()
    _number: int = field(default=-1, init=False)
    _order: Rows = field(init=False, repr=False)

    def rows(self, step: int) -> Rows:
        """Return the indices of the pairs of a step, counted from 1, (batch_size,)."""
        # Rounded so that the shares are right over many steps, however small a batch is.
        before, after = (int(self.share * self.batch_size * count) for count in (step - 1, step))
        uniform = range(self.batch_size * (step - 1) - before, self.batch_size * step - after)
        return np.concatenate((self._passes(uniform), self._by_bucket(after - before, step)))

    def _passes(self, span: range) -> Rows:
        """Return the pairs at these indices of the sequence that consists of all passes."""
        parts, index = [np.empty(0, np.int64)], span.start
        while index < span.stop:
            number, begin = divmod(index, self.pairs)
            if number != self._number:
                self._number, self._order = number, self._rng(_PASS, number).permutation(self.pairs)
            parts.append(self._order[begin : begin + span.stop - index])
            index += len(parts[-1])
        return np.concatenate(parts)

    def _by_bucket(self, count: int, step: int) -> Rows:
        rng = self._rng(_BUCKETS, step)
        chosen = rng.integers(len(self.bucket_families), size=count)
        counts = np.bincount(chosen, minlength=len(self.bucket_families))
        drawn = [family.draw(number, rng) for family, number in zip(self.bucket_families, counts, strict=True)]
        return np.concatenate([np.empty(0, np.int64), *drawn])

    def _rng(self, stream: int, number: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, stream, number))


_FIRST = 0.04  # of the pairs, at the beginning


@frozen(eq=False)
class Curriculum:
    """Curriculum learning: short pairs first, on which the model finds the rules sooner. Pairs are ranked by length;
    `order` has the shortest first. Each pair that was drawn for a step is replaced by the one at a fraction of its
    rank. The fraction grows with the square of the steps, to 1 at `steps`.
    """

    order: NDArray[np.int64]
    ranks: NDArray[np.int64]
    steps: float

    @classmethod
    def of(cls, lengths: NDArray[np.int32], steps: float) -> "Curriculum":
        """Return the curriculum for pairs of these lengths."""
        order = np.argsort(lengths, kind="stable")
        ranks = np.empty_like(order)
        ranks[order] = np.arange(len(order))
        return cls(order, ranks, steps)

    def reached(self, step: int) -> float:
        """Return the fraction of the pairs that `step`, counted from 1, draws from."""
        return min(1.0, _FIRST + (step / self.steps) ** 2) if step < self.steps else 1.0

    def rows(self, rows: Rows, step: int) -> Rows:
        """Return the pairs that replace those drawn for a step."""
        return self.order[(self.ranks[rows] * self.reached(step)).astype(np.int64)]


_DECAY = 0.99  # of a priority, from one step to the next
_LEAST = 1e-6  # pairs of a lower priority are not drawn
_REPLAY = 5  # the stream of random numbers, after those of `sampler` and `loop`


@define(eq=False)
class PrioritisedReplay:
    """The priority of each of `pairs` pairs, and draws of `count` of them for each step. A priority is the last known
    loss of the whole target; it decays from step to step. After Schaul et al., "Prioritized Experience Replay", 2016.
    """

    pairs: int
    count: int
    seed: int
    priorities: NDArray[np.float32] = field(init=False)

    @priorities.default
    def _unknown(self) -> NDArray[np.float32]:
        return np.zeros(self.pairs, np.float32)

    def rows(self, step: int) -> Rows:
        """Return the indices of different pairs, drawn in proportion to priority; fewer while few have one."""
        known = np.flatnonzero(self.priorities > _LEAST)
        count = min(self.count, len(known))
        if not count:
            return np.empty(0, np.int64)
        # The first of exponential clocks whose rates are the priorities: a draw without replacement.
        waits = np.random.default_rng((self.seed, _REPLAY, step)).exponential(size=len(known)) / self.priorities[known]
        return known[np.argpartition(waits, count - 1)[:count]]

    def update(self, rows: Rows, losses: Tensor) -> None:
        """Set the priorities of some pairs to their losses, (rows,), at the end of a step, and lower all."""
        self.priorities[rows] = losses.cpu().numpy()
        self.priorities *= _DECAY

    def tensors(self) -> dict[str, Tensor]:
        """Return the state that changes from step to step, by name, not copied."""
        return {"replay_priorities": torch.from_numpy(self.priorities)} if self.count else {}


_DIGITS = 6  # the stream of random numbers, after those of `loop` and `name_permutation`


@frozen
class DigitPositions:
    """Draws the positions of digits, so that numbers can be longer than any in the training pairs: if those of a
    training sequence are not 1, 2, 3 and so on, from the units on, but some larger numbers in ascending order, every
    position's embedding is learned. After Ruoss et al., "Randomized Positional Encodings Boost Length Generalization of
    Transformers", 2023. `longest` is the most digits of a number in the training pairs, `largest` the largest position,
    at least that; 0 draws none.
    """

    longest: int
    largest: int
    seed: int

    @classmethod
    def of(cls, longest: int, largest: int, known: int, seed: int) -> "DigitPositions":
        """Make it for a model that has embeddings of the positions up to `known`; UsageError if any of these is too
        small.
        """
        if 0 < largest < longest:
            raise UsageError(
                f"'digit_positions' is {largest}, and the longest number in the pairs has {longest} digits",
                remedy=f"set digit_positions={longest} or more; it should be the length of the longest number to be"
                " read",
            )
        if largest > known:
            raise UsageError(
                f"'digit_positions' is {largest}, and this kind of 'positions' has {known}",
                remedy="choose positions=fields, or fewer digit positions",
            )
        return cls(longest, largest, seed)

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """Return the position of each count of digits, from 0, in each sequence of a step, (sequences, 1 + longest). A
        sequence's are drawn from 1 to a number drawn before, so that small ones are drawn often enough. 0 stays 0.
        """
        if not self.largest:
            return np.tile(np.arange(1 + self.longest), (sequences, 1))
        rng = np.random.default_rng((self.seed, _DIGITS, step))
        ends = rng.integers(self.longest, self.largest + 1, (sequences, 1))
        ranks = rng.random((sequences, self.largest)) + (np.arange(self.largest) >= ends)
        drawn = np.sort(np.argsort(ranks)[:, : self.longest]) + 1
        return np.pad(drawn, ((0, 0), (1, 0)))


_NAMES = 5  # the stream of random numbers, after those of `loop`


@frozen(eq=False)
class NamePermutation:
    """Draws permutations of names, for domains where nothing depends on what an object is called: so all names of a
    long list occur equally often. `kinds` has the ids of the names of each kind, such as B1 to B40; `share` is that of
    the sequences whose names are permuted, each in its own way.
    """

    kinds: Sequence[Rows]
    vocab: int
    share: float
    seed: int

    @classmethod
    def of(cls, tokenizer: TextTokenizer, letters: frozenset[str], share: float, seed: int) -> "NamePermutation | None":
        """Make it for the names of some letters; None for a share of 0, UsageError if no such name is a token."""
        if not share:
            return None
        if Record.letters in letters:
            problem = "'name_permutation' can't permute names where two mean one record, as any7 and D7 of a program do"
            raise UsageError(problem, remedy="set name_permutation=0")
        kinds = [np.array(ids) for stem, ids in tokenizer.names().items() if stem in letters]
        if not kinds:
            raise UsageError(
                "'name_permutation' has no names to permute: the domain declares no interchangeable ones, or they have"
                " no tokens of their own",
                remedy="leave it at 0, or train with tokens=exact",
            )
        return cls(kinds, tokenizer.size, share, seed)

    def tables(self, step: int, sequences: int) -> NDArray[np.int64]:
        """Return the id that replaces each id, in each sequence of a step, (sequences, vocab)."""
        rng = np.random.default_rng((self.seed, _NAMES, step))
        tables = np.tile(np.arange(self.vocab), (sequences, 1))
        chosen = np.flatnonzero(rng.random(sequences) < self.share)
        for kind in self.kinds:
            tables[np.ix_(chosen, kind)] = rng.permuted(np.tile(kind, (len(chosen), 1)), axis=1)
        return tables
