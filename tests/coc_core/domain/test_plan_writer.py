"""A plan is written action by action, each in the state that it is taken in."""

from coc_core.domain import JsonPlan, PhysicalPlan, PlanWriter, TextPlan
from coc_puzzles.pancake.domain import Pancake
from coc_puzzles.pancake.records import FlipFrom, FlipInto, Order

DOMAIN, PROBLEM = Pancake(), Order((3, 2, 1), (1, 2, 3))
PLAN = (FlipFrom(1), FlipInto(1), FlipFrom(3), FlipInto(3))


def written(form, *groups):
    parts, state = [], DOMAIN.initial(PROBLEM)
    writer = PlanWriter(form, parts.append)
    for group in groups:
        writer.add(state, group)
        for action in group:
            state = DOMAIN.apply(state, action)
    writer.close()
    return b"".join(parts)


def test_actions_may_come_in_groups():
    for kind in (TextPlan, PhysicalPlan, JsonPlan):
        whole = written(kind(DOMAIN, PROBLEM), PLAN)
        assert whole == written(kind(DOMAIN, PROBLEM), *((action,) for action in PLAN))
        assert whole == written(kind(DOMAIN, PROBLEM), PLAN[:3], (), PLAN[3:])


def test_what_changes_nothing_leaves_no_trace():
    assert written(PhysicalPlan(DOMAIN, PROBLEM), PLAN) == b"flip 3\n"


def test_an_empty_plan():
    assert written(TextPlan(DOMAIN, PROBLEM)) == b""
    assert written(JsonPlan(DOMAIN, PROBLEM)).endswith(b'"actions": [\n]}\n')
