"""Plans of the user's problems: kept in a folder, and not made twice."""

import json
from itertools import count
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import UsageError

PROBLEMS = [
    f"start=[{start}] & goal=[P1, P2, P3]" for start in ("P1, P2, P3", "P3, P2, P1", "P2, P1, P3", "P3, P1, P2")
]

_numbers = count()  # a module of a plugin is imported once

FLAWED = """
from coc_core.memories import Reference
from coc_core.plugin import ModelSpec, hookimpl


class Flawed(Reference):
    def _complete(self, prompts, drafts):
        targets = super()._complete(prompts, drafts)
        return ["nonsense" if "state=[P3" in prompt and "goal=" in prompt else target for prompt, target in zip(prompts, targets)]


@hookimpl
def coc_models():
    return [ModelSpec("flawed", "wrong at times", factory=f"{__name__}:Flawed")]
"""


@pytest.fixture
def flawed(tmp_path):
    path = tmp_path / f"wrong_at_times_{next(_numbers)}.py"
    path.write_text(FLAWED)
    return path


def rows(report):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in report.rows]


def test_each_plan_solves_its_problem(tmp_path):
    report = coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path / "plans", model="reference")
    assert (report.total.successes, report.total.instances) == (4, 4)
    for number, problem in enumerate(PROBLEMS, 1):
        assert coc.validate("pancake", tmp_path / "plans" / f"problem-{number}.plan", problem=problem).solved


@pytest.mark.parametrize("name", ["text", "physical", "json"])
def test_plans_have_the_format_that_was_asked_for(tmp_path, name):
    coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path / "p", plan_format=name, model="reference")
    plan = tmp_path / "p" / "problem-2.plan"
    assert coc.validate("pancake", plan, problem=PROBLEMS[1], plan_format=name).solved


def test_what_has_ended_is_not_run_again(tmp_path, flawed):
    folder = tmp_path / "plans"
    first = coc.evaluate("pancake", problems=PROBLEMS[:3], plans=folder, model="flawed", plugins=flawed, optimal=True)
    second = coc.evaluate("pancake", problems=PROBLEMS, plans=folder, model="flawed", plugins=flawed, optimal=True)
    at_once = coc.evaluate("pancake", problems=PROBLEMS, model="flawed", plugins=flawed, optimal=True)
    assert [failure.source for failure in first.failures] == ["problem:2"]
    assert [failure.source for failure in second.failures] == ["problem:2", "problem:4"]
    assert second.failures == at_once.failures
    assert rows(second) == rows(at_once)
    assert json.loads(second.to_json())["restored"] == 3
    third = coc.evaluate("pancake", problems=PROBLEMS, plans=folder, model="flawed", plugins=flawed, optimal=True)
    assert json.loads(third.to_json())["restored"] == 4
    assert third.failures == at_once.failures
    assert third.rows == second.rows
    assert sorted(path.name for path in folder.iterdir()) == ["problem-1.plan", "problem-3.plan", "results.jsonl"]


def test_the_failures_stand_in_the_order_of_the_problems(tmp_path, flawed):
    choices = {"plans": tmp_path / "plans", "model": "flawed", "plugins": flawed}
    coc.evaluate("pancake", problems=PROBLEMS, **choices)
    lines = (tmp_path / "plans" / "results.jsonl").read_text().splitlines(keepends=True)
    without_the_second = [line for line in lines if '"problem:2"' not in line]
    (tmp_path / "plans" / "results.jsonl").write_text("".join(without_the_second))
    again = coc.evaluate("pancake", problems=PROBLEMS, **choices)
    assert [failure.source for failure in again.failures] == ["problem:2", "problem:4"]


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        pytest.param(
            {"model": "pancake"},
            "were made with model 'reference', not 'transformer [0-9a-f]{64}'",
            marks=pytest.mark.slow,
        ),
        ({"memory": "tape"}, "with memory 'pda', not 'tape'"),
        ({"arith": "inline"}, "with arith 'symbolic', not 'inline'"),
        ({"max_steps": 9}, "with max-steps '100000000', not '9'"),
        ({"plan_format": "json"}, "with plan-format 'text', not 'json'"),
        ({"optimal": True}, "with optimal 'false', not 'true'"),
        ({"arith": "learned", "arith_model": "reference"}, "with arith 'symbolic', not 'learned'"),
    ],
)
def test_plans_of_another_setting_are_refused(tmp_path, choices, reason):
    coc.evaluate("pancake", problems=PROBLEMS[:1], plans=tmp_path, model="reference")
    with pytest.raises(UsageError, match=reason):
        coc.evaluate("pancake", problems=PROBLEMS, **{"plans": tmp_path, "model": "reference", **choices})


def test_an_unknown_format_is_refused_before_anything_is_run(tmp_path):
    for name, reason in (("pdf", "unknown plan format"), ("reasoning-gym", "has no plans of pancake")):
        with pytest.raises(UsageError, match=reason):
            coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path / "p", plan_format=name, model="reference")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_workers_make_the_same_plans(tmp_path, flawed):
    contents = []
    for jobs in (None, 2):
        folder = tmp_path / str(jobs)
        report = coc.evaluate("pancake", problems=PROBLEMS, plans=folder, model="flawed", plugins=flawed, jobs=jobs)
        plans = {path.name: path.read_bytes() for path in Path(folder).glob("*.plan")}
        contents.append((plans, report.failures, rows(report)))
    assert contents[0] == contents[1]
    assert len(contents[0][0]) == 2
