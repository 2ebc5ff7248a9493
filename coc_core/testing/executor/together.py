"""Checks of what an executor does with one run and with several."""

from functools import partial

from coc_core.errors import UsageError
from coc_core.testing.check import require
from coc_core.testing.executor.driven import Driven, Group
from coc_core.testing.executor.erring import WAYS, Erring, Moody, Stopping

SHARES = (0.1, 0.5)  # of the prompts, that a model is wrong about


def no_machines_no_outcomes(subject: Driven) -> None:
    """Without machines there are no outcomes.

    There may be nothing left to resume.
    """
    found = subject.fresh().run([], Erring(subject.stages[0].setting.convention))
    require(found == (), f"no machines have the outcomes {found!r}")


def right_answers_solve(subject: Driven) -> None:
    """With a model that is always right, each run is the one that Algorithm 1 makes, step by step.

    An executor decides when the model is asked; the machine does the rest.
    """
    for stage in subject.stages:
        for task in stage.tasks:
            subject.agrees(stage, [task], Erring)
        subject.agrees(stage, stage.tasks[-1:], Stopping)


def wrong_answers_end_alike(subject: Driven) -> None:
    """With a model that is wrong now and then, each run ends as by Algorithm 1: same steps, fault and contents.

    Only answers of the model may be committed, each to the prompt that it answers; drafts are guesses.
    """
    for stage in subject.stages:
        for way in WAYS:
            for share in SHARES:
                for seed, model in enumerate((Erring, Stopping)):
                    made = partial(model, way=way, share=share, seed=seed)
                    subject.agrees(stage, stage.tasks[-1:], made)


def runs_are_not_mixed(subject: Driven) -> None:
    """Several runs of different lengths, some of them equal, are each as it would be alone.

    An answer belongs to the machine that came to its prompt, and to none that has ended.
    """
    for stage in subject.stages:
        tasks = [*stage.tasks[:2], *stage.tasks[-3:], stage.tasks[-1]]
        for way in WAYS:
            subject.agrees(stage, tasks, partial(Stopping, way=way, share=SHARES[0], seed=3))


def outcomes_are_in_order(subject: Driven) -> None:
    """There is one outcome for each machine, in the order of the machines.

    Runs may end in another order.
    """
    for stage in subject.stages:
        for tasks in (stage.tasks, stage.tasks[::-1]):
            machines = Group(stage, tasks).machines
            outcomes = subject.fresh().run(machines, Erring(stage.setting.convention))
            found, wanted = [one.steps for one in outcomes], [task.steps for task in tasks]
            require(found == wanted, f"the runs take {found} steps, they should take {wanted}", str(stage))


def each_machine_comes_out_once(subject: Driven) -> None:
    """`stream` takes any iterable of machines and gives each one once, when its run has ended.

    It may be an iterator: there may be more machines than there is room for.
    """
    for stage in subject.stages:
        for share in (0, 0.5):
            machines = Group(stage, stage.tasks).machines
            model = Erring(stage.setting.convention, share=share)
            found = []
            for machine in subject.fresh().stream(iter(machines), model):
                require(machine.peek() is None, "a machine comes out before its run has ended", str(stage))
                found.append(machine)
            places = sorted(machines.index(machine) for machine in found)
            told = f"of {len(machines)} machines those come out that were at {places}"
            require(places == list(range(len(machines))), told, str(stage))


def each_step_is_heard_once(subject: Driven) -> None:
    """Listeners hear of each step once, in order, and of nothing after a fault.

    A step that is only tried must not be taken on the machine itself.
    """
    for stage in subject.stages:
        for share in (0, 0.2):
            group = Group(stage, stage.tasks)
            model = Stopping(stage.setting.convention, share=share, seed=1)
            outcomes = subject.fresh().run(group.machines, model)
            for heard, outcome in zip(group.commits, outcomes, strict=True):
                numbers = [record.step for record in heard]
                wanted = list(range(1, outcome.steps + 1))
                require(numbers == wanted, f"of {outcome.steps} steps those are heard of: {numbers}", str(stage))


def it_can_be_used_again(subject: Driven) -> None:
    """An executor that has run something runs the next as if it were new.

    What it remembers of a model's answers belongs to that model and that run.
    """
    executor = subject.fresh()
    for stage in subject.stages:
        for share in (0, 0.5, 0):
            subject.agrees(stage, stage.tasks, partial(Erring, share=share, seed=5), executor)


def calls_are_counted(subject: Driven) -> None:
    """An outcome's `model_calls` are the prompts that the model answered in this run.

    They count what was asked of the model, whatever became of the answers.
    """
    for stage in subject.stages:
        for share in (0, 0.2):
            model = Erring(stage.setting.convention, share=share)
            for _ in range(2):
                before = model.calls
                outcomes = subject.fresh().run(Group(stage, stage.tasks).machines, model)
                asked = model.calls - before
                told = {outcome.model_calls for outcome in outcomes}
                require(told == {asked}, f"the model answered {asked} prompts, model_calls is {told}", str(stage))


def moods_are_respected(subject: Driven) -> None:
    """A model that is not deterministic is refused with a UsageError, or asked anew at each step.

    `needs_determinism` says which; then nothing may be remembered, and coming back is no endless loop.
    """
    for stage in subject.stages:
        if subject.fresh().needs_determinism:
            try:
                subject.fresh().run(Group(stage, stage.tasks).machines, Moody(stage.setting.convention))
            except UsageError:
                continue
            require(False, "a model that is not deterministic is accepted", str(stage))
        subject.agrees(stage, stage.tasks[-1:], Moody)
