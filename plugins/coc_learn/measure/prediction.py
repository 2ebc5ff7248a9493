"""What the error of a single step predicts for whole runs.

A run succeeds if all of its steps are right. If errors fall on steps at random, with probability e, a run of s steps
succeeds with probability (1 - e)^s.
"""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from attrs import frozen

from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.interval import wilson
from coc_problems import Instance


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
    checked are theirs, otherwise that of all pairs. The reference model runs a problem where a domain has no closed
    form for the number of its steps.
    """
    reference, found = Reference(setting.convention), []
    for n, group in groupby(instances, attrgetter("n")):
        problems = [instance.problem for instance in group]
        expected = ((problem, setting.convention.expect(problem)) for problem in problems)
        steps = [
            known.steps if known else Cached().run([setting.machine(problem)], reference)[0].steps
            for problem, known in expected
        ]
        wrong, pairs = exactness.wrong, exactness.pairs
        if of_each_size:
            judged = [exactness.is_wrong(pair.prompt) for pair in teacher_pairs(setting, problems)]
            wrong, pairs = sum(judged), len(judged)
        error, (low, high) = wrong / pairs if pairs else 0.0, wilson(wrong, pairs)
        least, success, most = (sum((1 - rate) ** count for count in steps) / len(steps) for rate in (high, error, low))
        found.append(Prediction(n, len(steps), sum(steps) / len(steps), error, success, (least, most)))
    return found
