"""How often a model answers one prompt wrongly, over all the prompts of some runs, and what follows for the runs.

Each pair is asked once, with the target as a draft, so a model that checks drafts in parallel does it in one pass. A
run is right if each of its steps is: with an error of e a step, a run of s steps succeeds with probability (1 - e)^s,
as far as errors fall on steps at random.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from attrs import Factory, asdict, define, frozen

from coc_core.datasets import FAMILIES, sampling_buckets
from coc_core.domain import Draw
from coc_core.evaluation.success import wilson
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.models import Model, Pair, Response, WrongTarget, call_each
from coc_core.setting import Setting

BATCH = 1_024  # pairs that are asked at once
MOST_WRONG = 10_000  # pairs that are kept; the others are only counted
MOST_STRATA = 1_000  # of a family that a document lists


@frozen
class Bucket:
    """How many pairs of one kind there are, and how many of them were answered wrongly."""

    stratum: str
    wrong: int
    pairs: int


@frozen
class Part:
    """How many pairs there were in a part of those that were asked, such as a half of a dataset."""

    name: str
    pairs: int
    wrong: int


@define
class Exactness:
    """Asks pair after pair and keeps count. It may be watched from another thread, and interrupted."""

    model: Model
    pairs: int = 0
    wrong: int = 0
    wrong_pairs: list[WrongTarget] = Factory(list)
    parts: list[Part] = Factory(list)
    interrupted: bool = False
    _asked: tuple[Counter[str], ...] = Factory(lambda: tuple(Counter() for _ in FAMILIES))
    _missed: tuple[Counter[str], ...] = Factory(lambda: tuple(Counter() for _ in FAMILIES))

    @property
    def error(self) -> float | None:
        """The fraction of pairs that were answered wrongly; None if none was asked."""
        return self.wrong / self.pairs if self.pairs else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the error."""
        return wilson(self.wrong, self.pairs)

    def run(self, pairs: Iterable[Pair], name: str = "pairs") -> None:
        """Ask one part, in batches, until there are no more pairs or someone interrupts.

        PluginError if the model raises.
        """
        waiting, before, wrong = iter(pairs), self.pairs, self.wrong
        while not self.interrupted and (batch := list(islice(waiting, BATCH))):
            answers = call_each(self.model, [pair.prompt for pair in batch], [pair.target for pair in batch])
            for pair, answer in zip(batch, answers, strict=True):
                self._count(pair, answer)
        if self.pairs > before:
            self.parts.append(Part(name, self.pairs - before, self.wrong - wrong))

    def interrupt(self) -> None:
        """Stop after the batch under way."""
        self.interrupted = True

    def worst(self, family: str) -> list[Bucket]:
        """The strata of a family in which an answer was wrong: the most wrong ones first, then the rarest."""
        missed, asked = (counts[FAMILIES.index(family)] for counts in (self._missed, self._asked))
        found = [Bucket(key, wrong, asked[key]) for key, wrong in missed.items()]
        return sorted(found, key=lambda stratum: (-stratum.wrong, stratum.pairs, stratum.stratum))

    def kinds(self, family: str) -> int:
        """How many strata of a family there are."""
        return len(self._asked[FAMILIES.index(family)])

    def _count(self, pair: Pair, answer: Response) -> None:
        keys, right = sampling_buckets(pair), answer == pair.target
        self.pairs += 1
        for key, asked, missed in zip(keys, self._asked, self._missed, strict=True):
            asked[key] += 1
            if not right:
                missed[key] += 1
        if not right:
            self.wrong += 1
            if len(self.wrong_pairs) < MOST_WRONG:
                self.wrong_pairs.append(WrongTarget.of(*pair, answer))


@frozen
class Prediction:
    """What the error says about the runs of one size: how many of them succeed, with both ends of the interval.

    `steps` is the mean number of steps of the reference model's runs.
    """

    n: int
    problems: int
    steps: float
    success: float
    interval: tuple[float, float]


def predict(setting: Setting, draws: Iterable[Draw], exactness: Exactness) -> list[Prediction]:
    """A prediction for each size, the mean over its problems. Runs without a closed form are run to be counted."""
    error, (low, high) = exactness.error or 0.0, exactness.interval
    teacher, found = Reference(setting.convention), []
    for n, group in groupby(draws, attrgetter("n")):
        steps = [_steps(setting, drawn.problem, teacher) for drawn in group]

        def mean(rate: float, steps: list[int] = steps) -> float:
            return sum((1 - rate) ** count for count in steps) / len(steps)

        found.append(Prediction(n, len(steps), sum(steps) / len(steps), mean(error), (mean(high), mean(low))))
    return found


def _steps(setting: Setting, problem: Any, teacher: Reference) -> int:
    expected = setting.domain.expect(problem)
    if expected is not None:
        return expected.steps
    (outcome,) = Cached().run([setting.machine(problem)], teacher)
    return outcome.steps


def exactness_document(exactness: Exactness) -> dict[str, Any]:
    """The result as plain data, ready for JSON."""
    return {
        "pairs": exactness.pairs,
        "wrong": exactness.wrong,
        "error": exactness.error,
        "interval": list(exactness.interval),
        "margin": exactness.model.margin,
        "interrupted": exactness.interrupted,
        "parts": [asdict(part) for part in exactness.parts],
        "strata": [
            {
                "family": family,
                "strata": exactness.kinds(family),
                "wrong": len(worst),
                "worst": [asdict(stratum) for stratum in worst[:MOST_STRATA]],
            }
            for family, worst in ((family, exactness.worst(family)) for family in FAMILIES)
        ],
        "wrong_pairs": [asdict(pair) for pair in exactness.wrong_pairs],
        "wrong_pairs_left_out": exactness.wrong - len(exactness.wrong_pairs),
    }
