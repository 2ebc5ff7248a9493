"""Physical plans, checked by unified-planning's sequential validator on BlocksWorld as planning books define it."""

from itertools import pairwise

import pytest

from coc_problems import sample_problems
from tests.support.late_import import Late
from tests.support.plan_runs import setting_of, solve

up, engines, plans = (
    Late("unified_planning.shortcuts"),
    Late("unified_planning.engines"),
    Late("unified_planning.plans"),
)


def blocksworld(start, goal):
    """The planning problem and its three actions, by the words that stand for the table in a physical plan."""
    block = up.UserType("block")
    on = up.Fluent("on", up.BoolType(), x=block, y=block)
    on_table = up.Fluent("on_table", up.BoolType(), x=block)
    clear = up.Fluent("clear", up.BoolType(), x=block)

    move = up.InstantaneousAction("move", x=block, source=block, place=block)
    to_table = up.InstantaneousAction("to_table", x=block, source=block)
    from_table = up.InstantaneousAction("from_table", x=block, place=block)
    for action in (move, to_table, from_table):
        x = action.parameter("x")
        action.add_precondition(clear(x))
        if action is from_table:
            action.add_precondition(on_table(x))
            action.add_effect(on_table(x), False)
        else:
            source = action.parameter("source")
            action.add_precondition(on(x, source))
            action.add_effect(on(x, source), False)
            action.add_effect(clear(source), True)
        if action is to_table:
            action.add_effect(on_table(x), True)
        else:
            place = action.parameter("place")
            action.add_precondition(clear(place))
            action.add_precondition(up.Not(on(x, place)))
            action.add_effect(on(x, place), True)
            action.add_effect(clear(place), False)

    problem = up.Problem("blocksworld")
    for fluent in (on, on_table, clear):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_actions([move, to_table, from_table])
    blocks = {number: up.Object(f"b{number}", block) for number in goal}
    problem.add_objects(list(blocks.values()))
    for tower in start:
        problem.set_initial_value(on_table(blocks[tower[0]]), True)
        problem.set_initial_value(clear(blocks[tower[-1]]), True)
        for lower, upper in pairwise(tower):
            problem.set_initial_value(on(blocks[upper], blocks[lower]), True)
    problem.add_goal(on_table(blocks[goal[0]]))
    for lower, upper in pairwise(goal):
        problem.add_goal(on(blocks[upper], blocks[lower]))
    return problem


def as_plan(problem, lines):
    steps = []
    for line in lines:
        block, _, source, _, place = line.split(" ")
        action = "from_table" if source == "table" else "to_table" if place == "table" else "move"
        arguments = [name for name in (block, source, place) if name != "table"]
        steps.append(plans.ActionInstance(problem.action(action), tuple(map(problem.object, arguments))))
    return plans.SequentialPlan(steps)


def is_valid(problem, lines):
    found = engines.SequentialPlanValidator().validate(problem, as_plan(problem, lines))
    return found.status == engines.ValidationResultStatus.VALID


@pytest.mark.parametrize("domain", ["blocksworld", "blocksworld-extended"])
def test_an_independent_validator_accepts_the_plans(domain):
    setting = setting_of(domain)
    for n in (2, 3, 5, 8, 12):
        for problem, _, _, physical in solve(
            setting, (drawn.problem for drawn in sample_problems(setting.domain, n, 2))
        ):
            planning = blocksworld(problem.start, problem.goal)
            assert is_valid(planning, physical)
            assert not physical or not is_valid(planning, physical[:-1])


def test_the_validator_can_say_no():
    planning = blocksworld(((1, 2),), (2, 1))
    assert is_valid(planning, ["b2 from b1 to table", "b1 from table to b2"])
    assert not is_valid(planning, ["b1 from table to b2"])
