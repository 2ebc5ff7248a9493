"""Files that were made to break a validator: an answer in one line, within a second."""

import os
import time
from functools import partial
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import CocError
from tests.support.for_each import for_each

DOMAIN = """(define (domain d) (:requirements :adl)
  (:types kind)
  (:predicates (p ?x - kind) (q ?x ?y - kind))
  (:functions (total-cost) - number)
  (:action act :parameters (?x - kind) :precondition (p ?x) :effect (and (q ?x ?x) (increase (total-cost) 1))))
"""
PROBLEM = "(define (problem m) (:domain d) (:objects a b - kind) (:init (p a)) (:goal (q a a)))\n"
PLAN = "(act a)\n"
MANY = " ".join(f"o{number}" for number in range(1_000))
WIDE = " ".join(f"?v{number}" for number in range(40))


@pytest.fixture
def validate(texts):
    def of(domain=DOMAIN, problem=PROBLEM, plan=PLAN):
        paths = texts(domain, problem, plan)
        started = time.process_time()
        try:
            return coc.validate_pddl(*paths), time.process_time() - started
        except CocError as error:
            return error, time.process_time() - started

    return of


def replaced(name, text, old, new):
    assert old in text
    return {name: text.replace(old, new, 1)}


domain, problem = partial(replaced, "domain", DOMAIN), partial(replaced, "problem", PROBLEM)
HARMLESS = {
    "a byte order mark": {name: "\ufeff" + text for name, text in zip(("domain", "problem", "plan"), (DOMAIN, PROBLEM, PLAN), strict=True)},
    "lines of Windows": {"domain": DOMAIN.replace("\n", "\r\n"), "plan": PLAN.replace("\n", "\r\n")},
    "lines of an old Mac": {"domain": "; it ends here\r" + DOMAIN.replace("\n", "\r")},
    "comments everywhere": {"domain": DOMAIN.replace("\n", " ; ((( a comment\n"), "plan": "; (act b)\n(act a) ; (act b)"},
    "bytes that are not text": {"domain": b"; caf\xe9 \xff\n" + DOMAIN.encode()},
    "an operator of many parameters": domain("?x - kind) :pre", f"?x {WIDE} - kind) :pre")
    | problem("a b - kind", f"a b {MANY} - kind")
    | {"plan": f"(act a{' b' * 40})"},
    "quantifiers that look at nothing": domain("(p ?x) :eff", f"(and (p ?x) (exists ({WIDE} - kind) (p ?v0))) :eff")
    | problem("a b - kind", f"a b {MANY} - kind"),
    "requirements that are not used": domain(":adl", ":adl :fluents :durative-actions :preferences"),
    "an action that is there a thousand times": {"plan": PLAN * 1_000},
    "a comment of 4 MB": {"domain": DOMAIN + ";" + "(" * 2_000_000},
}  # fmt: skip


@pytest.mark.no_cover  # which takes several times as long
@for_each("name", HARMLESS)
def test_what_looks_odd_is_read(validate, name):
    found, seconds = validate(**HARMLESS[name])
    assert getattr(found, "verdict", found) == "solved"
    assert seconds < 1


NESTED = "(not " * 99 + "(p ?x)" + ")" * 99
HOSTILE = {
    "only opening ones": {"problem": "(" * 1_000_000},
    "only closing ones": {"domain": ")" * 1_000_000},
    "pairs": {"domain": "()" * 100_000},
    "deep formulas": domain("(p ?x) :eff", f"(not {NESTED}) :eff"),
    "deep effects": domain("(q ?x ?x)", "(and " * 200 + ")" * 200),
    "twenty megabytes": {"problem": PROBLEM + " " * 20_000_000},
    "a word of four megabytes": {"domain": "a" * 2_000_000},
    "a name of a megabyte": domain("(p ?x) :eff", f"({'p' * 1_000_000} ?x) :eff"),
    "bytes": {"domain": bytes(range(256)) * 100},
    "a name with a semicolon": problem("a b - kind", "a;b c - kind"),
    "a name with a quote and a line end": problem("(q a a)", "(q a \x1b[31m'\x00)"),
    "types in a long chain": domain("kind)", " ".join(f"t{n} - t{n + 1}" for n in range(5_000)) + " kind)"),
    "a hundred thousand types": domain("kind)", " ".join(f"t{n}" for n in range(100_000)) + " kind)"),
    "a quantifier over everything": domain("(p ?x) :eff", f"(forall ({WIDE} - kind) (or (p ?x) (p ?v0))) :eff")
    | problem("(p a)", "(p b)"),
    "a quantifier that tries all": domain(
        "(p ?x) :eff", "(forall (?a ?b ?c - kind) (or (and (p ?x) (= ?a ?a) (= ?b ?b) (= ?c ?c)) (= ?a ?b))) :eff"
    )
    | problem("a b - kind", f"a b {MANY} - kind"),
    "an effect on everything": domain("(q ?x ?x)", "(forall (?a ?b ?c - kind) (q ?a ?b))")
    | problem("a b - kind", f"a b {MANY} - kind"),
    "a goal of everything": {
        "problem": PROBLEM.replace("a b - kind", f"a b {MANY} - kind").replace(
            "(q a a)", "(forall (?a ?b ?c - kind) (or (not (p ?a)) (and (= ?b ?b) (= ?c ?c))))"
        )
    },
    "a thousand variables": domain(
        "(p ?x) :eff", f"(exists ({' '.join(f'?v{n}' for n in range(1_000))} - kind) (p ?x)) :eff"
    ),
    "a long number": domain("(total-cost) 1", f"(total-cost) {'9' * 1_000_000}"),
    "a cost that squares": domain("(total-cost) 1", "(total-cost) (+ 2 (* (total-cost) (total-cost)))")
    | {"plan": PLAN * 100_000},
    "a cost divided by nothing": domain("(total-cost) 1", "(total-cost) (/ 1 (- (total-cost) (total-cost)))"),
    "an atom of many arguments": problem("(p a)", f"(p {'a ' * 200_000})"),
    "a plan that does not end": {"plan": "(act" + " a" * 1_000_000},
    "a plan of one long line": {"plan": "a" * 20_000_000},
    "a plan that is not text": {"plan": b"\xff\xfe(act a)"},
    "a plan of parentheses": {"plan": "(" * 1_000_000},
    "a time of many digits": {"plan": f"{'1' * 1_000_000}: (act a)\n"},
    "an action of a megabyte": {"plan": f"({'a' * 1_000_000})\n"},
    "an object of a megabyte": {"plan": f"(act {'a' * 1_000_000})\n"},
}


@pytest.mark.no_cover
@for_each("name", HOSTILE)
def test_what_is_hostile_gets_one_line(validate, name):
    found, seconds = validate(**HOSTILE[name])
    line = str(found) if isinstance(found, CocError) else found.reason
    assert line
    assert len(line.splitlines()) == 1
    assert len(line) < 600
    assert line.isprintable()
    assert seconds < 1


@for_each("kind", ["missing", "folder", "pipe", "device"])
def test_what_is_not_a_file_is_refused(validate, tmp_path, kind):
    validate()
    path = {"missing": tmp_path / "none", "folder": tmp_path, "pipe": tmp_path / "pipe", "device": Path("/dev/zero")}[
        kind
    ]
    if kind == "pipe" and not path.exists():
        os.mkfifo(path)
    files = [tmp_path / "d.pddl", tmp_path / "p.pddl", tmp_path / "plan"]
    for place in range(3):
        with pytest.raises(CocError, match="can't read"):
            coc.validate_pddl(*files[:place], path, *files[place + 1 :])
