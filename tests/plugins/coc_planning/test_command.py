"""`coc run --pddl` and `--pddl-out`, and plans in PDDL: other programs accept what is written."""

import json
import re

import pytest

import coc_core as coc_api
from coc_planning.models import MODELS
from tests.support.for_each import for_each
from tests.support.late_import import Late, needs

judged = Late("tests.support.judged_plans")
DOMAINS = tuple(sorted({model.domain for model in MODELS}))


@pytest.mark.slow
@needs("unified_planning")
@needs("pyval")
@pytest.mark.parametrize("name", DOMAINS)
def test_what_is_written_is_accepted_elsewhere_and_read_again(coc, tmp_path, name):
    out = tmp_path / "out"
    done = coc("run", "-d", name, "-n", 4, "--seed", 3, "--model", "reference", "--pddl-out", out, "--json")
    assert done.code == 0, done.err
    assert {path.name for path in out.iterdir()} == {"domain.pddl", "problem.pddl", "plan.pddl"}
    assert judged.by_both(out / "domain.pddl", out / "problem.pddl", out / "plan.pddl")
    checked = coc("validate", out / "plan.pddl", "-d", name, "-n", 4, "--seed", 3, "--json")
    assert checked.code == 0, checked.err
    assert json.loads(checked.out)["plan_format"] == "pddl"
    read = "--pddl", out / "domain.pddl", out / "problem.pddl"
    again = coc("run", *read, "--model", "reference", "--plan", tmp_path / "p")
    assert again.code == 0, again.err
    assert judged.by_both(out / "domain.pddl", out / "problem.pddl", tmp_path / "p")


def test_the_plan_has_the_names_of_the_file(coc, files, tmp_path):
    domain, problem = files("hanoi", 3)
    for path in (domain, problem):
        text = path.read_text()
        for old, new in (("d1", "tiny"), ("peg3", "goal-peg"), ("move ", "shift "), ("smaller", "lt"), ("d2", "mid")):
            text = re.sub(rf"(?<![\\w-]){old.strip()}(?![\\w-])", new.strip(), text)
        path.write_text(text)
    done = coc("run", "--pddl", domain, problem, "--model", "reference", "--plan", tmp_path / "plan")
    assert done.code == 0, done.err
    assert (tmp_path / "plan").read_text().splitlines()[0] == "(shift tiny mid goal-peg)"
    solution = coc_api.solve_pddl(domain, problem, model="reference")
    assert solution.solved
    assert list(solution.actions) == (tmp_path / "plan").read_text().splitlines()
    solution.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "plan").read_bytes()
    assert repr(solution) == "<PddlSolution: hanoi, solved, 7 actions>"
    written = "--plan", tmp_path / "t", "--plan-format", "text"
    as_text = coc("run", "--pddl", domain, problem, "--model", "reference", *written)
    assert as_text.code == 0
    assert (tmp_path / "t").read_text().startswith("Move disk 1 from ")


def test_a_contradictory_goal_is_unsolvable_before_any_step(coc, files):
    domain, problem = files("blocks", 3)
    text = problem.read_text()
    names = re.search(r":objects (\S+) (\S+)", text).groups()
    problem.write_text(re.sub(r"\(:goal .*\)", "(:goal (and (on {0} {1}) (on {1} {0})))".format(*names), text))
    done = coc("run", "--pddl", domain, problem, "--model", "reference", "--json")
    assert done.code == 1, done.err
    assert json.loads(done.out)["outcome"] == "unsolvable"
    assert coc_api.solve_pddl(domain, problem, model="reference").status == "unsolvable"


def test_bad_input_is_one_line(refused, tmp_path):
    out = tmp_path / "out"
    files = ("--pddl", tmp_path / "d.pddl", tmp_path / "p.pddl")
    assert "leave out --n, --problem and --resume" in refused(2, "run", *files, "-n", 3)
    assert "leave out --n, --problem and --resume" in refused(2, "run", *files, "--resume", out)
    (tmp_path / "p.pddl").write_text("mine")
    line = refused(2, "run", *files, "--plan", tmp_path / "p.pddl")
    assert "--plan and --pddl name the same file" in line
    assert (tmp_path / "p.pddl").read_text() == "mine"
    assert "--pddl-out writes a problem" in refused(2, "run", *files, "--pddl-out", out)
    out.mkdir()
    (out / "mine").write_text("")
    assert "is not a planning problem" in refused(2, "run", "-d", "hanoi", "--pddl-out", out)
    assert [path.name for path in out.iterdir()] == ["mine"]


@for_each("name", DOMAINS)
@for_each("line", ("(fly a b)\n", "fly\n"))
def test_a_wrong_action_is_refused(refused, tmp_path, name, line):
    plan = tmp_path / "plan"
    plan.write_text(line)
    assert refused(3, "validate", plan, "-d", name, "-n", 4, "--plan-format", "pddl")
