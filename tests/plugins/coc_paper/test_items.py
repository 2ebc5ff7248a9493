"""The items: their tasks can be written as JSON, and each reports what it has, even where something is missing."""

import json

import pytest

import coc_core as coc
from coc_paper.items import ITEMS, Budget
from coc_paper.report import Cell
from coc_paper.tasks import Done, with_needs
from coc_paper.work import growth, pairs, trace


@pytest.mark.parametrize("budget", Budget)
@pytest.mark.parametrize("name", ITEMS)
def test_the_tasks_are_plain_data(name, budget):
    tasks = ITEMS[name].tasks(budget)
    assert tasks
    for each in with_needs(tasks.values()).values():
        assert each.description == json.loads(json.dumps(each.description))
        assert each.doing


@pytest.mark.parametrize("budget", Budget)
@pytest.mark.parametrize("name", ITEMS)
def test_a_report_without_results_can_be_made(name, budget):
    section = ITEMS[name].report(budget, {})
    assert section.name == name
    assert bool(section.sample) == (budget is Budget.quick and name != "traces")
    json.dumps(section.to_json())


def answers(task, tmp_path):
    """The result of a task, for models that solve everything but n = 6."""
    arguments = task.arguments
    if task.function.endswith(":evaluate"):
        sizes = str(arguments["sizes"])
        low, _, high = sizes.partition("-")
        rows = [
            {"n": n, "rate": float(n != 6), "successes": int(n != 6), "instances": 1}
            for n in range(int(low), int(high or low) + 1)
        ]
        return {"rows": rows, "failures": [{"n": 6, "step": 17, "kind": "action", "problem": "p"}]}
    return {":growth": growth, ":pairs": pairs, ":trace": trace}[task.function[len("coc_paper.work") :]](
        tmp_path, {}, **arguments
    )


@pytest.mark.slow
@pytest.mark.parametrize("budget", Budget)
@pytest.mark.parametrize("name", ITEMS)
def test_results_are_put_beside_the_papers(name, budget, tmp_path):
    tasks = {each: task for each, task in ITEMS[name].tasks(budget).items() if not task.function.endswith(":train")}
    if name == "growth" and budget is Budget.full:
        tasks.pop("hanoi")  # takes seconds
    section = ITEMS[name].report(
        budget, {each: Done(answers(task, tmp_path), tmp_path) for each, task in tasks.items()}
    )
    cells = [value for table in section.tables for row in table.rows for value in row if isinstance(value, Cell)]
    if name in ("traces", "growth"):
        assert section.passed
        assert not cells
    else:
        assert cells
    if name == "pairs":
        assert section.tables[0].rows[5][-1] == Cell(0.0, 100.0)
    if name == "instances":
        below = sum(table.count("below") for table in section.tables)
        assert below > 0
        assert f"{below} below" in section.meaning
    json.dumps(section.to_json())


def test_a_trace_that_differs_is_noticed(tmp_path):
    item = ITEMS["traces"]
    results = {name: Done("Step 1\n\nPrompt\nx\n", tmp_path) for name in item.tasks(Budget.quick)}
    section = item.report(Budget.quick, results)
    assert not section.passed
    assert section.tables[0].rows[0][-1] == "differs at word 4"


def test_a_prompt_above_its_bound_is_noticed(tmp_path):
    result = {"steps": 2, "prompts": [[1, 10], [2, 30]], "contexts": [[1, 10], [2, 30]], "longest": 30}
    section = ITEMS["growth"].report(Budget.quick, {"pancake": Done(result, tmp_path)})
    assert not section.passed


def test_the_context_is_the_first_prompt_and_the_targets_so_far(tmp_path):
    found = growth(tmp_path, {}, "hanoi", 2, "tape", "inline")
    run = coc.run("hanoi", 2, memory="tape", arith="inline", model="reference")
    steps = list(run.trace)
    assert [value for _, value in found["prompts"]] == [len(step.prompt) for step in steps]
    context = [len(steps[0].prompt) + sum(len(step.target) for step in steps[:k]) for k in range(len(steps))]
    assert [value for _, value in found["contexts"]] == context


def test_each_pair_is_counted_where_it_first_comes(tmp_path):
    rows = pairs(tmp_path, {}, "hanoi", "pda", "symbolic", [1, 2, 3])
    distinct = set()
    for row in rows:
        run = coc.run("hanoi", row["n"], model="reference")
        new = {step.prompt for step in run.trace} - distinct
        assert (row["added"], row["actions"]) == (len(new), len(run.plan))
        distinct |= new
