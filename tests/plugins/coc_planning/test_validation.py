"""`coc.validate`: plans from anywhere, in any format, and what the report says."""

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

import coc_core as coc
from coc_certify.plans import format_plan
from coc_core.errors import ArtefactError, UsageError
from coc_planning.validation import ValidateOptions, validated
from tests.support.plan_formats import DOMAINS, PAIRS, REGISTRY, form_of, solved, written

GOOD = ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3", "Move disk 1 from 2 to 3"]


@pytest.mark.parametrize(("domain", "name"), PAIRS)
@settings(max_examples=5)
@given(n=st.integers(1, 5), seed=st.integers(0, 99))
def test_plans_of_every_domain_are_recognised_and_solve_their_problems(domain, name, n, seed):
    problem, plan = solved(domain, n, seed)
    n = DOMAINS[domain].size(problem)
    text = written(form_of(domain, name, problem), plan)
    report = validated(REGISTRY, ValidateOptions(domain=domain, plan=text, n=n, seed=seed))
    assert (report.verdict, report.solved, report.reason) == ("solved", True, "")
    named = validated(REGISTRY, ValidateOptions(domain=domain, plan=text, problem=report.problem, plan_format=name))
    assert evolve(named, plan_format=report.plan_format) == report
    assert report.plan_format == name or not text or written(form_of(domain, report.plan_format, problem), plan) == text


def test_the_plan_of_a_run():
    run = coc.run("hanoi", 4, model="reference")
    report = coc.validate("hanoi", run.plan, 4)
    assert (report.solved, report.actions, report.moves) == (True, 15, 15)
    assert repr(report) == "<ValidationReport: hanoi n=4 src=1 dst=3: solved, 15 legal actions>"
    assert report._repr_html_() == "<p><b>solved</b> hanoi n=4 src=1 dst=3: solved, 15 legal actions</p>"


def test_a_file(tmp_path):
    plan, problem = tmp_path / "plan", tmp_path / "problem"
    plan.write_text("\n".join(GOOD))
    problem.write_text("n=2 src=1 dst=3")
    assert coc.validate("hanoi", plan, problem=problem).solved


def test_what_is_wrong_is_said_in_a_line():
    assert coc.validate("hanoi", [], 2).reason == "the plan is empty"
    assert coc.validate("hanoi", GOOD[:2], 2).reason == "the goal is not reached"
    report = coc.validate("hanoi", [GOOD[0], "Move disk 2 from 1 to 2"], 2)
    assert (report.verdict, report.at, report.actions) == ("illegal", 2, 1)
    assert report.reason == (
        "action 2, 'Move disk 2 from 1 to 2', is illegal: disk 2 can't lie on the smaller disk 1 of peg 2"
    )


def test_a_plan_for_another_domain_is_refused():
    with pytest.raises(ArtefactError) as caught:
        coc.validate("hanoi", "Flip from where P1 is located.", 2)
    assert str(caught.value) == (
        "not a plan of hanoi: 'Flip from where P1 is located.' is an action in none of the formats text, json, pddl,"
        " reasoning-gym; it is one of pancake"
    )


@pytest.mark.parametrize("first", ["plan.txt", "\x1b[2J", "é"])
def test_what_is_no_plan_at_all_is_refused(first):
    with pytest.raises(ArtefactError, match="not a plan of hanoi: ") as caught:
        coc.validate("hanoi", [first], 2)
    assert str(caught.value).isascii()
    assert str(caught.value).endswith("reasoning-gym")


def test_bad_choices_are_refused(tmp_path):
    for choices, reason in (
        ({"plan_format": "grammar"}, "is not a list of actions"),
        ({"plan_format": "pdf"}, "unknown plan format 'pdf'"),
        ({"plan_format": "reasoning-gym", "domain": "pancake"}, "has no plans of pancake"),
        ({"domain": "hanio"}, "did you mean 'hanoi'"),
        ({"n": 2.5}, "is not a whole number"),
        ({"seed": "a"}, "is not a whole number"),
        ({"n": 2, "problem": "n=2 src=1 dst=3"}, "both choose the problem"),
        ({"plan": tmp_path / "missing"}, "can't read the plan .*missing: No such file"),
        ({"plan": tmp_path}, "can't read the plan .*: Is a directory"),
    ):
        with pytest.raises(UsageError, match=reason):
            coc.validate(**{"domain": "hanoi", "plan": GOOD, **choices})


def test_every_domain_has_plans():
    assert {domain for domain, _ in PAIRS} == set(DOMAINS)


@pytest.mark.parametrize("name", [None, "text", "json"])
def test_a_grammar_is_left_to_another_command(name):
    with pytest.raises(ArtefactError, match="the plan is a grammar, not a list of actions") as caught:
        coc.validate("hanoi", format_plan(coc.plan("hanoi", 3, model="reference")), 3, plan_format=name)
    assert caught.value.remedy.startswith("`coc plan FILE` says whether it solves its problem")
