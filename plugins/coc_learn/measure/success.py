"""Success rates over many problems, which are run in shards, here or by workers. A failure is recorded as data, with
the problem as text, so that it can be run again.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from attrs import Factory, asdict, define

from coc_core.errors import PluginError, UsageError
from coc_core.execution import Executor, Listener, Machine, StepRecord
from coc_core.models import Model
from coc_core.plugin import open_format
from coc_core.setting import Setting
from coc_core.text import quoted
from coc_core.types import Status
from coc_learn.grammar import Grammar, grammar_of
from coc_learn.measure.ended import Ended, Expected, Failure, PlanPacker, Result, Score, split
from coc_problems import Instance, effects, optimum
from coc_workers.pool import in_shards

SHARD = 32
"""Problems of one size that are run together."""

MOST_FAILURES = 100_000
"""Failures that are recorded; further ones are only counted."""

_MEANING = {
    "solved": "it was solved, and was expected to have no solution",
    "unsolved": "the run halted without reaching the goal",
}


EndedRun = tuple[int, Ended]
"""A run that has ended, with its place among the problems of its shard."""

Shards = Iterable[Sequence[Instance]]
ShardRunner = Callable[[Setting, Shards, Callable[[], bool]], Iterator[tuple[str, Iterable[EndedRun]]]]
"""Has shards of problems run: gives the name of the executor that did the work and the runs of each, in the order of
the shards, until a function says to stop.
"""


@define
class Evaluation:
    """Runs problems and counts those that are solved. Another thread may read the counts and call `interrupt`.

    Attributes:
        optimal: Whether to compare each plan with the shortest one, which takes a search.
        plan_format: The format in which plans are packed, None to pack none.
        on_end: Called with each run that has ended.
        expect: How each run should end.
        grammar: The form of targets, to count runs that end with another text: `malformed`; None not to.
        restored: The number of problems that had been run before.
        used: The name of the executor that did the work.
    """

    setting: Setting
    model: Model
    executor: Executor
    optimal: bool = False
    plan_format: str | None = None
    on_end: Callable[[Ended], None] | None = None
    expect: Expected = Expected.solved
    grammar: Grammar | None = Factory(lambda self: grammar_of(self.setting, self.model), takes_self=True)
    malformed: int = 0
    scores: dict[int, Score] = Factory(dict)
    failures: list[Failure] = Factory(list)
    failed: int = 0
    interrupted: bool = False
    restored: int = 0
    used: str = Factory(lambda self: self.executor.used, takes_self=True)
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

    def run(self, instances: Iterable[Instance], runner: ShardRunner | None = None) -> None:
        """Run problems, those of one size in a row, here or by workers, until the last one or an interruption.
        PluginError if a plugin raises an exception, or the executor leaves out a run or ends it of its own accord;
        UsageError if there is no problem, or a size is too large to search for the optimum.
        """
        tried, shards = self.interrupted, in_shards(instances, SHARD, attrgetter("n"))
        for used, runs in (runner or self._here)(self.setting, shards, lambda: self.interrupted):
            before, places = len(self.failures), list[int]()
            for place, ended in runs:
                self.count(ended)
                if self.on_end:
                    self.on_end(ended)
                places += [place] if ended.failure else []
            failures = zip(places, self.failures[before:], strict=False)  # of which only some may be recorded
            self.failures[before:] = [failure for _, failure in sorted(failures, key=itemgetter(0))]
            self.used, tried = used or self.executor.used, True
        self.scores = dict(sorted(self.scores.items()))
        if not (tried or self.done):
            raise UsageError("no problem was run", remedy="choose other sizes")

    def runs(self, instances: Iterable[Instance]) -> Iterator[EndedRun]:
        """Run problems, all of one size, and yield each run when it has ended."""
        calls, begun = self.model.calls, time.perf_counter()
        for machine in self.executor.stream(self._machines(instances), self.model):
            if machine.status != "interrupted":
                run, used = self._running.pop(machine), (self.model.calls - calls, time.perf_counter() - begun)
                yield run.place, self._ended(run, machine.status, *used)
                calls, begun = self.model.calls, time.perf_counter()
        if self._running and not self.interrupted:  # or else the rate would leave it out
            problem = self.setting.domain.problems.format(next(iter(self._running)).problem)
            executor = f"the executor {self.executor.name!r}"
            raise PluginError(f"{executor} stopped the run of {quoted(problem, 60)}, and nobody interrupted it")
        self._running.clear()

    def count(self, ended: Result) -> None:
        """Count a run that has ended, now or before."""
        self.scores.setdefault(ended.score.n, Score(ended.score.n)).add(ended.score)
        if ended.failure:
            self.failed += 1
            self.malformed += isinstance(ended, Ended) and ended.malformed
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(ended.failure)

    def interrupt(self) -> None:
        """Stop after the current step. A problem whose run is cut short counts neither as solved nor as failed."""
        self.interrupted = True
        for machine in list(self._running):
            machine.interrupt()

    def document(self) -> dict[str, Any]:
        """Return the result as plain data, ready for JSON."""
        total = self.total.document()
        del total["n"]
        return {
            **total,
            **({"split": split(self.total.successes, self.failed, self.malformed)} if self.grammar else {}),
            "interrupted": self.interrupted,
            "restored": self.restored,
            "sizes": [score.document() for score in self.scores.values()],
            "failures": [asdict(failure) for failure in self.failures],
            "failures_left_out": self.failed - len(self.failures),
        }

    def _here(
        self, _: Setting, shards: Shards, stopped: Callable[[], bool]
    ) -> Iterator[tuple[str, Iterable[EndedRun]]]:
        """Run shards in this process, where each run counts as soon as it has ended."""
        for shard in shards:
            yield "", self.runs(shard)
            if stopped():
                return

    def _machines(self, instances: Iterable[Instance]) -> Iterator[Machine]:
        for place, instance in enumerate(instances):
            run = _Run(self, instance, place)
            self._running[run.machine] = run
            if self.interrupted:  # checked last: an interruption is either seen here or finds the machine
                del self._running[run.machine]
                return
            yield run.machine

    def _ended(self, run: "_Run", status: Status, calls: int, seconds: float) -> Ended:
        """Return how a run ended that took so many model calls and seconds."""
        machine, instance, domain, solved = run.machine, run.instance, self.setting.domain, status == self.expect
        score = Score(instance.n, 1, int(solved), machine.steps, machine.actions, calls, seconds)
        score.unsolvable = int(status == "unsolvable")
        if self.optimal and status == "solved" and (shortest := optimum(domain, instance.problem)):
            score.ratios, score.compared = run.moves / shortest, 1
        failure, fault = None, machine.fault
        if not solved:
            failure = Failure(
                n=instance.n,
                seed=instance.seed,
                problem=domain.problems.format(instance.problem),
                status=status,
                step=fault.step if fault else machine.steps,
                kind=fault.kind if fault else None,
                message=fault.message if fault else machine.unsolvable or _MEANING[status],
                source=instance.source,
            )
        # A response that was cut off is a limit's fault.
        told = fault.text if fault and fault.kind in ("protocol", "limit") else ""
        malformed = bool(told and self.grammar and not self.grammar.accepts(told))
        if run.plan is None:  # nobody reads the text, and formatting it takes as long as a step
            return Ended(instance.source, "", score, failure, malformed=malformed)
        plan = run.plan.packed() if solved else None
        return Ended(instance.source, instance.text(domain), score, failure, plan, malformed)


class _Run:
    """A problem being run."""

    def __init__(self, evaluation: Evaluation, instance: Instance, place: int) -> None:
        setting, form, translation = evaluation.setting, evaluation.plan_format, instance.translation
        self.instance, self.place, self.moves = instance, place, 0
        self.plan: PlanPacker | None = None
        self._domain = setting.domain
        listeners: list[Listener] = [self._count_moves] if evaluation.optimal else []
        if form is not None:
            self.plan = PlanPacker(open_format(setting.registry, form, self._domain, instance.problem, translation))
            listeners.append(self.plan.listen)
        if translation is not None and (self.plan or not translation.exact):
            listeners.append(translation.check(self._domain, instance.problem))
        self.machine: Machine = setting.machine(instance.problem, listeners)

    def _count_moves(self, record: StepRecord) -> None:
        self.moves += sum(1 for _ in effects(self._domain, record.before, record.actions))
