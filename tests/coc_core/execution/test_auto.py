"""Auto picks an executor by the model, the setting and the number of runs."""

import pytest

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


def used_for(machines, model=None):
    executor = Auto()
    outcomes = executor.run(machines, model or Reference(machines[0].convention))
    assert {outcome.status for outcome in outcomes} == {"solved"}
    return executor.used


def test_it_names_itself_until_it_has_picked_one():
    assert Auto().used == "auto"


@pytest.mark.parametrize("count", [1, 2])
def test_a_nondeterministic_model_is_called_step_by_step(count):
    machines = [machine(problem=Tower(2)) for _ in range(count)]
    assert used_for(machines, Fickle(machines[0].convention)) == "sequential"


@pytest.mark.parametrize("count", [2, 3, 5])
def test_several_runs_go_in_lockstep(count):
    assert used_for([machine("tape", problem=Tower(2)) for _ in range(count)]) == "lockstep"


@pytest.mark.parametrize("count", [1, 2, 5])
def test_steps_are_skipped_if_nobody_needs_them(count):
    assert used_for([machine(problem=Tower(2)) for _ in range(count)]) == "summary"
    listeners = [lambda record: None]
    told = used_for([machine(problem=Tower(2), listeners=listeners) for _ in range(count)])
    assert told == ("cached" if count == 1 else "lockstep")


def test_what_it_found_out_is_passed_on():
    executor = Auto()
    endless = Scripted({"INSTR CALL n=1 src=1 dst=3 aux=2": "PUSH CALL n=1 src=1 dst=3 aux=2"})
    executor.run([machine(problem=Tower(1))], endless)
    assert len(executor.remarks) == 1
    executor.run([machine(problem=Tower(1))], Reference(convention()))
    assert executor.remarks == ()


def test_no_run_at_all_is_no_error():
    executor = Auto()
    assert executor.run([], Nondeterministic()) == ()
    assert executor.run([], Reference(convention())) == ()


@for_each(
    ("memory", "arith", "domain", "problem", "expected"),
    [
        ("pda", "symbolic", None, Tower(3), "summary"),
        ("tape", "symbolic", None, Tower(3), "cached"),
        ("tape", "inline", None, Tower(3), "speculative"),
        ("pda", "symbolic", Queue(), Line((2, 1)), "speculative"),
        ("pda", "symbolic", Blocks(), Blocks().problem(4), "speculative"),
        ("tape", "inline", Queue(), Line((2, 1)), "speculative"),
    ],
)
def test_one_run_is_cached_only_if_few_prompts_are_distinct(memory, arith, domain, problem, expected):
    subject = machine(memory, arith, problem, domain)
    assert used_for([subject]) == expected


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
