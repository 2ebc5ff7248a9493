"""Plans in PDDL are read strictly: what a validator would refuse is no plan here, either."""

import pytest

import coc_core as coc
from coc_core.errors import ArtefactError
from tests.support.for_each import for_each

CROSSED = """(take-pair agent1 actor1 left right n2 n1 n2 n1 n0)
(row left right n0 n1 n0 n2)
(take-agent-from-actor agent1 actor1 right left n1 n2 n0 n1 n2 n1)
(row right left n1 n2 n1 n2)
(take-agent-to-actor agent1 actor1 left right n2 n1 n1 n0 n2 n1)
(take-agent-from-actor agent2 actor2 left right n1 n0 n0 n1 n1 n0)
(row left right n1 n0 n0 n2)
(take-actor-from-agent agent1 actor1 right left n1 n2 n2 n1)
(row right left n2 n0 n1 n2)
(take-actor-to-agent agent1 actor1 left right n2 n1 n2 n1)
(take-actor-to-agent agent2 actor2 left right n1 n0 n1 n0)
(row left right n0 n0 n0 n2)
"""


def check(text, problem="pairs=2 boat=2", domain="river-crossing"):
    return coc.validate(domain, text, problem=problem, plan_format="pddl")


def test_a_crossing_takes_several_actions():
    report = check(CROSSED.upper())
    assert report.solved
    assert repr(report).endswith("5 legal actions>")


@for_each(
    ("old", "new", "reason"),
    [
        ("left right n0 n1 n0 n2", "left right n0 n2 n0 n2", "the steps before it do not make a crossing"),
        ("n2 n1 n2 n1 n0)", "n2 n1 n1 n0 n0)", "the steps before it do not make a crossing"),
        ("(take-pair agent1 actor1 left right n2 n1 n2 n1 n0)\n", "", "the steps before it do not make a crossing"),
        ("(row left right n0 n1 n0 n2)", "(row left shore n0 n1 n0 n2)", r"it is not \(row FROM TO SPLIT AGENTS SEATS"),
        ("(row left right n0 n1 n0 n2)", "(row)", r"it is not \(row FROM TO SPLIT AGENTS SEATS"),
        ("(take-pair agent1 actor1", "(take-pair agent1 actor2", "it is neither row nor one of take-pair, "),
        ("(take-pair agent1 actor1 left right n2 n1 n2 n1 n0)", "(take-pair)", "it is neither row nor one of"),
        ("(take-pair", "(push-pair", "it is neither row nor one of take-pair, .*, of an agent and their actor"),
        ("(take-pair agent1 actor1", "(take-pair agent9 actor9", "agent9 actor9 can't cross from the left bank"),
        ("(row left right n0 n0 n0 n2)\n", "", "it ends in the middle of a move"),
    ],
)
def test_what_is_no_crossing_is_named(old, new, reason):
    assert old in CROSSED
    with pytest.raises(ArtefactError, match=reason):
        check(CROSSED.replace(old, new))


THREE = "start=[[B1, B2], [B3, B4], []] & goal=[[B1], [B3, B4], [B2]]"


TOWER = "pegs=3 start=[1, 1, 2] goal=[1, 3, 2]"


@for_each(
    ("line", "domain", "problem", "reason"),
    [
        ("(move b2 stack1 stack3)", "blocks-3", THREE, "b2 is not on stack1"),
        ("(move b2 b1 b3)", "blocks-3", THREE, "b3 is not clear"),
        ("(move b1 stack1 stack3)", "blocks-3", THREE, "B2 on top"),
        ("(move d1 peg1 peg3)", "hanoi-any", TOWER, "d1 is not on peg1"),
        ("(move d1 d2 peg2)", "hanoi-any", TOWER, "peg2 is not clear"),
        ("(move d3 peg2 d1)", "hanoi-any", TOWER, "can't lie on the smaller disk 1"),
    ],
)
def test_what_is_moved_is_where_the_action_says(line, domain, problem, reason):
    assert check("(move b2 b1 stack3)", THREE, "blocks-3").solved
    report = check(line, problem, domain)
    assert report.verdict == "illegal"
    assert reason in report.reason
