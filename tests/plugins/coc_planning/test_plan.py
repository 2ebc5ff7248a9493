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


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("(move b2 stack1 stack3)", "b2 is not on stack1"),
        ("(move b2 b1 b3)", "b3 is not clear"),
        ("(move b1 stack1 stack3)", "B2 on top"),
    ],
)
def test_blocks_in_three_stacks_are_where_the_action_says(line, reason):
    assert check("(move b2 b1 stack3)", THREE, "blocks-3").solved
    report = check(line, THREE, "blocks-3")
    assert report.verdict == "illegal"
    assert reason in report.reason
