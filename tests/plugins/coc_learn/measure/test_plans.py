"""A folder of plans: what it keeps, what it makes again, and what it refuses."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import coc_core as coc
from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_learn.measure.ended import Ended, Failure, Result, Score
from coc_learn.measure.plans import RESULTS, open_plans
from tests.support.for_each import for_each

HEADING = {"domain": "hanoi", "model": "reference"}
PROBLEMS = [
    f"start=[{start}] & goal=[P1, P2, P3]" for start in ("P1, P2, P3", "P3, P2, P1", "P2, P1, P3", "P3, P1, P2")
]


def rows(report):
    return [{name: value for name, value in row.items() if name != "seconds"} for row in report.rows]


# ── plans of evaluations ─────────────────────────────────────────────────────────────────────────────────────────────


@for_each("name", ["text", "json"])
def test_each_plan_solves_its_problem_in_the_format_that_was_asked_for(tmp_path, name):
    report = coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path / "p", plan_format=name, model="reference")
    assert (report.total.successes, report.total.instances) == (4, 4)
    for number, problem in enumerate(PROBLEMS, 1):
        plan = tmp_path / "p" / f"problem-{number}.plan"
        assert coc.validate("pancake", plan, problem=problem, plan_format=name).solved


def test_what_has_ended_is_not_run_again(tmp_path, flawed):
    folder = tmp_path / "plans"
    choices = {"model": "flawed", "plugins": flawed("state=[P3"), "optimal": True}
    first = coc.evaluate("pancake", problems=PROBLEMS[:3], plans=folder, **choices)
    second, third = (coc.evaluate("pancake", problems=PROBLEMS, plans=folder, **choices) for _ in range(2))
    at_once = coc.evaluate("pancake", problems=PROBLEMS, **choices)
    assert [failure.source for failure in first.failures] == ["problem:2"]
    assert [failure.source for failure in second.failures] == ["problem:2", "problem:4"]
    assert second.failures == third.failures == at_once.failures
    assert rows(second) == rows(at_once)
    assert third.rows == second.rows
    assert [json.loads(each.to_json())["restored"] for each in (second, third)] == [3, 4]
    assert sorted(path.name for path in folder.iterdir()) == ["problem-1.plan", "problem-3.plan", "results.jsonl"]
    lines = (folder / RESULTS).read_text().splitlines(keepends=True)
    (folder / RESULTS).write_text("".join(line for line in lines if '"problem:2"' not in line))
    again = coc.evaluate("pancake", problems=PROBLEMS, plans=folder, **choices)
    assert again.failures == at_once.failures  # in the order of the problems


@for_each(
    ("choices", "reason"),
    [
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


@pytest.mark.slow
def test_plans_of_another_model_are_refused(tmp_path):
    coc.evaluate("pancake", problems=PROBLEMS[:1], plans=tmp_path, model="reference")
    with pytest.raises(UsageError, match=r"were made with model 'reference', not 'transformer [0-9a-f]{64}'"):
        coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path, model="pancake")


def test_an_unknown_format_is_refused_before_anything_is_run(tmp_path):
    for name, reason in (("pdf", "unknown plan format"), ("reasoning-gym", "has no plans of pancake")):
        with pytest.raises(UsageError, match=reason):
            coc.evaluate("pancake", problems=PROBLEMS, plans=tmp_path / "p", plan_format=name, model="reference")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_workers_make_the_same_plans(tmp_path, flawed):
    contents, plugin = [], flawed("state=[P3")
    for jobs in (None, 2):
        folder = tmp_path / str(jobs)
        report = coc.evaluate("pancake", problems=PROBLEMS, plans=folder, model="flawed", plugins=plugin, jobs=jobs)
        plans = {path.name: path.read_bytes() for path in Path(folder).glob("*.plan")}
        contents.append((plans, report.failures, rows(report)))
    assert contents[0] == contents[1]
    assert len(contents[0][0]) == 2


# ── the folder ───────────────────────────────────────────────────────────────────────────────────────────────────────


def ended(source, plan="a plan\n", n=1):
    if plan is None:
        return Ended(source, "p", Score(n, 1, 0), Failure(n, None, "p", "unsolved", 1, None, "no", source))
    return Ended(source, "p", Score(n, 1, 1), None, gzip.compress(plan.encode()))


@pytest.fixture
def folder(tmp_path):
    """A folder with two plans and a failure."""
    path = tmp_path / "made" / "plans"
    with open_plans(path, HEADING) as plans:
        for each in (ended("a.txt:1"), ended("a.txt:2", None), ended("b.json", "another\n")):
            plans.add(each)
    return path


def kept(folder):
    with open_plans(folder, HEADING) as plans:
        return [source for source in ("a.txt:1", "a.txt:2", "b.json") if plans.result(source, "p")]


def refused(folder, error, reason, heading=HEADING):
    with pytest.raises(error, match=reason), open_plans(folder, heading):
        pass


def test_it_has_a_file_for_each_plan_and_a_line_for_each_run(folder):
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt-1.plan", "b.json.plan", RESULTS]
    assert (folder / "b.json.plan").read_text() == "another\n"
    assert (folder / RESULTS).read_text().count("\n") == 4
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]
    with open_plans(folder, HEADING) as plans:
        assert plans.result("a.txt:2", "p").line == ended("a.txt:2", None).line
        assert plans.result("a.txt:1", "another problem") is None
        assert plans.result("a.txt:3", "p") is None


def test_a_plan_that_is_missing_is_made_again(folder):
    (folder / "a.txt-1.plan").unlink()
    assert kept(folder) == ["a.txt:2", "b.json"]
    with open_plans(folder, HEADING) as plans:
        refused(folder, StorageError, "another process is writing the folder of plans")
        plans.add(ended("a.txt:1"))
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]


def test_what_a_killed_process_has_left_is_dropped(folder):
    (folder / ".new").write_text("half a pl")
    text = (folder / RESULTS).read_bytes()
    for size in range(text.index(b"\n") + 1, len(text), 7):
        (folder / RESULTS).write_bytes(text[:size])
        assert len(kept(folder)) == text[:size].count(b"\n") - 1
        assert (folder / RESULTS).read_bytes() == text[: text.rindex(b"\n", 0, size) + 1]
    (folder / RESULTS).write_bytes(text[:9])
    assert kept(folder) == []
    assert (folder / RESULTS).read_bytes() == text[: text.index(b"\n") + 1]
    assert not (folder / ".new").exists()


@for_each(
    ("heading", "error", "reason"),
    [
        (
            {**HEADING, "model": "other"},
            UsageError,
            "were made with model 'reference', not 'other'; choose another fol",
        ),
        ({**HEADING, "memory": "pda"}, UsageError, "were made with memory 'None', not 'pda'"),
        ({"domain": "hanoi"}, UsageError, "were made with model 'reference', not 'None'"),
        (None, ArtefactError, r"results.jsonl, line 2(: | lacks| has)"),
    ],
)
def test_another_heading_and_damage_are_refused(folder, heading, error, reason):
    if heading is None:
        (folder / RESULTS).write_text((folder / RESULTS).read_text().replace('"source"', '"sauce"', 1))
    refused(folder, error, reason, heading or HEADING)


@for_each(("name", "is_not"), [("", "not a folder of plans"), ("mine", "not a folder;"), ("link", "not a folder;")])
def test_other_folders_and_files_are_left_alone(tmp_path, name, is_not):
    (tmp_path / "mine").write_text("not a plan")
    (tmp_path / "link").symlink_to(tmp_path)
    refused(tmp_path / name, UsageError, f"already exists and is {is_not}")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_disk_that_refuses_is_named(folder, monkeypatch):
    with open_plans(folder, HEADING) as plans:
        monkeypatch.setattr(type(folder), "replace", lambda *_: (folder / "none" / "at all").stat())
        with pytest.raises(StorageError, match="can't write the folder of plans"):
            plans.add(ended("c.txt:1"))
    monkeypatch.undo()
    assert kept(folder) == ["a.txt:1", "a.txt:2", "b.json"]


# ── its lines ────────────────────────────────────────────────────────────────────────────────────────────────────────


counts = st.integers(0, 2**53)


@given(counts, counts, st.floats(0, 1e9), st.text(), st.booleans())
def test_a_line_is_read_as_it_was_written(n, steps, seconds, text, is_solved):
    score = Score(n, 1, int(is_solved), steps, steps, steps, seconds, 1.5, 1)
    result = Result(text, text, score, None if is_solved else Failure(n, None, text, "unsolved", steps, None, text))
    assert result.line.count(b"\n") == 1
    assert Ended(text, text, score, result.failure, b"a plan").line == result.line
    assert Result.parse(result.line, "here") == result


@for_each(
    ("plan", "path", "value"),
    [
        ("solved", "extra", 1),
        ("solved", "score n", -1),
        ("solved", "score instances", 2),
        ("solved", "score successes", 0),
        (None, "failure", None),
        (None, "failure status", "tired"),
        (None, "failure seed", 1),
        (None, "score successes", 1),
    ],
)
def test_any_other_line_is_refused(plan, path, value):
    found = json.loads(ended("mine.txt:1", plan).line)
    *outer, name = path.split(" ")
    (found[outer[0]] if outer else found)[name] = value
    refusal = r"^results.jsonl, line 2(: | lacks | has | is not a result as coc writes it)"
    with pytest.raises(ArtefactError, match=refusal):
        Result.parse(json.dumps(found).encode(), "results.jsonl, line 2")
