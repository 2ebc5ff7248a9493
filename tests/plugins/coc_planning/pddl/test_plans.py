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


def test_nothing_is_a_plan():
    assert list(plan_actions(["; nothing\n", "\n"])) == []


@for_each(
    ("text", "reason"),
    [
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
