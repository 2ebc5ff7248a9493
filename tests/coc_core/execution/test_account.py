"""The account of a stream: no executor can lose, repeat, invent or cut short a run."""

import re

import pytest

from coc_core.errors import PluginError
from coc_core.execution import Executor, Sequential
from coc_core.memories import Reference
from coc_puzzles.hanoi.instructions import Tower
from tests.support.machines import machine


class By(Executor):
    """Yields what a function makes of its machines and of an iterator of those that have ended."""

    name = "by"

    def __init__(self, made):
        self._made = made

    def _run(self, machines, model):
        return self._made(machines, lambda some: Sequential()._run(some, model))


def loses_failures(machines, run):
    return (each for each in run(machines) if each.status == "solved")


def loses_the_last(machines, run):
    *most, _ = run(machines)
    return most


def takes_two(machines, run):
    return run([next(machines), next(machines)])


def repeats(machines, run):
    return (each for ended in run(machines) for each in (ended, ended))


def repeats_at_the_end(machines, run):
    ended = list(run(machines))
    return [*ended, ended[0]]


def invents(machines, run):
    return [*run(machines), *run([machine()])]


def names(machines, run):
    return ["solved" for _ in run(machines)]


def hurries(machines, run):
    return (each for each in machines)


def forgets_to_yield(machines, run):
    list(run(machines))


NOT_ITS_OWN = "yielded what is not a machine, was not given to it, or was yielded before"
WRONG = {
    loses_failures: r"did not yield machine 2, 'n=1 src=2 dst=3' and 1 more",
    loses_the_last: r"did not yield machine 4, 'n=1 src=1 dst=3'",
    takes_two: r"did not yield machine 3, 'n=1 src=2 dst=3'",
    repeats: NOT_ITS_OWN,
    repeats_at_the_end: NOT_ITS_OWN,
    invents: NOT_ITS_OWN,
    names: NOT_ITS_OWN,
    forgets_to_yield: r"did not yield machine 1, 'n=1 src=1 dst=3' and 3 more",
    hurries: r"yielded machine 1 after 0 steps, before the run had ended",
}


def given():
    """Four machines, and a model that can't move the smallest disk from the second peg."""
    machines = [machine(problem=tower) for tower in (Tower(1), Tower(1, 2), Tower(1, 2), Tower(1))]
    return machines, Refusing(machines[0].convention)


class Refusing(Reference):
    def _complete(self, prompts, drafts):
        return [
            "no" if "src=2 dst=3" in prompt else super(Refusing, self)._complete([prompt], None)[0]
            for prompt in prompts
        ]


def test_every_run_is_accounted_for():
    for made, reason in WRONG.items():
        for use in ("run", "stream"):
            machines, model = given()
            with pytest.raises(PluginError, match=f"^the executor 'by' {reason}; yield each machine once") as error:
                list(getattr(By(made), use)(machines, model))
            assert error.value.exit_code == 4
    machines, model = given()
    assert list(By(lambda machines, run: run(machines)).stream(machines, model)) == machines


def test_only_machines_that_were_asked_to_stop_may_be_left():
    def leaves(machines, run):
        for each in list(machines)[1:]:
            each.interrupt()
        return run([first])

    machines, model = given()
    first = machines[0]
    assert list(By(leaves).stream(machines, model)) == [first]
    nothing = By(lambda machines, run: list(machines)[:0])
    with pytest.raises(PluginError, match=re.escape("did not yield machine 3, 'n=1 src=1 dst=3'")):
        list(nothing.stream([*machines[1:3], given()[0][-1]], model))


def test_an_executor_can_not_do_its_own_accounts():
    for name in ("run", "stream"):
        with pytest.raises(
            TypeError, match=f"the executor Own overrides {name}, which accounts for every run; define _run"
        ):
            type("Own", (Sequential,), {name: lambda *_: ()})
