"""Success rates over many problems.

A failure is recorded as data, with the problem as text, so that it can be run again. Problems are run in shards, here
or by workers; what comes out is the same, but for the time that it takes.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Protocol

from attrs import Factory, asdict, define, frozen

from coc_core.arithmetic import MOST_MISTAKES
from coc_core.domain import Instance, effects, optimum
from coc_core.engines import Lost, in_shards, worker_error
from coc_core.errors import UsageError
from coc_core.evaluation.interval import wilson
from coc_core.execution import Executor, Machine, StepRecord
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.text import counted
from coc_core.types import Status

SHARD = 32
"""Problems of one size that are run together."""

MOST_FAILURES = 100_000
"""Failures that are recorded; further ones are only counted."""


@frozen
class Failure:
    """A problem that was not solved: its text, and where and why the run ended.

    `step` is the step that failed or, if there was no fault, the last step, which is 0 if the problem has no solution.
    `seed` is None for a problem that was not drawn by a seed. `kind` is the kind of fault, None if there was no fault.
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

    def add(self, other: "Score") -> None:
        """Add the totals of other runs."""
        for name in ("instances", "successes", "steps", "actions", "model_calls", "seconds", "ratios", "compared"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@frozen
class ShardResult:
    """What came of the runs of a shard.

    `used` is the executor that did the work, `mistakes` are those of the arithmetic.
    """

    score: Score
    failures: list[Failure]
    failed: int
    used: str
    mistakes: tuple[str, ...]


class ShardRunner(Protocol):
    """Has shards of problems run by workers."""

    def runs(
        self, setting: Setting, shards: Iterable[Sequence[Instance]], stopped: Callable[[], bool]
    ) -> Iterator[ShardResult | Lost[Any]]:
        """What came of each shard, in their order, until `stopped` says to stop."""


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
    lost: int = 0
    """The number of problems that no worker could run, since each that tried was lost."""

    first_lost: str = ""
    """The text of the first of these problems."""

    mistakes: list[str] = Factory(list)
    """The first few mistakes of the arithmetic, where it can detect them."""

    used: str = Factory(lambda self: self.executor.used, takes_self=True)
    """The name of the executor that did the work."""

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
            total.add(score)
        return total

    def run(self, instances: Iterable[Instance], workers: ShardRunner | None = None) -> None:
        """Run problems until the last one or an interruption.

        Args:
            instances: The problems, those of one size in a row.
            workers: Run them; by default they are run here.

        Raises:
            PluginError: If a plugin raises an exception.
            UsageError: If there is no problem, or plans are compared with the optimum and a size is too large to
                search.
        """
        shards = in_shards(instances, SHARD, attrgetter("n"))
        if workers is None:
            for shard in shards:
                self._run(self.scores.get(shard[0].n) or Score(shard[0].n), shard)
                if self.interrupted:
                    break
            self.used, self.mistakes = self.executor.used, list(self.setting.arithmetic.mistakes)
        else:
            for found in workers.runs(self.setting, shards, lambda: self.interrupted):
                self._add(found)
        if not (self.done or self.lost or self.interrupted):
            raise UsageError("no problem was run", remedy="choose other sizes")

    def result(self) -> ShardResult:
        """What came of the runs, which were all of one size."""
        (score,) = self.scores.values()
        return ShardResult(score, self.failures, self.failed, self.used, tuple(self.mistakes))

    def check_lost(self) -> None:
        """WorkerError if there are problems that no worker could run."""
        if self.lost:
            raise worker_error(
                f"{counted(self.lost, 'problem')} not run",
                self.first_lost,
                remedy="choose fewer --jobs, or run that problem with `coc run` to see what happens",
            )

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

    def _add(self, found: ShardResult | Lost[Any]) -> None:
        if isinstance(found, Lost):
            self.lost += len(found.shard)
            self.first_lost = self.first_lost or found.shard[0][2]
            return
        n = found.score.n
        self.scores.setdefault(n, Score(n)).add(found.score)
        self.failed += found.failed
        self.failures += found.failures[: MOST_FAILURES - len(self.failures)]
        self.used = found.used
        new = (mistake for mistake in found.mistakes if mistake not in self.mistakes)
        self.mistakes += islice(new, MOST_MISTAKES - len(self.mistakes))

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
        message=fault.message if fault else run.machine.unsolvable or "the run halted without reaching the goal",
    )


def success_document(evaluation: Evaluation) -> dict[str, Any]:
    """The result as plain data, ready for JSON."""
    total = _plain(evaluation.total)
    del total["n"]
    return {
        **total,
        "interrupted": evaluation.interrupted,
        "lost": evaluation.lost,
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
