"""Plans as planners write them, and what is no plan."""

import pytest

from coc_core.errors import ArtefactError
from coc_planning.pddl.plans import plan_actions
from tests.support.for_each import for_each

MOVES = ["(move a b)", "(stop)"]


@for_each(
    "text",
    [
        "(move a b)\n(stop)\n",
        "\ufeff(MOVE A B)\r\n; a comment\r\n\r\n(stop) ; another (one)\r\n",
        "(move a b)(stop)",
        "( move\n  a\tb )\n( stop )",
        "0: (move a b) [1]\n1: (stop) [1]",
        "0.000: (move a b)  [1.000]\n0.001: (stop)[1.000]\n; cost = 2 (unit cost)",
    ],
)
def test_what_planners_write_is_read(text):
    assert list(map(str, plan_actions(text.split("\n")))) == MOVES


FF = """
ff: parsing domain file
domain 'D' defined
 ... done.
Cueing down from goal distance:    2 into depth [1]

ff: found legal plan as follows

step    0: MOVE A B
        1: STOP
        2: REACH-GOAL


time spent:    0.00 seconds instantiating 52 easy, 0 hard action templates
   3: NOT A STEP
"""
DOWNWARD = """INFO     planner time limit: None
[t=0.000190s, 9896 KB] Solution found!
[t=0.000190s, 9896 KB] Actual search time: 0.000054s
{}[t=0.000190s, 9896 KB] Plan length: 2 step(s).
pruned (7)
[t=0.000190s, 9896 KB] Plan cost: 2; {{}}
"""
FOUND = DOWNWARD.format("move a b (1)\nstop (0)\n")


@for_each("text", [FF, FOUND, DOWNWARD.format("stop (3)\n") + FOUND, FOUND.replace("\n", "\r\n")])
def test_the_last_plan_of_a_log_is_read(text):
    actions = list(plan_actions(text.split("\n")))
    assert list(map(str, actions)) == MOVES
    assert "MOVE" in text.upper().split("\n")[actions[0].line - 1]


@for_each("text", ["ff: goal can be simplified to TRUE. The empty plan solves it\n", DOWNWARD.format("")])
def test_a_log_may_have_an_empty_plan(text):
    assert list(plan_actions(text.split("\n"))) == []


def test_actions_have_their_times():
    found = plan_actions(["0: (move a b)", "0.50: (stop) [1]", "0.5: (stop)", "(stop)"])
    assert [each.time and float(each.time) for each in found] == [0, 0.5, 0.5, None]


@for_each(
    ("text", "reason"),
    [
        ("ff: no plan will solve it\n", "line 1 .* 'ff:' is not .* and no plan of FF or Fast Downward follows"),
        ("move a b", "line 1 .* 'move' is not .ACTION OBJECT"),
        ("(stop)\n(move a b", "line 2 .* it ends within an action"),
        ("(stop)\n(move a (b))", r"line 2 .* '\(move a \(' is not"),
        ("()", r"line 1 .* '\(\)' is not"),
        (")", r"line 1 .* '\)' is not"),
        ("3:", "it ends within an action"),
        ("1: 2: (stop)", "'2:' is not"),
        ("[1] (stop)", r"'\[1\]' is not"),
        ("1: (move a b)\n0.9: (stop)", "line 2 .* the time 0.9 is earlier than that of the action before it"),
        ("(" + "a " * 20_000 + ")", r"line 1 .* '\(a a"),
    ],
)
def test_what_is_no_plan_is_one_line(text, reason):
    with pytest.raises(ArtefactError, match=reason) as raised:
        list(plan_actions(text.split("\n")))
    assert len(str(raised.value).splitlines()) == 1
    assert len(str(raised.value)) < 300
