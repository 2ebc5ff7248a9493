"""Success rates over many problems. What fails is data, with the problem in a form that can be run again."""

import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from math import sqrt
from operator import attrgetter
from typing import Any

from attrs import Factory, asdict, define, frozen

from coc_core.domain import Draw, effects, optimum
from coc_core.execution import Executor, Machine, StepRecord
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.types import Status

MOST_FAILURES = 100_000  # that are kept; the others are only counted
_Z = 1.959963984540054  # the normal distribution's 97.5% quantile


@frozen
class Failure:
    """A problem that was not solved: its text, and where and why the run ended.

    `step` is the first failing step of a fault, and the last step of a run that halted off the goal. `seed` is None
    for a problem that no seed drew.
    """

    n: int
    seed: int | None
    problem: str
    status: Status
    step: int
    kind: str | None
    message: str


@define
class Score:
    """The runs of one size. `model_calls` and `seconds` are of all of them together, in prompts and wall time.

    `ratios` sums, over `compared` solved problems that were not solved at the start, the plan's physical length
    divided by the optimum.
    """

    n: int
    instances: int = 0
    successes: int = 0
    steps: int = 0
    actions: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    ratios: float = 0.0
    compared: int = 0

    @property
    def rate(self) -> float | None:
        """The fraction that was solved; None if nothing has run."""
        return self.successes / self.instances if self.instances else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the rate."""
        return wilson(self.successes, self.instances)

    @property
    def ratio(self) -> float | None:
        """The mean ratio of a plan's length to the optimum; None if it was not asked for or nothing was comparable."""
        return self.ratios / self.compared if self.compared else None


def wilson(successes: int, instances: int, z: float = _Z) -> tuple[float, float]:
    """Wilson's score interval of a proportion, both ends in [0, 1], which is all of it where there are no instances.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927), p. 209-212.
    """
    if not instances:
        return 0.0, 1.0
    rate, spread = successes / instances, z * z / instances
    centre = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(rate * (1 - rate) / instances + spread / (4 * instances))
    # At the ends the formula gives exactly 0 and 1, but for rounding.
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (low if successes else 0.0), (high if successes < instances else 1.0)


@define
class Evaluation:
    """Runs problem after problem and keeps the score. It may be watched from another thread, and interrupted."""

    setting: Setting
    model: Model
    executor: Executor
    optimal: bool = False
    """Whether plans are compared with the shortest ones, which takes a search for each."""

    scores: dict[int, Score] = Factory(dict)
    failures: list[Failure] = Factory(list)
    failed: int = 0
    interrupted: bool = False
    _running: dict[Machine, "_Run"] = Factory(dict)

    @property
    def done(self) -> int:
        """How many problems have come to an end."""
        return sum(score.instances for score in list(self.scores.values()))

    @property
    def total(self) -> Score:
        """The scores of all sizes in one, with n = 0."""
        total = Score(0)
        for score in self.scores.values():
            for name in ("instances", "successes", "steps", "actions", "model_calls", "seconds", "ratios", "compared"):
                setattr(total, name, getattr(total, name) + getattr(score, name))
        return total

    def run(self, draws: Iterable[Draw]) -> None:
        """Run the problems, those of one size together, until there are no more or someone interrupts.

        Raises PluginError if a plugin does, UsageError if a size is too large to search.
        """
        for n, group in groupby(draws, attrgetter("n")):
            self._run(self.scores.get(n) or Score(n), group)
            if self.interrupted:
                return

    def interrupt(self) -> None:
        """Stop after the step under way. A problem that is cut short counts as neither solved nor failed."""
        self.interrupted = True
        for machine in list(self._running):
            machine.interrupt()

    def _run(self, score: Score, draws: Iterable[Draw]) -> None:
        failures: list[tuple[int, Failure]] = []
        calls, begun = self.model.calls, time.perf_counter()
        for machine in self.executor.stream(self._machines(draws), self.model):
            score.model_calls += self.model.calls - calls
            score.seconds += time.perf_counter() - begun
            run, status = self._running.pop(machine), machine.status
            if status != "interrupted":
                self.scores[score.n] = score
                self._count(score, run, status)
                if status != "solved":
                    self.failed += 1
                    if len(self.failures) + len(failures) < MOST_FAILURES:
                        failures.append((run.place, _failure(self.setting, run, status)))
            calls, begun = self.model.calls, time.perf_counter()
        failures.sort(key=lambda found: found[0])
        self.failures += [failure for _, failure in failures]

    def _machines(self, draws: Iterable[Draw]) -> Iterator[Machine]:
        for place, draw in enumerate(draws):
            run = _Run(self.setting, draw, place, self.optimal)
            self._running[run.machine] = run
            if self.interrupted:  # asked last, so an interruption either is seen here or finds the machine
                del self._running[run.machine]
                return
            yield run.machine

    def _count(self, score: Score, run: "_Run", status: Status) -> None:
        score.instances += 1
        score.steps += run.machine.steps
        score.actions += run.machine.actions
        if status == "solved":
            score.successes += 1
            shortest = optimum(self.setting.domain, run.draw.problem) if self.optimal else None
            if shortest:
                score.ratios += run.moves / shortest
                score.compared += 1


class _Run:
    """The problem at `place`, under way, and how many of its actions have moved something, if anyone asks."""

    def __init__(self, setting: Setting, draw: Draw, place: int, counting: bool) -> None:
        self.draw = draw
        self.place = place
        self.moves = 0
        self.machine: Machine = setting.machine(draw.problem, [self._listen] if counting else [])
        self._domain = setting.domain

    def _listen(self, record: StepRecord) -> None:
        self.moves += sum(1 for _ in effects(self._domain, record.before, record.actions))


def _failure(setting: Setting, run: _Run, status: Status) -> Failure:
    fault = run.machine.fault
    return Failure(
        n=run.draw.n,
        seed=run.draw.seed,
        problem=setting.domain.problems.format(run.draw.problem),
        status=status,
        step=fault.step if fault else run.machine.steps,
        kind=fault.kind if fault else None,
        message=fault.message if fault else "the run halted off the goal",
    )


def success_document(evaluation: Evaluation) -> dict[str, Any]:
    """The result as plain data, ready for JSON."""
    total = _plain(evaluation.total)
    del total["n"]
    return {
        **total,
        "interrupted": evaluation.interrupted,
        "sizes": [_plain(score) for score in evaluation.scores.values()],
        "failures": [asdict(failure) for failure in evaluation.failures],
        "failures_left_out": evaluation.failed - len(evaluation.failures),
    }


def _plain(score: Score) -> dict[str, Any]:
    return {
        "n": score.n,
        "instances": score.instances,
        "successes": score.successes,
        "rate": score.rate,
        "interval": list(score.interval),
        "steps": score.steps,
        "actions": score.actions,
        "model_calls": score.model_calls,
        "seconds": round(score.seconds, 6),
        "optimal_ratio": score.ratio,
    }
