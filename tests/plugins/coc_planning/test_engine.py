"""coc among the engines of unified-planning, whose problems are read as files are."""

import io
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec

import pytest

from coc_core.extras import install_command
from coc_core.plugin import Registry
from coc_planning.lifting import lift
from coc_planning.pddl.reading import read_task
from coc_planning.translate import translate
from tests.support.late_import import Late, needs

up, engines, pddl = (Late(f"unified_planning.{name}") for name in ("shortcuts", "engines", "io"))
engine = Late("coc_planning.engine")
pytestmark = [pytest.mark.slow, needs("unified_planning")]


@pytest.fixture
def solve():
    up.get_environment().credits_stream = None

    def of(problem, timeout=None, **params):
        stream = io.StringIO()
        with up.OneshotPlanner(name=engine.NAME, params={"model": "reference", **params}) as planner:
            result = planner.solve(problem, timeout=timeout, output_stream=stream)
        return result, stream.getvalue()

    return of


def read(paths):
    return pddl.PDDLReader().parse_problem(*map(str, paths))


@pytest.mark.parametrize("memory", ["pda", "tape"])
@pytest.mark.parametrize("name", ["blocks", "hanoi", "hanoi-4", "blocksworld"])
def test_plans_are_valid(solve, files, name, memory):
    problem = read(files(name, 5))
    result, said = solve(problem, memory=memory)
    assert result.status is engines.PlanGenerationResultStatus.SOLVED_SATISFICING
    assert "the problem is one of " in said
    with up.PlanValidator(problem_kind=problem.kind) as validator:
        assert validator.validate(problem, result.plan)


def test_a_time_limit_is_kept(solve, files):
    result, _ = solve(read(files("hanoi", 12)), timeout=0.0, executor="sequential")
    assert (result.status, result.plan) == (engines.PlanGenerationResultStatus.TIMEOUT, None)


def test_a_goal_that_contradicts_itself_is_unsolvable(solve, files):
    problem = read(files("blocks", 3))
    on = problem.fluent("on")
    one, other, *_ = problem.all_objects
    problem.add_goal(on(one, other))
    problem.add_goal(on(other, one))
    result, _ = solve(problem)
    assert result.status is engines.PlanGenerationResultStatus.UNSOLVABLE_PROVEN


def test_an_up_ini_makes_it_known_without_an_import(files, tmp_path):
    """unified-planning reads the file in the folder of the program that imports it, or in one above."""
    domain, problem = files("blocks", 3)
    (tmp_path / "up.ini").write_text("[engine coc]\nmodule_name: coc_planning.engine\nclass_name: CocPlanner\n")
    (tmp_path / "program.py").write_text(
        "from unified_planning.io import PDDLReader\n"
        "from unified_planning.shortcuts import OneshotPlanner\n"
        f"problem = PDDLReader().parse_problem({str(domain)!r}, {str(problem)!r})\n"
        "with OneshotPlanner(name='coc', params={'model': 'reference'}) as planner:\n"
        "    print(planner.solve(problem).status.name)\n"
    )
    done = subprocess.run([sys.executable, tmp_path / "program.py"], capture_output=True, text=True, cwd=tmp_path)
    assert "SOLVED_SATISFICING" in done.stdout, done.stderr


def test_without_unified_planning_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "unified_planning", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape(install_command("planning"))):
        runpy.run_path(find_spec("coc_planning.engine").origin)


@pytest.mark.parametrize("name", ["blocks", "hanoi-4", "blocksworld"])
def test_a_problem_is_the_same_from_a_file_and_from_unified_planning(files, name):
    domain, problem = files(name, 4)
    registry = Registry.installed()
    one = translate(registry, *lift(read_task(domain, problem)))
    other = translate(registry, *lift(engine.task_of(pddl.PDDLReader().parse_problem(str(domain), str(problem)))[0]))
    assert (one.domain, one.problem, one.names) == (other.domain, other.problem, other.names)
