"""How often a model writes a wrong target, over all distinct prompts of some runs, and what that predicts for the runs.

The model is called once for each pair, with the target as a draft, so that one that checks drafts in parallel needs one
pass. A run succeeds if all of its steps are right: if errors fall on steps at random, with probability e, a run of s
steps succeeds with probability (1 - e)^s.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from attrs import Factory, asdict, define, frozen

from coc_core.models import Model, Pair, Response, call_each
from coc_core.setting import Setting
from coc_learn.datasets import FAMILIES, Seen, sampling_buckets, teacher_pairs
from coc_learn.grammar import Grammar
from coc_learn.measure.ended import split
from coc_learn.measure.interval import wilson
from coc_problems import Instance, policy_steps
from coc_workers.pool import in_shards

BATCH = 1_024
"""Pairs in one model call."""

MOST_WRONG = 10_000
"""Wrong pairs that are recorded, and buckets of a family that a document lists; further ones are only counted."""


@frozen
class WrongTarget:
    """A prompt, the expected target, and what the model wrote. If it wrote nothing, `fault` says why."""

    prompt: str
    expected: str
    got: str
    fault: str | None = None


@frozen
class Tally:
    """How many of some pairs are wrong: of a sampling bucket, or a subset such as the held-out pairs of a dataset."""

    name: str
    wrong: int
    pairs: int


@frozen
class Checked:
    """The wrong responses of a batch, by the index of the pair, and the smallest logit margin so far."""

    pairs: Sequence[Pair]
    wrong: dict[int, Response]
    margin: float | None


PairChecker = Callable[[Iterable[Sequence[Pair]], Callable[[], bool]], Iterator[Checked]]
"""Has batches of pairs checked by workers: gives what came of each, in their order, until a function says to stop."""


def check_pairs(model: Model, pairs: Sequence[Pair]) -> Checked:
    """Compare a model's responses with the targets; PluginError if the model raises an exception."""
    responses = enumerate(call_each(model, [pair.prompt for pair in pairs], [pair.target for pair in pairs]))
    wrong = {index: response for index, response in responses if response != pairs[index].target}
    return Checked(pairs, wrong, model.margin)


def _counters() -> dict[str, Counter[str]]:
    return {name: Counter() for name in FAMILIES}


@define
class Exactness:
    """Compares a model's responses with the targets. Another thread may read the counts and call `interrupt`.

    Attributes:
        grammar: The form of targets, to count wrong responses of another: `malformed`; None not to.
        margin: The smallest logit margin of a token over the next best one; None if the model has no logits.
        pairs_in: How many pairs each bucket has, by family; `wrong_in`: how many of them are wrong.
    """

    model: Model
    grammar: Grammar | None = None
    malformed: int = 0
    pairs: int = 0
    wrong: int = 0
    wrong_targets: list[WrongTarget] = Factory(list)
    subsets: list[Tally] = Factory(list)
    interrupted: bool = False
    margin: float | None = None
    pairs_in: dict[str, Counter[str]] = Factory(_counters)
    wrong_in: dict[str, Counter[str]] = Factory(_counters)
    _wrong_prompts: Seen = Factory(Seen)

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

    def run(self, pairs: Iterable[Pair], name: str = "pairs", checker: PairChecker | None = None) -> None:
        """Check one subset, called `name`, in batches, here or by workers, until its end or an interruption;
        PluginError if the model raises an exception.
        """
        pairs_before, wrong_before = self.pairs, self.wrong
        for found in (checker or self._here)(in_shards(pairs, BATCH), lambda: self.interrupted):
            for index, pair in enumerate(found.pairs):
                self._count(pair, found.wrong.get(index, pair.target))
            self.margin = min((each for each in (self.margin, found.margin) if each is not None), default=None)
        if self.pairs > pairs_before:
            self.subsets.append(Tally(name, self.wrong - wrong_before, self.pairs - pairs_before))

    def is_wrong(self, prompt: str) -> bool:
        """Return whether the model was wrong on a prompt."""
        return prompt in self._wrong_prompts

    def interrupt(self) -> None:
        """Stop after the current batch."""
        self.interrupted = True

    def worst(self, family: str) -> list[Tally]:
        """Return a family's buckets with wrong responses: those with the most first, of equals the rarest first."""
        found = [Tally(key, wrong, self.pairs_in[family][key]) for key, wrong in self.wrong_in[family].items()]
        return sorted(found, key=lambda bucket: (-bucket.wrong, bucket.pairs, bucket.name))

    def document(self) -> dict[str, Any]:
        """Return the result as plain data, ready for JSON."""
        return {
            "pairs": self.pairs,
            "wrong": self.wrong,
            "error": self.error,
            "interval": list(self.interval),
            **({"split": split(self.pairs - self.wrong, self.wrong, self.malformed)} if self.grammar else {}),
            "margin": self.margin,
            "interrupted": self.interrupted,
            "subsets": [asdict(subset) for subset in self.subsets],
            "buckets": [
                {
                    "family": family,
                    "buckets": len(self.pairs_in[family]),
                    "wrong": len(worst),
                    "worst": [asdict(bucket) for bucket in worst[:MOST_WRONG]],
                }
                for family in FAMILIES
                for worst in [self.worst(family)]
            ],
            "wrong_pairs": [asdict(pair) for pair in self.wrong_targets],
            "wrong_pairs_left_out": self.wrong - len(self.wrong_targets),
        }

    def _here(self, batches: Iterable[Sequence[Pair]], stopped: Callable[[], bool]) -> Iterator[Checked]:
        for batch in batches:
            if stopped():
                return
            yield check_pairs(self.model, batch)

    def _count(self, pair: Pair, response: Response) -> None:
        wrong = response != pair.target
        self.pairs += 1
        for family, key in zip(FAMILIES, sampling_buckets(pair), strict=True):
            self.pairs_in[family][key] += 1
            if wrong:
                self.wrong_in[family][key] += 1
        if wrong:
            self.wrong += 1
            self._wrong_prompts.add(pair.prompt)
            text = response if isinstance(response, str) else response.text
            self.malformed += self.grammar is not None and not self.grammar.accepts(text)
            if len(self.wrong_targets) < MOST_WRONG:
                got, fault = (response, None) if isinstance(response, str) else (response.text, response.message)
                self.wrong_targets.append(WrongTarget(*pair, got, fault))


@frozen
class Prediction:
    """The predicted success rate of the runs of one size: `steps` is the mean of the reference model's, `error` that of
    a single step; `interval` follows from both ends of its 95% interval.
    """

    n: int
    problems: int
    steps: float
    error: float
    success: float
    interval: tuple[float, float]


def predict(
    setting: Setting, instances: Iterable[Instance], exactness: Exactness, *, of_each_size: bool = False
) -> list[Prediction]:
    """Predict the success rate of each size, the mean over its problems, which come in a row. If nothing was measured,
    the error counts as 0; with `of_each_size`, it is that of the prompts in a size's runs, if the pairs that were
    checked are theirs, otherwise that of all pairs. The steps of a problem are counted one by one where a domain has
    no closed form for their number.
    """
    convention, found = setting.convention, list[Prediction]()

    def length(problem: Any) -> int:
        known = convention.expect(problem)
        return known.steps if known else convention.count_steps(sum(1 for _ in policy_steps(setting.domain, problem)))

    for n, group in groupby(instances, attrgetter("n")):
        problems = [instance.problem for instance in group]
        steps = [*map(length, problems)]
        wrong, pairs = exactness.wrong, exactness.pairs
        if of_each_size:
            judged = [exactness.is_wrong(pair.prompt) for pair in teacher_pairs(setting, problems)]
            wrong, pairs = sum(judged), len(judged)
        error, (low, high) = wrong / pairs if pairs else 0.0, wilson(wrong, pairs)
        least, success, most = (sum((1 - rate) ** count for count in steps) / len(steps) for rate in (high, error, low))
        found.append(Prediction(n, len(steps), sum(steps) / len(steps), error, success, (least, most)))
    return found
