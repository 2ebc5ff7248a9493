"""Success rates over many problems.

A failure is recorded as data, with the problem as text, so that it can be run again. Problems are run in shards, here
or by workers; what comes out is the same, but for the time that it takes.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any, Protocol

from attrs import Factory, asdict, define, frozen

from coc_core.arithmetic import MOST_MISTAKES
from coc_core.errors import PluginError, UsageError
from coc_core.execution import Executor, Listener, Machine, StepRecord
from coc_core.models import Model
from coc_core.plugin import open_format
from coc_core.setting import Setting
from coc_core.text import counted, quoted
from coc_core.types import Status
from coc_learn.measure.ended import Ended, Expected, Failure, PlanPacker, Result, Score
from coc_problems import Instance, effects, optimum
from coc_workers.pool import Lost, in_shards, worker_error

SHARD = 32
"""Problems of one size that are run together."""

MOST_FAILURES = 100_000
"""Failures that are recorded; further ones are only counted."""


@frozen
class ShardResult:
    """What came of a shard: the executor that did the work, mistakes of the arithmetic, and each run if plans were
    wanted.
    """

    score: Score
    failures: list[Failure]
    failed: int
    used: str
    mistakes: tuple[str, ...]
    ended: tuple[Ended, ...] = ()


class ShardRunner(Protocol):
    """Has shards of problems run by workers."""

    def runs(
        self, setting: Setting, shards: Iterable[Sequence[Instance]], stopped: Callable[[], bool]
    ) -> Iterator[ShardResult | Lost[Any]]:
        """Return what came of each shard, in their order, until `stopped` says to stop."""


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

    plan_format: str | None = None
    """The format in which plans are packed, None to pack none."""

    on_end: Callable[[Ended], None] | None = None
    """Called with each run that has ended, where plans are packed."""

    expect: Expected = Expected.solved
    """How each run should end."""

    scores: dict[int, Score] = Factory(dict)
    failures: list[Failure] = Factory(list)
    failed: int = 0
    interrupted: bool = False
    restored: int = 0
    """The number of problems that had been run before."""

    lost_by_size: Counter[int] = Factory(Counter)
    """How many problems no worker could run, since each that tried was lost, by size."""

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
    def lost(self) -> int:
        """The number of problems that no worker could run."""
        return self.lost_by_size.total()

    def requested(self, score: Score) -> int:
        """Return how many problems were to be run, of a size or all (`total`): those that have ended and the lost."""
        return score.instances + (self.lost_by_size[score.n] if score.n else self.lost)

    def rate(self, score: Score) -> float | None:
        """Return the fraction of the problems that were solved; None where some could not be run."""
        return score.rate if score.instances == self.requested(score) else None

    def interval(self, score: Score) -> tuple[float, float]:
        """Return the 95% Wilson interval of the rate; from 0 to 1 where there is no rate."""
        return (0.0, 1.0) if self.rate(score) is None else score.interval

    @property
    def total(self) -> Score:
        """The scores of all sizes together, with n = 0."""
        total = Score(0)
        for score in self.scores.values():
            total.add(score)
        return total

    def run(self, instances: Iterable[Instance], workers: ShardRunner | None = None) -> None:
        """Run problems, those of one size in a row, here or by workers, until the last one or an interruption.
        PluginError if a plugin raises an exception, or the executor leaves out a run or ends it of its own accord;
        UsageError if there is no problem, or a size is too large to search for the optimum.
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
        self.scores = dict(sorted(self.scores.items()))
        if not (self.done or self.lost or self.interrupted):
            raise UsageError("no problem was run", remedy="choose other sizes")

    def restore(self, ended: Iterable[Result]) -> None:
        """Count runs that have ended before."""
        for each in ended:
            self.restored += 1
            self.scores.setdefault(each.score.n, Score(each.score.n)).add(each.score)
            if each.failure:
                self._add_failures([each.failure], 1)

    def result(self, ended: Iterable[Ended] = ()) -> ShardResult:
        """Return what came of the runs, which were all of one size and, where plans were asked for, each of them."""
        (score,) = self.scores.values()
        return ShardResult(score, self.failures, self.failed, self.used, tuple(self.mistakes), tuple(ended))

    def check_lost(self) -> None:
        """Raise WorkerError if there are problems that no worker could run."""
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
            one = Score(score.n, model_calls=self.model.calls - calls, seconds=time.perf_counter() - begun)
            run, status = self._running.pop(machine), machine.status
            if status == "interrupted":
                self._check_stopped(machine)
            else:
                self.scores[score.n] = score
                self._count(one, run, status)
                failure = None if status == self.expect else _failure(self.setting, run, status)
                if failure:
                    self.failed += 1
                    if len(self.failures) + len(failures) < MOST_FAILURES:
                        failures[run.index] = failure
                if self.on_end:
                    self.on_end(run.ended(one, failure))
            score.add(one)
            calls, begun = self.model.calls, time.perf_counter()
        for machine in self._running:
            self._check_stopped(machine)
        self._running.clear()
        self.failures += [failures[index] for index in sorted(failures)]

    def _check_stopped(self, machine: Machine) -> None:
        """Raise PluginError if the executor stopped a run that nobody interrupted, and the rate would leave out."""
        if not self.interrupted:
            problem = quoted(self.setting.domain.problems.format(machine.problem), 60)[1:-1]
            raise PluginError(
                f"the executor {self.executor.name!r} stopped the run of {problem} after"
                f" {counted(machine.steps, 'step')}, and nobody interrupted it"
            )

    def _add(self, found: ShardResult | Lost[Any]) -> None:
        if isinstance(found, Lost):
            n = found.shard[0][0]
            self.lost_by_size[n] += len(found.shard)
            self.scores.setdefault(n, Score(n))
            self.first_lost = self.first_lost or found.shard[0][2]
            return
        n = found.score.n
        self.scores.setdefault(n, Score(n)).add(found.score)
        self._add_failures(found.failures, found.failed)
        if self.on_end:
            for ended in found.ended:
                self.on_end(ended)
        self.used = found.used
        new = (mistake for mistake in found.mistakes if mistake not in self.mistakes)
        self.mistakes += islice(new, MOST_MISTAKES - len(self.mistakes))

    def _add_failures(self, failures: Sequence[Failure], count: int) -> None:
        self.failed += count
        self.failures += failures[: MOST_FAILURES - len(self.failures)]

    def _machines(self, instances: Iterable[Instance]) -> Iterator[Machine]:
        for index, instance in enumerate(instances):
            run = _Run(self.setting, instance, index, count_moves=self.optimal, plan_format=self.plan_format)
            self._running[run.machine] = run
            if self.interrupted:  # checked last: an interruption is either seen here or finds the machine
                del self._running[run.machine]
                return
            yield run.machine

    def _count(self, score: Score, run: "_Run", status: Status) -> None:
        score.instances += 1
        score.steps += run.machine.steps
        score.actions += run.machine.actions
        score.successes += status == self.expect
        score.unsolvable += status == "unsolvable"
        if status == "solved":
            shortest = optimum(self.setting.domain, run.instance.problem) if self.optimal else None
            if shortest:
                score.ratios += run.moves / shortest
                score.compared += 1


class _Run:
    """A problem being run; counts moves with `count_moves`, and packs the plan with a `plan_format`."""

    def __init__(
        self, setting: Setting, instance: Instance, index: int, *, count_moves: bool, plan_format: str | None
    ) -> None:
        self.instance = instance
        self.index = index
        self.moves = 0
        self._domain = setting.domain
        self._plan: PlanPacker | None = None
        listeners: list[Listener] = [self._listen] if count_moves else []
        if plan_format is not None:
            form = open_format(setting.registry, plan_format, setting.domain, instance.problem, instance.translation)
            self._plan = PlanPacker(form)
            listeners.append(self._plan.listen)
        if (translation := instance.translation) is not None and (self._plan or not translation.exact):
            listeners.append(translation.check(setting.domain, instance.problem))
        self.machine: Machine = setting.machine(instance.problem, listeners)

    def ended(self, score: Score, failure: Failure | None) -> Ended:
        """Return how it ended, with its plan if there is no failure."""
        text = self.instance.text(self._domain)
        return Ended(
            self.instance.source, text, score, failure, None if failure or not self._plan else self._plan.packed()
        )

    def _listen(self, record: StepRecord) -> None:
        self.moves += sum(1 for _ in effects(self._domain, record.before, record.actions))


_MEANING = {
    "solved": "it was solved, and was expected to have no solution",
    "unsolved": "the run halted without reaching the goal",
}


def _failure(setting: Setting, run: _Run, status: Status) -> Failure:
    fault = run.machine.fault
    return Failure(
        n=run.instance.n,
        seed=run.instance.seed,
        problem=setting.domain.problems.format(run.instance.problem),
        status=status,
        step=fault.step if fault else run.machine.steps,
        kind=fault.kind if fault else None,
        message=fault.message if fault else run.machine.unsolvable or _MEANING[status],
        source=run.instance.source,
    )


def success_document(evaluation: Evaluation) -> dict[str, Any]:
    """Return the result as plain data, ready for JSON."""
    total = score_document(evaluation, evaluation.total)
    del total["n"]
    return {
        **total,
        "interrupted": evaluation.interrupted,
        "restored": evaluation.restored,
        "lost": evaluation.lost,
        "sizes": [score_document(evaluation, score) for score in evaluation.scores.values()],
        "failures": [asdict(failure) for failure in evaluation.failures],
        "failures_left_out": evaluation.failed - len(evaluation.failures),
    }


def score_document(evaluation: Evaluation, score: Score) -> dict[str, Any]:
    """Return a score of an evaluation as plain data."""
    return {
        "n": score.n,
        "instances": score.instances,
        "successes": score.successes,
        "rate": evaluation.rate(score),
        "interval": list(evaluation.interval(score)),
        "steps": score.steps,
        "actions": score.actions,
        "model_calls": score.model_calls,
        "seconds": round(score.seconds, 6),
        "optimal_ratio": score.ratio,
        "requested": evaluation.requested(score),
        "unsolvable": score.unsolvable,
    }
