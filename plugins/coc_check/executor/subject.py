"""An executor under test: what it makes of runs, beside what Algorithm 1 makes of them."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

from coc_check.check import require
from coc_check.comparison import Watched, require_same
from coc_check.plain import run_plainly
from coc_check.stage import Stage, Subject, Task, plain_stages
from coc_core.execution import Executor
from coc_core.models import Model
from coc_core.plugin import ExecutorSpec
from coc_core.types import Limits, Outcome

LIMITS = Limits(steps=80, tape_bytes=3_000, stack_depth=40, target_chars=600)
"""Low enough to be reached."""

ALGORITHM = "by Algorithm 1"

Made = Callable[[Any], Model]
"""A new model for a convention: each run gets one that knows nothing of the others."""


class ExecutorSubject(Subject):
    """One installed executor."""

    kind = ExecutorSpec

    def fresh(self) -> Executor:
        """A new executor."""
        return self.registry.create(ExecutorSpec, self.name)  # type: ignore[no-any-return]

    @property
    def leaves_out(self) -> Collection[str]:  # type: ignore[override]
        """What an executor that samples does with a model that is not deterministic is not known in advance."""
        return ("nondeterministic_models_are_not_cached",) if self.fresh().samples else ()

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Where it is tried; Nonconforming if there is no domain."""
        found = self.limited(LIMITS)
        require(bool(found), f"no domain is installed that {self.name} could run")
        return found

    def limited(self, limits: Limits) -> tuple[Stage, ...]:
        """The same stages with other caps."""
        return tuple(plain_stages(self.registry, limits=limits))

    def run(
        self, stage: Stage, tasks: Sequence[Task], model: Model, executor: Executor | None = None
    ) -> tuple[list[Watched], tuple[Outcome, ...]]:
        """Let an executor run a machine for each task, by default a new one."""
        watched = watch(stage, tasks)
        return watched, (executor or self.fresh()).run([each.machine for each in watched], model)

    def agrees(self, stage: Stage, tasks: Sequence[Task], made: Made, executor: Executor | None = None) -> None:
        """Nonconforming unless these runs, all at once, are those of Algorithm 1, one by one."""
        watched, outcomes = self.run(stage, tasks, made(stage.setting.convention), executor)
        require(len(outcomes) == len(tasks), f"{len(tasks)} machines have {len(outcomes)} outcomes", str(stage))
        distinct = {id(task): task for task in tasks}
        plain = {
            key: run_plainly(stage.setting, task.problem, made(stage.setting.convention))
            for key, task in distinct.items()
        }
        for number, (task, each, outcome) in enumerate(zip(tasks, watched, outcomes, strict=True), 1):
            which = f"run {number} of {len(tasks)}, {stage.named(task)}"
            require_same(plain[id(task)], each.trace(outcome), which, ALGORITHM)


def watch(stage: Stage, tasks: Sequence[Task]) -> list[Watched]:
    """A machine for each task."""
    return [Watched(stage.setting, task.problem) for task in tasks]
