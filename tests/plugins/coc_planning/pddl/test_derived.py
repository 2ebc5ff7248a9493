"""Derived predicates: what rules derive holds, and nothing else; checked against closures that are computed here."""

import random
from itertools import product

import pytest

from coc_core.errors import ActionFault, ArtefactError
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.simulation import Simulation
from tests.support.for_each import for_each

DOMAIN = """(define (domain towers) (:requirements :derived-predicates :typing)
  (:types block)
  (:predicates (on ?x ?y - block) (above ?x ?y - block) (apart ?x ?y - block) (lonely ?x - block))
  (:derived (lonely ?x - block) (forall (?y - block) (imply (not (= ?x ?y)) (apart ?x ?y))))
  (:derived (apart ?a ?b - block) (and (not (above ?a ?b)) (not (above ?b ?a))))
  (:derived (above ?x ?y - block) (on ?x ?y))
  (:derived (above ?x ?y - block) (not (forall (?z - block) (imply (above ?x ?z) (not (on ?z ?y))))))
  (:action link :parameters (?x ?y - block) :precondition (apart ?x ?y) :effect (on ?x ?y))
  (:action cut :parameters (?x ?y - block) :precondition (on ?x ?y) :effect (not (on ?x ?y)))
  (:action greet :parameters (?x - block) :precondition (lonely ?x)))
"""
PROBLEM = (
    "(define (problem p) (:domain towers) (:objects {} - block) (:init {}) (:goal (exists (?x - block) (lonely ?x))))"
)


@pytest.fixture
def start(texts):
    def of(pairs=(), domain=DOMAIN, names="abcde"):
        atoms = " ".join(f"(on {x} {y})" for x, y in pairs)
        return Simulation(read_task(*texts(domain, PROBLEM.format(" ".join(names), atoms))))

    return of


def closure(pairs):
    found = {*pairs}
    for z, x, y in product("abcde", repeat=3):
        found |= {(x, y)} if {(x, z), (z, y)} <= found else set()
    return found


def test_what_follows_is_known_after_each_action(start):
    rng = random.Random("derived")
    for _ in range(10):
        links = {tuple(rng.sample("abcde", 2)) for _ in range(rng.randint(0, 5))}
        simulation = start(links)
        for _ in range(12):
            above = closure(links)
            apart = {pair for pair in product("abcde", repeat=2) if not {pair, pair[::-1]} & above}
            lonely = {(x,) for x in "abcde" if all((x, y) in apart for y in "abcde" if x != y)}
            assert [simulation.state[name] for name in ("above", "apart", "lonely")] == [above, apart, lonely]
            assert bool(simulation.missing()) == (not lonely)
            name, pair = rng.choice(["link", "cut"]), tuple(rng.choices("abcde", k=2))
            legal = pair in (apart if name == "link" else links)
            try:
                simulation.take(name, pair)
            except ActionFault:
                assert not legal
            else:
                assert legal
                links = links | {pair} if name == "link" else links - {pair}


@for_each(
    ("old", "new", "message"),
    [
        ("(not (on ?x ?y))", "(not (above ?x ?y))", r"d\.pddl:9 .* is derived by rules, and can't be stated"),
        ("(above ?x ?z)", "(not (above ?x ?z))", r"d\.pddl:\d .* depends on its own opposite"),
        ("(not (on ?z ?y))", "(lonely ?z)", r"d\.pddl:\d .* depends on its own opposite"),
        ("(above ?x ?y - block) (on ?x ?y)", "(above ?x ?y - block)", r"d\.pddl:6 .* is not \(:derived "),
        ("(:derived (above ?x ?y - block) (on", "(:derived (under ?x - block) (on", "there is no predicate 'under'"),
    ],
)
def test_rules_that_say_nothing_clear_are_refused(start, old, new, message):
    assert old in DOMAIN
    with pytest.raises(ArtefactError, match=message):
        start(domain=DOMAIN.replace(old, new))
    with pytest.raises(ArtefactError, match=r"p\.pddl:1 .* is derived by rules"):
        start([("a", "b")], domain=DOMAIN.replace("(on ", "(above-too ").replace("(above ", "(on "))


def test_what_is_derived_can_not_be_changed_at_the_same_time(start):
    simulation = start(names="abcd")
    simulation.take("link", ("a", "b"))
    with pytest.raises(ActionFault, match=r"it interferes with \(link a b\), which is taken at the same time"):
        simulation.take("link", ("c", "d"), at_once=True)
