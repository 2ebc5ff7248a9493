"""What the error of a single step predicts for whole runs.

A run succeeds if all of its steps are right. If errors fall on steps at random, with probability e, a run of s steps
succeeds with probability (1 - e)^s.
"""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Any

from attrs import frozen

from coc_core.domain import Instance
from coc_core.evaluation.exactness import Exactness
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_core.setting import Setting


@frozen
class Prediction:
    """The predicted success rate of the runs of one size.

    `steps` is the mean number of steps of the reference model's runs; `interval` follows from both ends of the error's
    interval.
    """

    n: int
    problems: int
    steps: float
    success: float
    interval: tuple[float, float]


def predict(setting: Setting, instances: Iterable[Instance], exactness: Exactness) -> list[Prediction]:
    """Predict the success rate of each size.

    Args:
        setting: The setting of the runs.
        instances: The problems, those of one size in a row.
        exactness: The measured error of a single step; if nothing was measured, the error counts as 0.

    Returns:
        For each size, the mean over its problems. Where a domain has no closed form for the number of steps, the
        reference model runs the problem to count them.
    """
    error, (low, high) = exactness.error or 0.0, exactness.interval
    reference, found = Reference(setting.convention), []
    for n, group in groupby(instances, attrgetter("n")):
        steps = [_steps(setting, instance.problem, reference) for instance in group]

        def mean(rate: float, steps: list[int] = steps) -> float:
            return sum((1 - rate) ** count for count in steps) / len(steps)

        found.append(Prediction(n, len(steps), sum(steps) / len(steps), mean(error), (mean(high), mean(low))))
    return found


def _steps(setting: Setting, problem: Any, reference: Reference) -> int:
    expected = setting.convention.expect(problem)
    if expected is not None:
        return expected.steps
    (outcome,) = Cached().run([setting.machine(problem)], reference)
    return outcome.steps
