"""How often a model writes a wrong target, over all distinct prompts of some runs.

The model is called once for each pair, with the target as a draft, so that a model that checks drafts in parallel needs
one pass for it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from attrs import Factory, asdict, define, frozen

from coc_core.models import Model, Pair, Response, call_each
from coc_core.text import counted, quoted
from coc_learn.datasets import FAMILIES, Seen, sampling_buckets
from coc_learn.measure.interval import wilson
from coc_workers.pool import Lost, in_shards, worker_error

BATCH = 1_024
"""Pairs in one model call."""

MOST_WRONG = 10_000
"""Wrong pairs that are recorded; further ones are only counted."""

MOST_BUCKETS = 1_000
"""Buckets of a family that a document lists."""


@frozen
class WrongTarget:
    """A prompt, the expected target, and what the model wrote. If it wrote nothing, `fault` says why."""

    prompt: str
    expected: str
    got: str
    fault: str | None = None

    @classmethod
    def of(cls, prompt: str, expected: str, response: Response) -> "WrongTarget":
        """Make the record of a response that differs from the expected target."""
        got, fault = (response, None) if isinstance(response, str) else (response.text, response.message)
        return cls(prompt, expected, got, fault)


@frozen
class Bucket:
    """A sampling bucket: how many pairs it has, and on how many of them the model was wrong."""

    key: str
    wrong: int
    pairs: int


@frozen
class SubsetResult:
    """The counts of one subset of the pairs, such as the held-out pairs of a dataset."""

    name: str
    pairs: int
    wrong: int


@frozen
class Checked:
    """The wrong responses of a batch, by the index of the pair, and the smallest logit margin so far."""

    pairs: Sequence[Pair]
    wrong: dict[int, Response]
    margin: float | None


def check_pairs(model: Model, pairs: Sequence[Pair]) -> Checked:
    """Compare a model's responses with the targets; PluginError if the model raises an exception."""
    responses = call_each(model, [pair.prompt for pair in pairs], [pair.target for pair in pairs])
    wrong = {
        index: response
        for index, (pair, response) in enumerate(zip(pairs, responses, strict=True))
        if response != pair.target
    }
    return Checked(pairs, wrong, model.margin)


class PairChecker(Protocol):
    """Has batches of pairs checked by workers."""

    def checks(
        self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]
    ) -> Iterator[Checked | Lost[Sequence[Pair]]]:
        """Return what came of each batch, in their order, until `stopped` says to stop."""


@define
class Exactness:
    """Compares a model's responses with the targets and counts the wrong ones.

    Another thread may read the counts and call `interrupt` during a run.
    """

    model: Model
    pairs: int = 0
    wrong: int = 0
    wrong_targets: list[WrongTarget] = Factory(list)
    subsets: list[SubsetResult] = Factory(list)
    interrupted: bool = False
    margin: float | None = None
    """The smallest logit margin of a token over the next best one; None if the model has no logits."""

    lost: int = 0
    """The number of pairs that no worker could check, since each that tried was lost."""

    first_lost: str = ""
    """The first prompt of these."""

    families: Sequence[str] = FAMILIES
    buckets_of: Callable[[Pair], Sequence[str]] = sampling_buckets
    """Gives the bucket of a pair in each of the families."""

    batch: int = BATCH

    _wrong_prompts: Seen = Factory(Seen)
    _pairs_in: tuple[Counter[str], ...] = Factory(lambda self: tuple(Counter() for _ in self.families), takes_self=True)
    _wrong_in: tuple[Counter[str], ...] = Factory(lambda self: tuple(Counter() for _ in self.families), takes_self=True)

    def __repr__(self) -> str:
        return f"Exactness({self.model.name}, {self.pairs:,} pairs, {self.wrong:,} wrong)"

    @property
    def error(self) -> float | None:
        """The fraction of pairs on which the model was wrong; None if there were no pairs."""
        return self.wrong / self.pairs if self.pairs else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the error."""
        return wilson(self.wrong, self.pairs)

    def run(self, pairs: Iterable[Pair], name: str = "pairs", workers: PairChecker | None = None) -> None:
        """Check one subset, called `name`, in batches, here or by workers, until its end or an interruption;
        PluginError if the model raises an exception.
        """
        pairs_before, wrong_before = self.pairs, self.wrong
        for found in (workers.checks if workers else self._here)(
            in_shards(pairs, self.batch), lambda: self.interrupted
        ):
            if isinstance(found, Lost):
                self.lost += len(found.shard)
                self.first_lost = self.first_lost or quoted(found.shard[0].prompt, 60)
                continue
            for index, pair in enumerate(found.pairs):
                self._count(pair, found.wrong.get(index, pair.target))
            if found.margin is not None:
                self.margin = found.margin if self.margin is None else min(self.margin, found.margin)
        if self.pairs > pairs_before:
            self.subsets.append(SubsetResult(name, self.pairs - pairs_before, self.wrong - wrong_before))

    def check_lost(self) -> None:
        """Raise WorkerError if there are pairs that no worker could check."""
        if self.lost:
            raise worker_error(f"{counted(self.lost, 'pair')} not checked", self.first_lost)

    def is_wrong(self, prompt: str) -> bool:
        """Return whether the model was wrong on a prompt."""
        return prompt in self._wrong_prompts

    def interrupt(self) -> None:
        """Stop after the current batch."""
        self.interrupted = True

    def worst(self, family: str) -> list[Bucket]:
        """Return a family's buckets with wrong responses: those with the most first, of equals the rarest first."""
        wrong_in, pairs_in = self._wrong_in[self.families.index(family)], self.pairs_in(family)
        found = [Bucket(key, wrong, pairs_in[key]) for key, wrong in wrong_in.items()]
        return sorted(found, key=lambda bucket: (-bucket.wrong, bucket.pairs, bucket.key))

    def pairs_in(self, family: str) -> Mapping[str, int]:
        """Return how many pairs each bucket of a family has."""
        return self._pairs_in[self.families.index(family)]

    def _here(self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]) -> Iterator[Checked]:
        remaining = map(partial(check_pairs, self.model), batches)
        while not stopped() and (found := next(remaining, None)) is not None:
            yield found

    def _count(self, pair: Pair, response: Response) -> None:
        wrong = response != pair.target
        self.pairs += 1
        for key, pairs_in, wrong_in in zip(self.buckets_of(pair), self._pairs_in, self._wrong_in, strict=True):
            pairs_in[key] += 1
            if wrong:
                wrong_in[key] += 1
        if wrong:
            self.wrong += 1
            self._wrong_prompts.add(pair.prompt)
            if len(self.wrong_targets) < MOST_WRONG:
                self.wrong_targets.append(WrongTarget.of(*pair, response))


def exactness_document(exactness: Exactness) -> dict[str, Any]:
    """Return the result as plain data, ready for JSON."""
    return {
        "pairs": exactness.pairs,
        "wrong": exactness.wrong,
        "error": exactness.error,
        "interval": list(exactness.interval),
        "margin": exactness.margin,
        "interrupted": exactness.interrupted,
        "lost": exactness.lost,
        "subsets": [asdict(subset) for subset in exactness.subsets],
        "buckets": [
            {
                "family": family,
                "buckets": len(exactness.pairs_in(family)),
                "wrong": len(worst),
                "worst": [asdict(bucket) for bucket in worst[:MOST_BUCKETS]],
            }
            for family, worst in ((family, exactness.worst(family)) for family in exactness.families)
        ],
        "wrong_pairs": [asdict(pair) for pair in exactness.wrong_targets],
        "wrong_pairs_left_out": exactness.wrong - len(exactness.wrong_targets),
    }
