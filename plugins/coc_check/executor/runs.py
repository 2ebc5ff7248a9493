"""Checks of what an executor does with one run and with several."""

from functools import partial
from itertools import cycle, islice, product

from coc_check.check import needs, require
from coc_check.executor.models import Erring, ErringVerifier, Nondeterministic
from coc_check.executor.subject import ExecutorSubject
from coc_check.texts.responses import WAYS

NEEDS = ("wrong_targets_end_alike",)
MANY = (96, 257)  # runs at once: full rooms of many sizes, and one run more than two rooms of 128
SHARES = (0.1, 0.5)  # of the prompts, that a model is wrong about


@needs()
def right_targets_solve(subject: ExecutorSubject) -> None:
    """With a model that is always right, each run is the one that Algorithm 1 makes, step by step.

    An executor decides when the model is called; the machine does the rest.
    """
    for stage in subject.stages:
        for task in stage.tasks:
            subject.agrees(stage, [task], Erring)
        subject.agrees(stage, stage.tasks[-1:], ErringVerifier)


@needs("right_targets_solve")
def no_machines_no_outcomes(subject: ExecutorSubject) -> None:
    """Without machines there are no outcomes.

    There may be nothing left to resume.
    """
    found = subject.fresh().run([], Erring(subject.stages[0].setting.convention))
    require(found == (), f"no machines have the outcomes {found!r}")


@needs("limits_hold", "refused_steps_change_nothing", "a_fault_ends_one_run", "endless_runs_end")
def wrong_targets_end_alike(subject: ExecutorSubject) -> None:
    """With a model that is wrong now and then, each run ends as by Algorithm 1: same steps, fault and contents.

    Only targets of the model may be committed, each to the prompt that it belongs to; drafts are guesses.
    """
    for stage in subject.stages:
        for way in WAYS:
            for share in SHARES:
                for seed, model in enumerate((Erring, ErringVerifier)):
                    made = partial(model, way=way, share=share, seed=seed)
                    subject.agrees(stage, stage.tasks[-1:], made)


def runs_are_not_mixed(subject: ExecutorSubject) -> None:
    """Several runs of different lengths, some of them equal, are each as it would be alone.

    A target belongs to the machine that came to its prompt, and to none that has ended.
    """
    for stage in subject.stages:
        tasks = [*stage.tasks[:2], *stage.tasks[-3:], stage.tasks[-1]]
        for way in WAYS:
            subject.agrees(stage, tasks, partial(ErringVerifier, way=way, share=SHARES[0], seed=3))


@needs("right_targets_solve")
def outcomes_are_in_order(subject: ExecutorSubject) -> None:
    """There is one outcome for each machine, in the order of the machines.

    Runs may end in another order.
    """
    for stage in subject.stages:
        for tasks in (stage.tasks, stage.tasks[::-1]):
            _, outcomes = subject.run(stage, tasks, Erring(stage.setting.convention))
            found, wanted = [one.steps for one in outcomes], [task.steps for task in tasks]
            require(found == wanted, f"the runs take {found} steps, they should take {wanted}", str(stage))


@needs("no_machines_no_outcomes", "outcomes_are_in_order")
def each_machine_is_returned_once(subject: ExecutorSubject) -> None:
    """However many machines there are, solved or not, each is yielded once, when its run has ended as it would alone.

    They come as an iterator: there may be more of them than there is room for, and exactly as many.
    """
    for stage in subject.stages:
        for count, share in product(MANY, (0, 0.5)):
            tasks = list(islice(cycle(stage.tasks[:3]), count))
            subject.agrees(stage, tasks, partial(ErringVerifier, way="mutated", share=share))


@needs("outcomes_are_in_order", "each_machine_is_returned_once")
def each_step_is_reported_once(subject: ExecutorSubject) -> None:
    """Listeners are notified of each step once, in order, and of nothing after a fault.

    A step that is only tried must not be taken on the machine itself.
    """
    for stage in subject.stages:
        for share in (0, 0.2):
            model = ErringVerifier(stage.setting.convention, share=share, seed=1)
            watched, outcomes = subject.run(stage, stage.tasks, model)
            for each, outcome in zip(watched, outcomes, strict=True):
                numbers = [record.step for record in each.steps]
                wanted = list(range(1, outcome.steps + 1))
                require(numbers == wanted, f"of {outcome.steps} steps those are reported: {numbers}", str(stage))


def executors_can_be_reused(subject: ExecutorSubject) -> None:
    """An executor that has run something runs the next as if it were new.

    What it remembers of a model's targets belongs to that model and that run.
    """
    executor = subject.fresh()
    for stage in subject.stages:
        for share in (0, 0.5, 0):
            subject.agrees(stage, stage.tasks, partial(Erring, share=share, seed=5), executor)


def calls_are_counted(subject: ExecutorSubject) -> None:
    """An outcome's `model_calls` are the prompts that the model responded to in this run.

    They count the model's work, whatever became of its targets.
    """
    for stage in subject.stages:
        for share in (0, 0.2):
            model = Erring(stage.setting.convention, share=share)
            for _ in range(2):
                before = model.written
                _, outcomes = subject.run(stage, stage.tasks, model)
                calls = model.written - before
                counted = {outcome.model_calls for outcome in outcomes}
                require(counted == {calls}, f"the model had {calls} prompts, model_calls is {counted}", str(stage))


@needs("executors_can_be_reused")
def nondeterministic_models_are_not_cached(subject: ExecutorSubject) -> None:
    """A model that is not deterministic is called anew at each step, unless `needs_determinism` refuses it.

    Nothing may be remembered then, and coming back is no endless loop.
    """
    for stage in subject.stages if not subject.fresh().needs_determinism else ():
        subject.agrees(stage, stage.tasks[-1:], Nondeterministic)
