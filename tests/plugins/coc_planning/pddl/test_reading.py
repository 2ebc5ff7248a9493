"""Reading PDDL: what can't be read is one line with the file and, where it is known, the line."""

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_planning.lifting import lift
from coc_planning.pddl.reading import read_problem, read_task
from coc_planning.pddl.task import Atom
from tests.support.for_each import for_each

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
def read(texts):
    return lambda domain=DOMAIN, problem=PROBLEM: lift(read_task(*texts(domain, problem)))


def test_types_are_conditions_that_never_change(read):
    domain, facts = read(DOMAIN.replace(":negative-preconditions", ":negative-preconditions :equality"))
    (move,) = domain.operators
    assert move.needs == {Atom("type:disk", ("?d",)), Atom("on", ("?d", "?f")), Atom("free", ("?t",))}
    assert move.forbids == {Atom("=", ("?f", "?t")), Atom("free", ("?f",))}
    assert move.adds == {Atom("on", ("?d", "?t")), Atom("free", ("?f",))}
    assert move.deletes == {Atom("on", ("?d", "?f")), Atom("free", ("?t",))}
    assert facts.objects == ("a", "b", "p", "q")
    assert facts.goal == (Atom("on", ("a", "q")), Atom("free", ("p",)))
    assert {Atom("type:disk", ("a",)), Atom("on", ("a", "b"))} <= facts.initial


def test_what_an_action_adds_and_deletes_holds_afterwards(read):
    """As the definition of PDDL 2.1 says: deletions come first."""
    plain = read()
    for both in ("(on ?d ?t)", "(free ?f)"):
        assert read(DOMAIN.replace(":effect (and", f":effect (and (not {both})")) == plain


def refused(read, error, message, **texts):
    with pytest.raises(error, match=message) as raised:
        read(**texts)
    assert len(str(raised.value).splitlines()) == 1


REFUSED = {
    ArtefactError: [
        ("(:action move", "(:action", r"d\.pddl:6 is not PDDL that can be read: an action is"),
        ("(:types", ":types (", r"d\.pddl:4 .*':types' is not a part in parentheses"),
        ("(define (domain", "(define (problem", r"d\.pddl:2 .* does not begin with \(define \(domain NAME\)"),
        ("(free ?t)))", "(free ?t))) (", r"d\.pddl:[0-9]+ .* the parenthesis of line 2 is not closed"),
        ("(not (free ?t)))))", "(not (free ?t))))))", r"d\.pddl:9 .* a parenthesis is closed that was not opened"),
        ("(on ?d ?f) (not", "(in ?d ?f) (not", r"d\.pddl:8 .* there is no predicate 'in'"),
        ("(on ?d ?f) (not", "(on ?d ?x) (not", r"d\.pddl:8 .* there is no parameter '\?x'"),
        ("(on ?d ?f) (not", "(on ?d) (not", r"d\.pddl:8 .* 'on' has 2 arguments, not 1"),
        ("(free ?t - thing))", "free)", r"d\.pddl:5 .* 'free' is not a predicate in parentheses"),
        ("?f ?t - thing)\n", "?f ?f - thing)\n", r"d\.pddl:7 .* '\?f' is there twice"),
        ("(free ?t - thing)", "(free ?t - thin)", r"d\.pddl:8 .* '\?f', which is a thing and not a thin"),
        ("(free ?t - thing)", "(free t - thing)", r"d\.pddl:5 .* 't' is not a variable"),
        ("(free ?t - thing)", "(not ?t - thing)", r"d\.pddl:5 .* '\(not \?t - thing\)' is not a predicate"),
        ("disk peg - thing", "disk peg - thing thing - disk", r"d\.pddl:4 .* the type 'disk' is a part of itself"),
        ("disk peg - thing", "disk peg object - thing", r"d\.pddl:4 .* 'object' is not a part of another type"),
        ("disk peg - thing", "disk peg - thing - disk", r"d\.pddl:4 .* the type 'disk' is not that of a name"),
        ("(and (on ?d ?t)", "(and (= ?d ?t)", r"d\.pddl:9 .* '\(= \?d \?t\)' is an effect, and no action can"),
        (DOMAIN, " ; nothing\n", r"d\.pddl is empty"),
        (DOMAIN, "domain", r"d\.pddl:1 .* 'domain' is not \(define"),
        ("(:init", "(:init (", r"p\.pddl:4 .* the parenthesis of line 1 is not closed"),
        ("(on b p)", "(on b nobody)", r"p\.pddl:3 .* there is no object 'nobody'"),
        ("(on b p)", "on", r"p\.pddl:3 .* 'on' is not an atom in parentheses"),
        ("(:domain typed)", "(:domain other)", r"the problem is one of 'other', not of 'typed'"),
        ("(:domain typed)", "", r"p\.pddl:1 .* the problem has no :domain"),
        ("(on b p)", "(= (height a) 3)", r"p\.pddl:3 .* there is no function 'height'"),
        ("(on b p)", "(not (on a b))", r"p\.pddl:3 .* '\(not \(on a b\)\)' contradicts line 3"),
        ("p q - peg", "p q :init - peg", r"p\.pddl:2 .* ':init' is not a name"),
        (PROBLEM, "\x00\xff(", "is not PDDL"),
        (PROBLEM, "(" * 100_000, "more than 100 lists are in one another"),
        (PROBLEM, "", r"p\.pddl is empty"),
        (PROBLEM, "x" * 17_000_000, r"p\.pddl: it has 17,000,000 bytes"),
    ],
    UsageError: [
        (":strips", ":strips :open-world", r"d\.pddl:3: ':open-world' is required; PDDL 3.1 has no such requirement"),
        (
            "(and (on ?d ?t)",
            "(and (when (free ?t) (on ?d ?t))",
            r"d\.pddl:9: the effect of 'move' on .* is conditional",
        ),
        ("(free ?t))\n    :eff", "(or (free ?t)))\n    :eff", r"d\.pddl:8: '\(or \(free \?t\)\)' is not an atom"),
        ("(free ?t))\n    :eff", "(free (top ?t)))\n    :eff", r"d\.pddl:8: .* is not an atom"),
        ("?t - thing)\n    :", "?t - (either disk peg))\n    :", r"the parameter \?f of 'move' has several types"),
        ("disk peg - thing", "disk - (either (peg) thing)", r"d\.pddl:4: .* is not the name of a type"),
        ("disk peg - thing", "disk (peg) - thing", r"d\.pddl:4: .* is not a name"),
        ("(:action", "(:durative-action) (:action", r"d\.pddl:6: .* is not supported in a domain"),
        (":effect", ":duration (on) :effect", r"d\.pddl:6: .* has :duration, which coc does not know"),
        ("(and (on a q)", "(or (on a q)", "is not an atom; coc knows conjunctions of atoms"),
        ("(and (on a q)", "(and (exists (?d - disk) (free ?d)) (on a q)", r"p\.pddl:4: .*is not an atom"),
        ("(and (on a q)", "(and (not (on a q))", r"p\.pddl:4: .* has atoms that shall not hold"),
        ("(:goal", "(:constraints (and)) (:goal", r"p\.pddl:4: .* is not supported in a problem"),
    ],
}


@for_each(("error", "row"), [(error, row) for error, rows in REFUSED.items() for row in rows])
def test_what_can_not_be_read_or_is_not_known_is_one_line(read, error, row):
    old, new, message = row
    kind, text = ("domain", DOMAIN) if old in DOMAIN else ("problem", PROBLEM)
    assert old in text
    refused(read, error, message, **{kind: text.replace(old, new)})


TWICE = {
    "domain": [
        "(domain typed)",
        "(:requirements :strips :typing :negative-preconditions)",
        "(:types disk peg - thing)",
        "(:predicates (on ?d - disk ?t - thing) (free ?t - thing))",
        DOMAIN[DOMAIN.index("(:action") : -2],
        ":parameters (?d - disk ?f ?t - thing)",
        ":precondition (and (on ?d ?f) (not (= ?f ?t)) (not (free ?f)) (free ?t))",
        ":effect (and (on ?d ?t) (not (on ?d ?f)) (free ?f) (not (free ?t)))",
        "(free ?t - thing)",
        "(:constants c1 c2 - disk)",
        "c1 c2",
        "(:functions (total-cost) (far ?d) - number)",
        "(far ?d)",
    ],
    "problem": [
        "(problem p)",
        "(:domain typed)",
        "(:requirements :strips)",
        "(:objects a b - disk p q - peg)",
        "a b",
        "(:init (on a b) (on b p) (free q))",
        "(:goal (and (on a q) (and (free p))))",
    ],
}
"""What can be there once."""
MORE = {
    "domain": DOMAIN.replace(
        "  (:action", "(:constants c1 c2 - disk)\n(:functions (total-cost) (far ?d) - number)\n  (:action"
    ),
    "problem": PROBLEM.replace("  (:objects", "(:requirements :strips) (:metric minimize (total-cost))\n  (:objects"),
}
"""The domain and the problem with a bit of everything."""


def test_what_is_there_twice_is_refused_with_both_lines(read):
    read(**MORE)
    wrong = []
    for kind, pieces in TWICE.items():
        for piece in pieces:
            before, found, after = MORE[kind].partition(piece)
            first, second = before.count("\n") + 1, (before + found).count("\n") + 2
            try:
                read(**{**MORE, kind: f"{before}{piece}\n{piece.upper()}{after}"})
            except ArtefactError as error:
                twice = f"{kind[0]}.pddl:{second} is not PDDL that can be read: '"
                if twice in error.message and error.message.endswith(f"' is there twice, first in line {first}"):
                    continue
                wrong.append((piece, error.message))
            else:
                wrong.append((piece, "accepted"))
    assert not wrong


def test_an_object_is_not_a_constant(read):
    problem = MORE["problem"].replace("a b - disk", "a b - disk c1 - peg")
    message = r"p\.pddl:3 .* 'c1' is a constant in line 6 of the domain"
    refused(read, ArtefactError, message, **{**MORE, "problem": problem})


COSTS = {
    "domain": MORE["domain"].replace("(not (free ?t)))", "(not (free ?t)) (increase (total-cost) (+ 1 (far ?d))))"),
    "problem": MORE["problem"].replace("(free q)", "(free q) (= (total-cost) 0) (= (far a) 2.5) (= (far a) 2.5)"),
}
AN_INCREASE = "(increase (total-cost) (+ 1 (far ?d)))"
A_NUMBER = "(= (far a) 2.5)"


def test_costs_are_left_out(read):
    assert read(**COSTS) == read(**MORE)


@for_each(
    ("old", "new", "error", "message"),
    [
        (AN_INCREASE, "(increase (far ?d) (total-cost))", UsageError, r"d\.pddl:11: .* changes a number other than"),
        ("(free ?t))\n", "(>= (far ?d) 1))\n", UsageError, r"d\.pddl:10: '\(>= \(far \?d\) 1\)' compares numbers"),
        ("(:metric", "(:metric minimize (far a)) (:metric", UsageError, r"p\.pddl:2: .* is a second metric, after "),
        (AN_INCREASE, "(increase (total-cost))", ArtefactError, r"d\.pddl:11 .* is not \(increase \(total-cost\) N"),
        (AN_INCREASE, "(increase (total-cost) ?d)", ArtefactError, r"d\.pddl:11 .* '\?d' is not a number"),
        (AN_INCREASE, "(increase (total-cost) (free ?d))", ArtefactError, r"d\.pddl:11 .* there is no function 'free'"),
        ("(free ?t))\n", "(increase (total-cost) 1))\n", ArtefactError, r"d\.pddl:10 .* is not in an effect"),
        ("(far ?d) - number", "(far ?d) - thing", UsageError, r"d\.pddl:7: 'thing' is not the type of a number"),
        (A_NUMBER, "(= (far a) 1)", ArtefactError, r"p\.pddl:4 .* '\(far a\)' is 2.5, and 1 in line 4"),
        (A_NUMBER, "(= (near a) 1)", ArtefactError, r"p\.pddl:4 .* there is no function 'near'"),
        (A_NUMBER, "(= (far a) b)", ArtefactError, r"p\.pddl:4 .* is not \(= \(FUNCTION OBJECT \.\.\.\) NUMBER\)"),
        ("(:metric minimize", "(:metric", ArtefactError, r"p\.pddl:2 .* is not \(:metric minimize VALUE\)"),
        ("(:constants", "(:metric minimize (total-cost)) (:constants", UsageError, r"d\.pddl:6: .* in a domain"),
    ],
)
def test_costs_are_where_costs_may_be(read, old, new, error, message):
    kind = "domain" if old in COSTS["domain"] else "problem"
    assert old in COSTS[kind]
    refused(read, error, message, **{**COSTS, kind: COSTS[kind].replace(old, new, 1)})


def test_constants_are_objects_and_capitals_make_no_difference(read):
    domain, facts = read(DOMAIN.replace("(:predicates", "(:constants C - disk) (:PREDICATES"), PROBLEM.upper())
    assert facts.objects == ("c", "a", "b", "p", "q")
    assert domain == read()[0]


def test_a_file_is_a_domain_or_a_problem(read, tmp_path):
    read()
    beside = lambda path: path.with_name("d.pddl")  # noqa: E731
    assert read_problem(tmp_path / "d.pddl", beside) is None
    assert lift(read_problem(tmp_path / "p.pddl", beside)) == read()


def test_names_in_declarations_bind_nothing(read):
    assert read(DOMAIN.replace("(on ?d - disk ?t - thing)", "(on ?d - disk ?d - thing)")) == read()


def test_a_type_may_be_declared_twice_and_is_a_part_of_both(read, tmp_path):
    read(DOMAIN.replace("disk peg - thing", "disk - solid disk peg - thing solid disk"))
    kinds = read_task(tmp_path / "d.pddl", tmp_path / "p.pddl").supertypes
    assert kinds["disk"] == {"disk", "solid", "thing", "object"}
    assert kinds["solid"] == {"solid", "object"}


def test_a_type_that_is_not_declared_is_one_of_objects(read, tmp_path):
    files = tmp_path / "d.pddl", tmp_path / "p.pddl"
    assert read(DOMAIN, PROBLEM.replace("p q - peg", "p q - peg r - rod"))[1].objects == ("a", "b", "p", "q", "r")
    note = "the type {!r} is not declared; it is taken as one of objects"
    for text, notes in ((PROBLEM.replace("p q - peg", "p q - peg r - rod"), [1]), (PROBLEM, [])):
        read(DOMAIN.replace("(free ?t - thing))", "(free ?t - thing) (held ?t - hand))"), text)
        expected = [f"{files[0]}: {note.format('hand')}", *(f"{files[1]}: {note.format('rod')}" for _ in notes)]
        assert list(read_task(*files).notes) == expected
    refused(
        read,
        ArtefactError,
        r"'r', which is a rod and not a thing",
        problem=PROBLEM.replace("p q - peg", "p q - peg r - rod").replace("(free q)", "(free r)"),
    )


def test_a_hyphen_may_touch_a_type_and_a_name_its_variable_and_a_length_is_advice(read):
    loose = DOMAIN.replace("- thing", "-thing").replace(" ?", "?")
    assert read(loose, PROBLEM.replace("(:init", "(:length (:serial 3)) (:init")) == read()


def test_swapped_files_are_recognised(read, tmp_path):
    read()
    with pytest.raises(UsageError, match=r"d\.pddl is a domain, not a problem; give the domain first"):
        read_task(tmp_path / "p.pddl", tmp_path / "d.pddl")
    with pytest.raises(ArtefactError, match=r"p\.pddl:1 .* \(domain NAME\), but with '\(define \(problem p\)'"):
        read_task(tmp_path / "p.pddl", tmp_path / "p.pddl")


@for_each(
    ("goal", "left"),
    [
        ("(forall (?d - disk) (on ?d q))", "(on a q) (on b q)"),
        ("(forall (?d - disk ?p - peg) (imply (on ?d ?p) (free ?p)))", None),
        ("(and (forall (?d - disk) (forall (?p - peg) (imply (= ?p q) (on ?d ?p)))))", "(on a q) (on b q)"),
        ("(forall (?p - peg) (and))", ""),
        ("(or (= a a) (on a b))", None),
        ("(or (= a b) (= a q))", None),
        ("(and (not (= a b)) (on a q))", "(on a q)"),
    ],
)
def test_a_goal_about_all_objects_is_one_about_each(read, goal, left):
    problem = PROBLEM.replace("(and (on a q) (and (free p)))", goal)
    if left is None:
        refused(read, UsageError, "is not an atom", problem=problem)
    else:
        assert " ".join(map(str, read(problem=problem)[1].goal)) == left
    many = problem.replace("a b - disk", " ".join(f"d{n}" for n in range(400)) + " a b - disk").replace(
        "?p - peg", "?p - disk ?q - disk"
    )
    if "?p - peg" in goal and left is None:
        refused(read, UsageError, r"p\.pddl:4: the goal is about too many objects", problem=many)
