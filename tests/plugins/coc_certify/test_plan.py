"""Plans as grammars are sequences of actions, with states on their way, however long they are."""

import sys
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from coc_certify.plans import Grammar, GrammarPlan, GrammarRecorder
from coc_core.errors import UsageError
from coc_core.execution import Sequential, Summary
from coc_core.types import Limits
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.machines import machine, solve
from tests.support.toy_parts import Line, Queue, Take
from tests.support.wrong_hanoi_models import WrongModel

HANOI = Hanoi()


def plan_of(problem, model=None):
    """The plan of a run, as a grammar."""
    recorder = GrammarRecorder(HANOI)
    outcome = solve(machine(problem=problem, limits=Limits(steps=10**100), listeners=[recorder]), Summary, model)
    return recorder.plan(problem, outcome)


def by_step(problem, model=None):
    """The texts of the plan, and the states."""
    records = []
    subject = machine(problem=problem, listeners=[records.append])
    solve(subject, Sequential, model)
    actions, states = [], [HANOI.initial(problem)]
    for action in [action for record in records for action in record.actions]:
        actions.append(HANOI.actions.format(action))
        states.append(HANOI.apply(states[-1], action))
    return actions, states


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_a_plan_is_a_sequence_of_the_same_texts(n):
    plan, (actions, states) = plan_of(Tower(n)), by_step(Tower(n))
    assert (list(plan), len(plan), plan.length) == (actions, len(actions), len(actions))
    assert [plan[place] for place in range(-len(actions), len(actions))] == 2 * actions
    assert [plan.state(place) for place in range(len(states))] == states
    assert list(reversed(plan)) == actions[::-1]
    assert plan.reaches_goal
    assert plan.outcome.status == "solved"
    assert actions[-1] in plan
    assert "fly" not in plan
    assert 0 not in plan
    assert plan.index(actions[-1]) == actions.index(actions[-1])
    with pytest.raises(IndexError):
        plan[len(actions)]


@given(st.slices(63))
def test_slices_are_those_of_a_list(cut):
    assert PLAN[cut] == list(PLAN)[cut]


PLAN = plan_of(Tower(6))


@given(st.integers(1, 8), st.integers(0, 10**9))
def test_the_plan_of_a_run_that_goes_wrong_is_what_it_did(n, seed):
    plan = plan_of(Tower(n), WrongModel(machine().convention, Tower(n), seed))
    actions, states = by_step(Tower(n), WrongModel(machine().convention, Tower(n), seed))
    assert list(plan) == actions
    assert plan.state(plan.length) == states[-1]
    assert plan.first_illegal is None
    assert plan.reaches_goal == (plan.outcome.status == "solved") or plan.outcome.status == "fault"


def test_a_plan_may_have_more_actions_than_len_can_count():
    plan = plan_of(Tower(64))
    assert plan.length == 2**64 - 1 > sys.maxsize
    with pytest.raises(OverflowError):
        len(plan)
    assert plan
    assert list(islice(plan, 2)) == ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"]
    assert plan[2**63 - 1] == "Move disk 64 from 1 to 3"
    assert plan[10**19 : 10**19 + 3 : 2] == [plan[10**19 - 2**64 + 1], plan[10**19 + 2]]
    assert plan.reaches_goal
    assert HANOI.is_goal(plan.problem, plan.state(plan.length))
    assert not HANOI.is_goal(plan.problem, plan.state(10**19))
    assert repr(plan) == "<GrammarPlan: hanoi, 18,446,744,073,709,551,615 actions, 186 rules>"


def test_a_plan_that_is_illegal_has_states_up_to_there():
    rules = (("Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"), (0, "Move disk 1 from 1 to 2", 0))
    plan = GrammarPlan(HANOI, Tower(2), Grammar(rules))
    assert plan.first_illegal == 2
    assert not plan.reaches_goal
    assert plan.state(2) == HANOI.assign(HANOI.initial(Tower(2)), {1: 2, 2: 3})
    with pytest.raises(UsageError, match="action 3 of the plan is illegal"):
        plan.state(3)


def test_without_operators_there_are_actions_alone():
    plan = GrammarPlan(Queue(), Line((2, 1)), Grammar((("Take 2", "Take 1"),)))
    assert list(plan) == [Queue.actions.format(Take(item)) for item in (2, 1)]
    with pytest.raises(UsageError, match="the actions of queue aren't operators"):
        plan.state(1)


def test_an_action_that_is_legal_nowhere_is_found():
    class Never(Hanoi):
        def operator(self, action):
            return None

    plan = GrammarPlan(Never(), Tower(1), Grammar((("Move disk 1 from 1 to 3",),)))
    assert plan.first_illegal == 0
