"""coc's validator beside unified-planning's and pddl-pyvalidator, on right and wrong plans: what differs is explained."""

import pytest

import coc_core as coc
from tests.support.late_import import Late, needs

checks, others = Late("tests.support.validator_checks"), Late("tests.support.other_validators")
pytestmark = [needs("unified_planning"), needs("pyval")]


def test_others_say_the_same_of_every_plan():
    verdicts, differences, _ = checks.compared(50)
    assert differences == []
    assert min(verdicts["solved"], verdicts["illegal"]) > 8


@pytest.mark.slow
def test_others_say_the_same_of_ten_thousand_plans():
    verdicts, differences, _ = checks.compared(10_000, first=1_000)
    assert differences == []
    assert min(verdicts[each] for each in ("solved", "unsolved", "illegal")) > 100


DOMAIN = """(define (domain d) (:requirements :adl :typing) (:types cup plate)
  (:predicates (full ?c - cup) (done))
  (:action all :parameters (?c - cup) :precondition (forall (?p - plate ?c2 - cup) (full ?c2)) :effect (done))
  (:action two :parameters (?c - cup ?p - plate) :precondition (not (= ?c ?p)) :effect (done)))
"""
PROBLEM = "(define (problem p) (:domain d) (:objects a b - cup) (:init (full a)) (:goal (done)))"


def test_all_of_nothing_is_true(texts):
    """There is no plate. PDDL's `forall` is then true, also by VAL; unified-planning drops a variable not in the body."""
    domain = DOMAIN[: DOMAIN.index("  (:action two")] + ")"
    assert coc.validate_pddl(*texts(domain, PROBLEM), "(all a)").solved
    assert others.Unified(domain, PROBLEM).validated([["all", "a"]]) == (False, 1)


def test_things_of_different_types_are_compared(texts):
    """They are not equal; unified-planning reads no `=` between types of which neither is a part of the other."""
    problem = PROBLEM.replace("a b - cup", "a b - cup p - plate")
    assert coc.validate_pddl(*texts(DOMAIN, problem), "(two a p)").solved
    with pytest.raises(Exception, match="not well-formed"):
        others.Unified(DOMAIN, problem)
