"""Reading PDDL: what can't be read is one line with the file and, where it is known, the line."""

import builtins

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_planning import reading
from coc_planning.lifted import Atom
from coc_planning.reading import lifted, read_pddl

pytestmark = pytest.mark.slow

DOMAIN = """; a comment
(define (domain typed)
  (:requirements :strips :typing :negative-preconditions)
  (:types disk peg - thing)
  (:predicates (on ?d - disk ?t - thing) (free ?t - thing))
  (:action move
    :parameters (?d - disk ?f ?t - thing)
    :precondition (and (on ?d ?f) (not (= ?f ?t)) (not (free ?f)) (free ?t))
    :effect (and (on ?d ?t) (not (on ?d ?f)) (free ?f) (not (free ?t)))))
"""
PROBLEM = """(define (problem p) (:domain typed)
  (:objects a b - disk p q - peg)
  (:init (on a b) (on b p) (free q))
  (:goal (and (on a q) (and (free p)))))
"""


@pytest.fixture
def read(tmp_path):
    def of(domain=DOMAIN, problem=PROBLEM):
        (tmp_path / "d.pddl").write_text(domain)
        (tmp_path / "p.pddl").write_text(problem)
        return lifted(read_pddl(tmp_path / "d.pddl", tmp_path / "p.pddl"))

    return of


def test_types_are_conditions_that_never_change(read):
    domain, facts = read(DOMAIN.replace(":negative-preconditions", ":negative-preconditions :equality"))
    (move,) = domain.operators
    assert move.needs == {
        Atom("type:disk", ("d",)),
        Atom("on", ("d", "f")),
        Atom("free", ("t",)),
    }
    assert move.forbids == {Atom("=", ("f", "t")), Atom("free", ("f",))}
    assert move.adds == {Atom("on", ("d", "t")), Atom("free", ("f",))}
    assert move.deletes == {Atom("on", ("d", "f")), Atom("free", ("t",))}
    assert facts.objects == ("a", "b", "p", "q")
    assert facts.goal == (Atom("on", ("a", "q")), Atom("free", ("p",)))
    assert {Atom("type:disk", ("a",)), Atom("on", ("a", "b"))} <= facts.initial


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (("(:action move", "(:action"), ArtefactError, r"d\.pddl:[0-9] is not PDDL that can be read: Expected"),
        (
            (":strips", ":strips :durative-actions"),
            UsageError,
            r"d\.pddl requires ':durative-actions'; coc reads :strips",
        ),
        ((DOMAIN, " ; nothing\n"), ArtefactError, r"d\.pddl is empty"),
        (
            ("(and (on ?d ?t)", "(and (when (free ?f) (on ?d ?t))"),
            UsageError,
            "the effect of 'move' on .* is conditional",
        ),
    ],
)
def test_a_domain_that_can_not_be_read_is_one_line(read, change, error, message):
    with pytest.raises(error, match=message) as raised:
        read(domain=DOMAIN.replace(*change))
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (("(:init", "(:init ("), ArtefactError, r"p\.pddl(:[0-9]+)? is not PDDL that can be read"),
        (("(on b p)", "(on b nobody)"), ArtefactError, r"p\.pddl is not PDDL that can be read: .*nobody"),
        (("(and (on a q)", "(or (on a q)"), UsageError, "is no atom; coc knows conjunctions of atoms"),
        (("(and (on a q)", "(forall (?d - disk) (free ?d)) (and (on a q)"), ArtefactError, "is not PDDL"),
        (("(and (on a q)", "(and (not (on a q))"), UsageError, "is no atom; coc knows conjunctions of atoms"),
        ((PROBLEM, "no PDDL at all"), ArtefactError, "is not PDDL"),
        ((PROBLEM, "\x00\xff("), ArtefactError, "is not PDDL"),
        ((PROBLEM, "(" * 100_000), ArtefactError, "is not PDDL"),
        ((PROBLEM, ""), ArtefactError, r"p\.pddl is empty"),
        ((PROBLEM, "x" * 2_000_000), ArtefactError, r"p\.pddl: it has 2,000,000 bytes"),
    ],
)
def test_a_problem_that_can_not_be_read_is_one_line(read, change, error, message):
    with pytest.raises(error, match=message) as raised:
        read(problem=PROBLEM.replace(*change))
    assert len(str(raised.value).splitlines()) == 1


def test_numbers_are_not_supported(read):
    numeric = DOMAIN.replace(":strips", ":strips :action-costs").replace(
        "(free ?t - thing))", "(free ?t - thing)) (:functions (total-cost) - number)"
    )
    counted = numeric.replace("(not (free ?t))", "(not (free ?t)) (increase (total-cost) 1)")
    with pytest.raises(UsageError, match=r"conditional or numeric|no atom|not true or false"):
        read(counted, PROBLEM.replace("(free q)", "(free q) (= (total-cost) 0)"))


def test_without_unified_planning_the_command_that_installs_it_is_named(monkeypatch, tmp_path):
    def refuse(name, *_):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(reading, "import_module", refuse)
    with pytest.raises(UsageError, match=r"pip install 'chain-of-computation\[planning\]'"):
        read_pddl(tmp_path / "d", tmp_path / "p")
    assert builtins.__import__ is not refuse


def test_an_object_that_is_no_classical_problem_is_refused():
    with pytest.raises(UsageError, match="the problem is no classical one"):
        lifted(object())
