"""coc among the engines of unified-planning."""

import io

import pytest

pytest.importorskip("unified_planning")

from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, PlanValidator, get_environment

import coc_planning.engine

pytestmark = pytest.mark.slow


@pytest.fixture
def solve():
    get_environment().credits_stream = None

    def of(problem, timeout=None, **params):
        stream = io.StringIO()
        with OneshotPlanner(name=coc_planning.engine.NAME, params={"model": "reference", **params}) as planner:
            result = planner.solve(problem, timeout=timeout, output_stream=stream)
        return result, stream.getvalue()

    return of


def read(paths):
    return PDDLReader().parse_problem(*map(str, paths))


@pytest.mark.parametrize("memory", ["pda", "tape"])
@pytest.mark.parametrize("name", ["blocks", "hanoi", "pancake", "blocksworld"])
def test_plans_are_valid(solve, files, name, memory):
    problem = read(files(name, 5))
    result, said = solve(problem, memory=memory)
    assert result.status is Status.SOLVED_SATISFICING
    assert "the problem is one of " in said
    with PlanValidator(problem_kind=problem.kind) as validator:
        assert validator.validate(problem, result.plan)


def test_a_time_limit_is_kept(solve, files):
    result, _ = solve(read(files("hanoi", 12)), timeout=0.0, executor="sequential")
    assert (result.status, result.plan) == (Status.TIMEOUT, None)


def test_an_unknown_domain_is_unsupported(solve, files, tmp_path):
    domain, problem = files("blocks", 3)
    domain.write_text(domain.read_text().replace("(clear ?y) (holding ?x)", "(holding ?x)", 1))
    result, said = solve(read((domain, problem)))
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "lacks the" in result.log_messages[0].message
    assert result.log_messages[0].message in said


def test_a_goal_that_contradicts_itself_is_unsolvable(solve, files):
    problem = read(files("blocks", 3))
    on = problem.fluent("on")
    one, other, *_ = problem.all_objects
    problem.add_goal(on(one, other))
    problem.add_goal(on(other, one))
    result, _ = solve(problem)
    assert result.status is Status.UNSOLVABLE_PROVEN


def test_a_wrong_model_is_named(solve, files):
    result, said = solve(read(files("blocks", 3)), model="nobody")
    assert result.status is Status.INTERNAL_ERROR
    assert "nobody" in said
