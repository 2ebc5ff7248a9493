"""Success rates over many problems.

A failure is recorded as data, with the problem as text, so that it can be run again.
"""

import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from attrs import Factory, asdict, define, frozen

from coc_core.domain import Instance, effects, optimum
from coc_core.errors import UsageError
from coc_core.evaluation.interval import wilson
from coc_core.execution import Executor, Machine, StepRecord
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.types import Status

MOST_FAILURES = 100_000
"""Failures that are recorded; further ones are only counted."""


@frozen
class Failure:
    """A problem that was not solved: its text, and where and why the run ended.

    `step` is the step that failed or, if the run halted without reaching the goal, the last step. `seed` is None for a
    problem that was not drawn by a seed. `kind` is the kind of fault, None if there was no fault.
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
    """The totals of the runs of one size: model calls in prompts, `seconds` in wall time.

    `ratios` is the sum of the plans' physical lengths divided by the optimum, over the `compared` problems: those that
    were solved and did not start at the goal.
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
        """The fraction of problems that were solved; None if none has ended."""
        return self.successes / self.instances if self.instances else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the rate."""
        return wilson(self.successes, self.instances)

    @property
    def ratio(self) -> float | None:
        """The mean of a plan's length divided by the optimum; None if no plan was compared."""
        return self.ratios / self.compared if self.compared else None


@define
class Evaluation:
    """Runs problems and counts those that are solved.

    Another thread may read the counts and call `interrupt` during a run.
    """

    setting: Setting
    model: Model
    executor: Executor
    optimal: bool = False
    """Whether to compare each plan with the shortest one, which takes a search."""

    scores: dict[int, Score] = Factory(dict)
    failures: list[Failure] = Factory(list)
    failed: int = 0
    interrupted: bool = False
    _running: dict[Machine, "_Run"] = Factory(dict)

    def __repr__(self) -> str:
        return f"Evaluation({self.setting}, {self.done:,} done, {self.failed:,} failed)"

    @property
    def done(self) -> int:
        """The number of problems whose runs have ended."""
        return sum(score.instances for score in list(self.scores.values()))

    @property
    def total(self) -> Score:
        """The scores of all sizes together, with n = 0."""
        total = Score(0)
        for score in self.scores.values():
            for name in ("instances", "successes", "steps", "actions", "model_calls", "seconds", "ratios", "compared"):
                setattr(total, name, getattr(total, name) + getattr(score, name))
        return total

    def run(self, instances: Iterable[Instance]) -> None:
        """Run problems until the last one or an interruption.

        Args:
            instances: The problems, those of one size in a row; they are run together.

        Raises:
            PluginError: If a plugin raises an exception.
            UsageError: If there is no problem, or plans are compared with the optimum and a size is too large to
                search.
        """
        for n, group in groupby(instances, attrgetter("n")):
            self._run(self.scores.get(n) or Score(n), group)
            if self.interrupted:
                return
        if not self.done:
            raise UsageError("no problem was run", remedy="choose other sizes")

    def interrupt(self) -> None:
        """Stop after the current step. A problem whose run is cut short counts neither as solved nor as failed."""
        self.interrupted = True
        for machine in list(self._running):
            machine.interrupt()

    def _run(self, score: Score, instances: Iterable[Instance]) -> None:
        failures: dict[int, Failure] = {}
        calls, begun = self.model.calls, time.perf_counter()
        for machine in self.executor.stream(self._machines(instances), self.model):
            score.model_calls += self.model.calls - calls
            score.seconds += time.perf_counter() - begun
            run, status = self._running.pop(machine), machine.status
            if status != "interrupted":
                self.scores[score.n] = score
                self._count(score, run, status)
                if status != "solved":
                    self.failed += 1
                    if len(self.failures) + len(failures) < MOST_FAILURES:
                        failures[run.index] = _failure(self.setting, run, status)
            calls, begun = self.model.calls, time.perf_counter()
        self.failures += [failures[index] for index in sorted(failures)]

    def _machines(self, instances: Iterable[Instance]) -> Iterator[Machine]:
        for index, instance in enumerate(instances):
            run = _Run(self.setting, instance, index, count_moves=self.optimal)
            self._running[run.machine] = run
            if self.interrupted:  # checked last: an interruption is either seen here or finds the machine
                del self._running[run.machine]
                return
            yield run.machine

    def _count(self, score: Score, run: "_Run", status: Status) -> None:
        score.instances += 1
        score.steps += run.machine.steps
        score.actions += run.machine.actions
        if status == "solved":
            score.successes += 1
            shortest = optimum(self.setting.domain, run.instance.problem) if self.optimal else None
            if shortest:
                score.ratios += run.moves / shortest
                score.compared += 1


class _Run:
    """A problem that is being run, and, with `count_moves`, how many of its actions have moved something."""

    def __init__(self, setting: Setting, instance: Instance, index: int, *, count_moves: bool) -> None:
        self.instance = instance
        self.index = index
        self.moves = 0
        self.machine: Machine = setting.machine(instance.problem, [self._listen] if count_moves else [])
        self._domain = setting.domain

    def _listen(self, record: StepRecord) -> None:
        self.moves += sum(1 for _ in effects(self._domain, record.before, record.actions))


def _failure(setting: Setting, run: _Run, status: Status) -> Failure:
    fault = run.machine.fault
    return Failure(
        n=run.instance.n,
        seed=run.instance.seed,
        problem=setting.domain.problems.format(run.instance.problem),
        status=status,
        step=fault.step if fault else run.machine.steps,
        kind=fault.kind if fault else None,
        message=fault.message if fault else "the run halted without reaching the goal",
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
