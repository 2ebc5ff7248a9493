"""Auto picks an executor by the model, the setting and the number of runs."""

from coc_check.scripted import Scripted
from coc_core.execution import Auto
from coc_core.memories import Reference
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import convention, machine
from tests.support.toy_parts import Line, Nondeterministic, Queue


class Fickle(Reference):
    """Says of itself that it may answer in two ways."""

    deterministic = False


HEARD = [lambda record: None]
TWO, QUEUE = Tower(2), {"problem": Line((2, 1)), "domain": Queue()}


@for_each(
    ("count", "model", "choices", "used"),
    [
        *((count, Fickle, {"problem": TWO}, "sequential") for count in (1, 2)),
        *((count, Reference, {"memory": "tape", "problem": TWO}, "lockstep") for count in (2, 3, 5)),
        *((count, Reference, {"problem": TWO}, "summary") for count in (1, 2, 5)),
        (1, Reference, {"problem": TWO, "listeners": HEARD}, "cached"),
        (5, Reference, {"problem": TWO, "listeners": HEARD}, "lockstep"),
        (1, Reference, {"memory": "tape"}, "cached"),
        (1, Reference, {"memory": "tape", "arith": "inline"}, "speculative"),
        (1, Reference, QUEUE, "speculative"),
        (1, Reference, QUEUE | {"memory": "tape", "arith": "inline"}, "speculative"),
        (1, Reference, {"problem": Blocks().problem(4), "domain": Blocks()}, "speculative"),
    ],
)
def test_an_executor_is_picked_by_the_model_the_setting_and_the_number_of_runs(count, model, choices, used):
    machines, executor = [machine(**choices) for _ in range(count)], Auto()
    assert executor.used == "auto"
    outcomes = executor.run(machines, model(machines[0].convention))
    assert {outcome.status for outcome in outcomes} == {"solved"}
    assert executor.used == used


def test_what_it_found_out_is_passed_on():
    executor = Auto()
    endless = Scripted({"INSTR CALL n=1 src=1 dst=3 aux=2": "PUSH CALL n=1 src=1 dst=3 aux=2"})
    executor.run([machine(problem=Tower(1))], endless)
    assert len(executor.remarks) == 1
    executor.run([machine(problem=Tower(1))], Reference(convention()))
    assert executor.remarks == ()
    assert executor.run([], Nondeterministic()) == ()  # no run at all is no error
    assert executor.run([], Reference(convention())) == ()


def test_no_more_than_two_machines_are_made_before_a_run_begins():
    made = []

    def machines():
        for _ in range(4):
            made.append(machine(problem=Tower(1)))
            yield made[-1]

    for number, done in enumerate(Auto().stream(machines(), Fickle(convention()))):
        assert done is made[number]
        assert len(made) <= max(2, number + 1)
    assert len(made) == 4
