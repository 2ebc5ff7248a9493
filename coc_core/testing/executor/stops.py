"""Checks of how an executor stops: at faults, limits, loops, errors and interruptions, and how it goes on."""

from functools import partial

from coc_core.errors import CocError, PluginError, UsageError
from coc_core.execution import Machine, StepRecord
from coc_core.models import Model
from coc_core.testing.check import require
from coc_core.testing.executor.driven import Driven, Group, contents, plainly, same
from coc_core.testing.executor.erring import Erring, Failing, Stopping
from coc_core.testing.stage import Stage, Task
from coc_core.types import Limits

PLACES = (1, 2, 5)  # steps, or answers, before something happens
TIGHT = (Limits(steps=0), Limits(steps=3), Limits(tape_bytes=150, stack_depth=2), Limits(target_chars=20))


def refused_steps_change_nothing(subject: Driven) -> None:
    """Nothing of a step is kept before all of it is found to be in order.

    Its text, actions and writes are checked first; then the memory and the state change together.
    """
    for stage in subject.stages:
        for way in ("forgetful", "spoilt", "cut"):
            for seed in range(4):
                group = Group(stage, stage.tasks[-3:])
                subject.fresh().run(group.machines, Erring(stage.setting.convention, way, 0.3, seed))
                _stand_at_whole_steps(stage, stage.tasks[-3:], group)


def a_fault_ends_one_run(subject: Driven) -> None:
    """A fault ends the run that it befalls, at its step, and no other.

    Of a batch that is a fault, each prompt has to be asked again.
    """
    for stage in subject.stages:
        for seed in range(4):
            subject.agrees(stage, stage.tasks, partial(Erring, way="breaking", share=0.15, seed=seed))


def limits_hold(subject: Driven) -> None:
    """Every cap of `Limits` ends a run where it ends Algorithm 1.

    An executor that looks ahead must not look beyond a limit.
    """
    for limits in TIGHT:
        for stage in subject.limited(limits):
            subject.agrees(stage, stage.tasks, Stopping)


def endless_runs_end(subject: Driven) -> None:
    """A run that never ends is found out at the same step as by Algorithm 1.

    `repeats` is asked once before each step; what was only tried is taken back with `rollback`.
    """
    for stage in subject.stages:
        for model, share in ((Erring, 1), (Stopping, 0.1), (Stopping, 1)):
            subject.agrees(stage, stage.tasks[-2:], partial(model, way="turning", share=share))


def broken_models_are_reported(subject: Driven) -> None:
    """What a model raises by mistake comes out as a PluginError, and an error of its own as it is.

    Neither is an unsolved problem.
    """
    for stage in subject.stages:
        for error, wanted in ((RuntimeError("out of order"), PluginError), (UsageError("not today"), UsageError)):
            for last in PLACES:
                model = Failing(stage.setting.convention, last, error)
                found = _raised(subject, Group(stage, stage.tasks[-1:]), model, wanted)
                told = f"the model raises {error!r}; what comes out is {found!r}"
                require(isinstance(found, wanted) or not model.raised, told, str(stage))


def _raised(subject: Driven, group: Group, model: Model, wanted: type[BaseException]) -> BaseException | None:
    try:
        subject.fresh().run(group.machines, model)
    except (wanted, CocError, RuntimeError) as error:
        return error
    return None


def interruptions_leave_whole_steps(subject: Driven) -> None:
    """A KeyboardInterrupt comes out and leaves each machine at the end of a step, from where its run can go on.

    It may come from a listener or out of the model, at any time.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for place in PLACES:
            for by_model in (False, True):
                group, interrupted = Group(stage, stage.tasks), False
                group.machines.append(stage.setting.machine(task.problem, [partial(_hear, group, place, by_model)]))
                group.commits.append([])
                model = Failing(stage.setting.convention, place if by_model else 10**9, KeyboardInterrupt())
                try:
                    subject.fresh().run(group.machines, model)
                except KeyboardInterrupt:
                    interrupted = True
                happened = model.raised if by_model else place <= task.steps
                require(interrupted or not happened, "an interruption does not come out", str(stage))
                _stand_at_whole_steps(stage, [*stage.tasks, task], group)
                _go_on(stage, task, group)


def _hear(group: Group, place: int, by_model: bool, record: StepRecord) -> None:
    """Listens to the last machine, and interrupts it at one step."""
    group.commits[-1].append(record)
    if record.step == place and not by_model:
        raise KeyboardInterrupt


def _go_on(stage: Stage, task: Task, group: Group) -> None:
    """Nonconforming unless the last machine can be run to its end."""
    machine, heard = group.machines[-1], group.commits[-1]
    while (prompt := machine.peek()) is not None:
        machine.step(stage.setting.convention.target_for(prompt))
    steps, status = [record.step for record in heard], machine.status
    whole = status == "solved" and steps == list(range(1, task.steps + 1))
    require(whole, f"going on after an interruption is {status}, with the steps {steps}", stage.named(task))


def requests_to_stop_are_heard(subject: Driven) -> None:
    """A machine that is asked to stop takes no further step, and its outcome is `interrupted`.

    `prompt()` is None then, as at every end.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for place in filter(task.steps.__gt__, PLACES):
            machines: list[Machine] = []
            machines.append(stage.setting.machine(task.problem, [partial(_stop, machines, place)]))
            (outcome,) = subject.fresh().run(machines, Stopping(stage.setting.convention))
            found, wanted = (outcome.status, outcome.steps), ("interrupted", place)
            require(found == wanted, f"a run that was asked to stop at step {place} is {found}", stage.named(task))


def _stop(machines: list[Machine], place: int, record: StepRecord) -> None:
    if record.step == place:
        machines[0].interrupt()


def runs_go_on_from_where_they_are(subject: Driven) -> None:
    """A machine that has already gone some steps goes on with the next one.

    So a run is resumed; no step is taken again, and none is left out.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for made in (Stopping, partial(Stopping, way="spoilt", share=0.1, seed=2)):
            wanted = plainly(stage, task, made)
            for place in PLACES:
                group = Group(stage, [task])
                for _, _, target in wanted.commits[:place]:
                    group.machines[0].step(target)
                outcomes = subject.fresh().run(group.machines, made(stage.setting.convention))
                (found,) = group.traces(outcomes)
                same(found, wanted, f"after {place} steps, {stage.named(task)}")


def _stand_at_whole_steps(stage: Stage, tasks: list[Task] | tuple[Task, ...], group: Group) -> None:
    """Nonconforming unless each machine is where the steps that were heard of lead to."""
    for task, machine, heard in zip(tasks, group.machines, group.commits, strict=True):
        fresh = stage.setting.machine(task.problem)
        for record in heard:
            fresh.step(record.target)
        found, wanted = contents(machine), contents(fresh)
        told = f"after {len(heard)} steps it holds {found}, these steps alone lead to {wanted}"
        require(found == wanted, told, stage.named(task))
