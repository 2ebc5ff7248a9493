"""How often a model writes a wrong target, over all distinct prompts of some runs.

The model is called once for each pair, with the target as a draft, so that a model that checks drafts in parallel needs
one pass for it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol

from attrs import Factory, asdict, define, field, frozen

from coc_core.models import Model, Pair, Response, call_each
from coc_core.text import counted, quoted
from coc_learn.datasets import FAMILIES, Seen, sampling_buckets
from coc_learn.measure.interval import wilson
from coc_workers.pool import Lost, in_shards, worker_error

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
    """What came of a batch of pairs: the responses that are wrong, by the index of the pair, and the smallest logit
    margin so far.
    """

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
        self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool], *, arithmetic: bool
    ) -> Iterator[Checked | Lost[Sequence[Pair]]]:
        """What came of each batch, in their order, until `stopped` says to stop; `arithmetic`: by its model."""


@define
class PairCheck:
    """Compares a model's responses with the targets and counts the wrong ones.

    Another thread may read the counts and call `interrupt` during a run.
    """

    batch: ClassVar[int] = 1_024
    """Pairs in one model call."""

    most_wrong: ClassVar[int] = 10_000
    """Wrong targets that are recorded; further ones are only counted."""

    of_arithmetic: ClassVar[bool] = False
    """Whether the model is that of the arithmetic."""

    model: Model
    pairs: int = field(default=0, kw_only=True)
    wrong: int = field(default=0, kw_only=True)
    wrong_targets: list[WrongTarget] = field(factory=list, kw_only=True)
    interrupted: bool = field(default=False, kw_only=True)
    margin: float | None = field(default=None, kw_only=True)
    """The smallest logit margin of a token over the next best one; None if the model has no logits."""

    lost: int = field(default=0, kw_only=True)
    """The number of pairs that no worker could check, since each that tried was lost."""

    first_lost: str = field(default="", kw_only=True)
    """The prompt of the first of these pairs."""

    def check(self, pairs: Iterable[Pair], workers: PairChecker | None = None) -> None:
        """Check pairs in batches, until their end or an interruption.

        Args:
            pairs: The pairs.
            workers: Check the batches; by default they are checked here.

        Raises:
            PluginError: If the model raises an exception.
        """
        batches = in_shards(pairs, self.batch)
        checked = workers.checks(batches, self._stopped, arithmetic=self.of_arithmetic) if workers else None
        for found in checked or self._here(batches):
            if isinstance(found, Lost):
                self.lost += len(found.shard)
                self.first_lost = self.first_lost or found.shard[0].prompt
                continue
            for index, pair in enumerate(found.pairs):
                self._count(pair, found.wrong.get(index))
            if found.margin is not None:
                self.margin = found.margin if self.margin is None else min(self.margin, found.margin)

    def check_lost(self) -> None:
        """WorkerError if there are pairs that no worker could check."""
        if self.lost:
            raise worker_error(f"{counted(self.lost, 'prompt')} not checked", quoted(self.first_lost, 60)[1:-1])

    def interrupt(self) -> None:
        """Stop after the current batch."""
        self.interrupted = True

    def _stopped(self) -> bool:
        return self.interrupted

    def _here(self, batches: Iterable[Sequence[Pair]]) -> Iterator[Checked]:
        remaining = map(partial(check_pairs, self.model), batches)
        while not self.interrupted and (found := next(remaining, None)) is not None:
            yield found

    def _count(self, pair: Pair, wrong: Response | None) -> None:
        """Count a pair; `wrong` is the response if that is not the target."""
        self.pairs += 1
        if wrong is not None:
            self.wrong += 1
            if len(self.wrong_targets) < self.most_wrong:
                self.wrong_targets.append(WrongTarget.of(*pair, wrong))


@define
class Exactness(PairCheck):
    """Counts the wrong pairs also by subset and by sampling bucket."""

    subsets: list[SubsetResult] = Factory(list)
    _wrong_prompts: Seen = Factory(Seen)
    _pairs_in: tuple[Counter[str], ...] = Factory(lambda: tuple(Counter() for _ in FAMILIES))
    _wrong_in: tuple[Counter[str], ...] = Factory(lambda: tuple(Counter() for _ in FAMILIES))

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
        """Check one subset, which has a name in the results; else as `check`."""
        pairs_before, wrong_before = self.pairs, self.wrong
        self.check(pairs, workers)
        if self.pairs > pairs_before:
            self.subsets.append(SubsetResult(name, self.pairs - pairs_before, self.wrong - wrong_before))

    def is_wrong(self, prompt: str) -> bool:
        """Whether the model was wrong on a prompt."""
        return prompt in self._wrong_prompts

    def worst(self, family: str) -> list[Bucket]:
        """The buckets of a family with wrong responses: those with the most first, of equals the rarest first."""
        wrong_in, pairs_in = (counts[FAMILIES.index(family)] for counts in (self._wrong_in, self._pairs_in))
        found = [Bucket(key, wrong, pairs_in[key]) for key, wrong in wrong_in.items()]
        return sorted(found, key=lambda bucket: (-bucket.wrong, bucket.pairs, bucket.key))

    def kinds(self, family: str) -> int:
        """The number of buckets of a family."""
        return len(self._pairs_in[FAMILIES.index(family)])

    def _count(self, pair: Pair, wrong: Response | None) -> None:
        super()._count(pair, wrong)
        for key, pairs_in, wrong_in in zip(sampling_buckets(pair), self._pairs_in, self._wrong_in, strict=True):
            pairs_in[key] += 1
            if wrong is not None:
                wrong_in[key] += 1
        if wrong is not None:
            self._wrong_prompts.add(pair.prompt)


def exactness_document(exactness: Exactness) -> dict[str, Any]:
    """The result as plain data, ready for JSON."""
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
                "buckets": exactness.kinds(family),
                "wrong": len(worst),
                "worst": [asdict(bucket) for bucket in worst[:MOST_BUCKETS]],
            }
            for family, worst in ((family, exactness.worst(family)) for family in FAMILIES)
        ],
        "wrong_pairs": [asdict(pair) for pair in exactness.wrong_targets],
        "wrong_pairs_left_out": exactness.wrong - len(exactness.wrong_targets),
    }
