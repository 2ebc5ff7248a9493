"""Scheme, run by the shipped model: answers, errors with their lines, and what is refused."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import coc_core
import coc_scheme
from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_programs import interpret
from coc_scheme.domain import COMPARED, Scheme, Source
from coc_scheme.host.evaluator import evaluated
from tests.plugins.coc_scheme.test_programs import PROGRAMS, expected
from tests.support.checksums import seal

CHECKPOINT = Path(coc_scheme.__file__).with_name("checkpoints") / "scheme"


def printed(text):
    """What the machine prints when Python runs it, and the answer's doubts."""
    domain, problem = Scheme(), Source(text)
    state = domain.initial(problem)
    for action in interpret(*domain.begin(problem)):
        state = domain.apply(state, action)
    return domain.answer(state), domain.doubt(problem, state)


def by_model(text):
    return coc_core.run("scheme", problem=text)


def test_the_shipped_model_runs_a_program():
    done = by_model(
        "(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))\n(display (fact 12)) (newline)\n(car (fact 3))"
    )
    assert done.answer == "479001600\nerror on line 3: car: not a pair: 6\n"
    assert done.solved


def test_a_program_that_prints_nothing_shows_its_last_value():
    assert by_model("(+ 1 2)").answer == "3\n"
    assert printed("(define x 1) (set! x 2)") == ("", "")


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.scm")), ids=lambda path: path.stem)
def test_programs_as_people_write_them(path):
    assert evaluated(path.read_text("utf-8"), COMPARED) == expected(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.scm")), ids=lambda path: path.stem)
def test_the_machine_runs_programs_as_people_write_them(path):
    assert printed(path.read_text("utf-8")) == (expected(path), "")


ERRORS = {
    "(car '())": "car: not a pair: ()",
    "(undefined 1)": "unbound variable: undefined",
    "((lambda (x) x))": "wrong number of arguments: #<procedure>",
    "(raise 'x)": "raised x",
    '(error "no such thing:" 1 "two")': 'no such thing: 1 "two"',
    "(vector-ref (vector 1 2) 2)": "no vector, or no such element: 2",
    "(vector-ref (vector) 0)": "no vector, or no such element: 0",
    "(vector-ref (make-vector 9 0) -5)": "no vector, or no such element: -5",
    "(quotient 1 0)": "division by zero: 0",
    "(5 6)": "not a procedure: 5",
    "(length 5)": "length: not a list: 5",
    "(with-exception-handler (lambda (e) 0) (lambda () (raise 'x)))": "a handler returned from raise: x",
}


@pytest.mark.parametrize("form", ERRORS)
def test_an_error_is_an_answer_with_its_line(form):
    text = f"(display 1)\n(define (f)\n  {form})\n(newline)\n(begin (f) 1)\n"
    answer, doubt = printed(text)
    assert answer == f"1\nerror on line 3: {ERRORS[form]}\n"
    assert doubt == ""


def test_an_error_in_a_procedure_that_is_called_last_names_its_caller():
    assert printed("(define-record-type cat (cat n) cat? (n cat-n))\n(display\n(+ 1 (cat-n 5)))") == (
        "error on line 3: not a cat\n", "")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    {
        "(display 1": "line 1: the ( on this line has no end",
        "(display 1))": "line 1",
        '\n"abc': "line 2",
        "(let ((x)) x)": "(let ((x)) x) is no right use of let",
        "(import (srfi 1))": "(srfi 1) can't be imported",
        "\n(eval 1)": "line 2: eval is not supported",
        "1.5": "1.5",
        "(if)": "(if) is no right use of if",
        "(define car 1) (set! cdr 2)": "cdr is of a library",
        "\n(define-record-type p (p z) p? (x p-x))": "line 2: the record has no field z",
        "(" * 2000: "within each other",
    }.items(),
)
def test_a_text_that_is_no_program_is_refused_with_its_line(text, words):
    with pytest.raises(UsageError, match="not a problem of scheme: line ") as caught:
        parse_problem(Scheme(), text)
    assert words in caught.value.message


@pytest.mark.slow
def test_runs_of_all_programs_begin_with_stated_kinds():
    for path in sorted(PROGRAMS.rglob("*.scm")):  # a run that begins with another is refused
        coc_core.run("scheme", problem=path.read_text("utf-8"), model="reference", max_steps=1)


def test_a_model_without_weights_solves_nothing(tmp_path):
    folder = shutil.copytree(CHECKPOINT, tmp_path / "zeroed")
    weights = load_file(folder / "model.safetensors")
    save_file({name: np.zeros_like(each) for name, each in weights.items()}, folder / "model.safetensors")
    seal(folder)
    for text in ("(display 1)", "(if #f #f)", "(car '())"):
        assert not coc_core.run("scheme", problem=text, model=str(folder)).solved


def test_a_wrong_answer_is_shown_beside_the_right_one():
    domain, problem = Scheme(), Source("(display 12)")
    for wrong, place, instead in (
        ("13", "2 on, '3'", "'2'"),
        ("12\0", r"3 on, '\x00'", "''"),
        ("1", "2 on, ''", "'2'"),
    ):
        state = domain.initial(problem).print(wrong)
        assert not domain.is_goal(problem, state)
        assert domain.doubt(problem, state) == f"from character {place} is printed, and right is {instead}"


def test_beyond_its_limit_the_evaluator_says_that_nothing_was_compared(monkeypatch):
    monkeypatch.setattr("coc_scheme.domain.COMPARED", 100)
    domain, problem = Scheme(), Source("(display (apply + (list 1 2 3 4)))")
    assert domain.doubt(problem, domain.initial(problem)) == (
        "not compared: the reference evaluator stopped after 100 calls")  # fmt: skip


def test_output_appears_and_json_has_the_answer(coc, tmp_path):
    file = tmp_path / "hello.scm"
    file.write_text('(display "hällo\\n")\n(display 7)', "utf-8")
    assert coc("run", "-d", "scheme", "--problem", file).out.startswith("hällo\n7\nsolved  scheme · ")
    document = json.loads(coc("run", "-d", "scheme", "--problem", file, "--json").out)
    assert (document["answer"], document["outcome"]) == ("hällo\n7", "solved")


def test_a_trace_names_the_line_of_the_program(coc, tmp_path):
    file = tmp_path / "two.scm"
    file.write_text("(define x 2)\n(display\n  (+ x 1))", "utf-8")
    assert ", line 3 of the program" in coc("trace", "-d", "scheme", "--problem", file).out
