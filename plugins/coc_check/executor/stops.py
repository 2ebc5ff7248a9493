"""Checks of how an executor stops: at faults, limits, loops, errors and interruptions, and how it goes on."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from coc_check.check import needs, require
from coc_check.comparison import Watched, require_same
from coc_check.executor.models import Erring, ErringVerifier
from coc_check.executor.subject import ALGORITHM, ExecutorSubject, watch
from coc_check.plain import run_plainly
from coc_check.scripted import ScriptedPolicy
from coc_check.stage import Stage, Task
from coc_core.errors import CocError, PluginError, UsageError
from coc_core.execution import Machine, StepRecord
from coc_core.models import Model
from coc_core.types import Limits

NEEDS = ("outcomes_are_in_order", "each_machine_is_returned_once")
PLACES = (1, 2, 5)  # steps, or model calls, before something happens
TIGHT = (Limits(steps=0), Limits(steps=3), Limits(tape_bytes=150, stack_depth=2), Limits(target_chars=20))


@needs("outcomes_are_in_order", "each_machine_is_returned_once")
def refused_steps_change_nothing(subject: ExecutorSubject) -> None:
    """Nothing of a step is kept before all of it is found to be in order.

    Its text, actions and writes are checked first; then the memory and the state change together.
    """
    for stage in subject.stages:
        for way in ("shortened", "mutated", "cut"):
            for seed in range(4):
                watched, _ = subject.run(stage, stage.tasks[-3:], Erring(stage.setting.convention, way, 0.3, seed))
                _are_after_whole_steps(stage, stage.tasks[-3:], watched)


@needs("outcomes_are_in_order", "refused_steps_change_nothing")
def a_fault_ends_one_run(subject: ExecutorSubject) -> None:
    """A fault ends the run that it belongs to, at its step, and no other.

    Of a batch that is a fault, each prompt has to be tried again.
    """
    for stage in subject.stages:
        for seed in range(4):
            subject.agrees(stage, stage.tasks, partial(Erring, way="numeric", share=0.15, seed=seed))


def limits_hold(subject: ExecutorSubject) -> None:
    """Every cap of `Limits` ends a run where it ends Algorithm 1.

    An executor that looks ahead must not look beyond a limit.
    """
    for limits in TIGHT:
        for stage in subject.limited(limits):
            subject.agrees(stage, stage.tasks, ErringVerifier)


@needs("limits_hold", "a_fault_ends_one_run")
def endless_runs_end(subject: ExecutorSubject) -> None:
    """A run that never ends is found out at the same step as by Algorithm 1.

    Look for steps that are taken while the machine is assumed not to be deterministic.
    """
    for stage in subject.stages:
        for model, share in ((Erring, 1), (ErringVerifier, 0.1), (ErringVerifier, 1)):
            subject.agrees(stage, stage.tasks[-2:], partial(model, way="undone", share=share))


@needs("a_fault_ends_one_run")
def broken_models_are_reported(subject: ExecutorSubject) -> None:
    """What a model raises by mistake comes out as a PluginError, and an error of its own as it is.

    Neither is an unsolved problem.
    """
    for stage in subject.stages:
        for error, wanted in ((RuntimeError("out of order"), PluginError), (UsageError("not today"), UsageError)):
            for place in PLACES:
                model = ScriptedPolicy(stage.setting.convention, {}, failure=(error, place - 1))
                found = _raised(subject, stage, model, wanted)
                complaint = f"the model raises {error!r}; what comes out is {found!r}"
                require(isinstance(found, wanted) or not model.failed, complaint, str(stage))


def _raised(subject: ExecutorSubject, stage: Stage, model: Model, wanted: type[BaseException]) -> BaseException | None:
    try:
        subject.run(stage, stage.tasks[-1:], model)
    except (wanted, CocError, RuntimeError) as error:
        return error
    return None


def interruptions_leave_whole_steps(subject: ExecutorSubject) -> None:
    """A KeyboardInterrupt comes out and leaves each machine at the end of a step, from where its run can go on.

    It may come from a listener or out of the model, at any time.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for place in PLACES:
            for by_model in (False, True):
                failure = KeyboardInterrupt(), place - 1 if by_model else sys.maxsize
                model, interrupted = ScriptedPolicy(stage.setting.convention, {}, failure=failure), False
                listeners = [] if by_model else [partial(_interrupt, place)]
                watched = [*watch(stage, stage.tasks), Watched(stage.setting, task.problem, listeners)]
                try:
                    subject.fresh().run([each.machine for each in watched], model)
                except KeyboardInterrupt:
                    interrupted = True
                happened = model.failed if by_model else place <= task.steps
                require(interrupted or not happened, "an interruption does not come out", str(stage))
                _are_after_whole_steps(stage, [*stage.tasks, task], watched)
                _go_on(stage, task, watched[-1])


def _interrupt(place: int, record: StepRecord) -> None:
    if record.step == place:
        raise KeyboardInterrupt


def _go_on(stage: Stage, task: Task, watched: Watched) -> None:
    """Nonconforming unless the machine can be run to its end."""
    while (prompt := watched.machine.peek()) is not None:
        watched.machine.step(stage.setting.convention.target_for(prompt))
    steps, status = [record.step for record in watched.steps], watched.machine.status
    whole = status == "solved" and steps == list(range(1, task.steps + 1))
    require(whole, f"going on after an interruption is {status}, with the steps {steps}", stage.named(task))


@needs("right_targets_solve")
def requests_to_stop_are_obeyed(subject: ExecutorSubject) -> None:
    """A machine that is asked to stop takes no further step, and its outcome is `interrupted`.

    `peek()` is None then, as at every end.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for place in filter(task.steps.__gt__, PLACES):
            machines: list[Machine] = []
            machines.append(stage.setting.machine(task.problem, [partial(_stop, machines, place)]))
            (outcome,) = subject.fresh().run(machines, ErringVerifier(stage.setting.convention))
            found, wanted = (outcome.status, outcome.steps), ("interrupted", place)
            require(found == wanted, f"a run that was asked to stop at step {place} is {found}", stage.named(task))


def _stop(machines: list[Machine], place: int, record: StepRecord) -> None:
    if record.step == place:
        machines[0].interrupt()


@needs("wrong_targets_end_alike")
def runs_resume_where_they_are(subject: ExecutorSubject) -> None:
    """A machine that has already taken some steps goes on with the next one.

    So a run is resumed; no step is taken again, and none is left out.
    """
    for stage in subject.stages:
        task, setting = stage.tasks[-1], stage.setting
        for made in (ErringVerifier, partial(ErringVerifier, way="mutated", share=0.1, seed=2)):
            wanted = run_plainly(setting, task.problem, made(setting.convention))
            for place in PLACES:
                (watched,) = watch(stage, [task])
                for record in wanted.steps[:place]:
                    watched.machine.step(record.target)
                (outcome,) = subject.fresh().run([watched.machine], made(setting.convention))
                require_same(wanted, watched.trace(outcome), f"after {place} steps, {stage.named(task)}", ALGORITHM)


def _are_after_whole_steps(stage: Stage, tasks: Sequence[Task], watched: Sequence[Watched]) -> None:
    """Nonconforming unless each machine is where the steps that were reported lead to."""
    for task, each in zip(tasks, watched, strict=True):
        fresh = stage.setting.machine(task.problem)
        for record in each.steps:
            fresh.step(record.target)
        found, wanted = _contents(each.machine), _contents(fresh)
        complaint = f"after {len(each.steps)} steps it holds {found}, these steps alone lead to {wanted}"
        require(found == wanted, complaint, stage.named(task))


def _contents(machine: Machine) -> tuple[Any, ...]:
    """All that a step may change."""
    return machine.state, tuple(machine.windows), machine.pointer, machine.steps, machine.actions
