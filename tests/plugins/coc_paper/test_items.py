"""The items: their tasks can be written as JSON, and each reports what it has, even where something is missing."""

import json
from importlib import import_module

import pytest

import coc_core as coc
from coc_paper.item import Budget
from coc_paper.items import ablations
from coc_paper.report import Cell
from coc_paper.settings import sample
from coc_paper.tasks import with_needs
from coc_paper.work import Done
from coc_paper.work.reference import growth, pairs
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS, parameters

_NEVER_A_SAMPLE = ("traces", "hyperparameters")


@for_each("budget", Budget)
@for_each("name", ITEMS)
def test_the_tasks_are_plain_data(name, budget):
    tasks = ITEMS[name].tasks(parameters(name, budget))
    assert tasks
    for each in with_needs(tasks.values()).values():
        assert each.description == json.loads(json.dumps(each.description))
        assert each.doing


@for_each("budget", Budget)
@for_each("name", ITEMS)
def test_a_report_without_results_can_be_made(name, budget):
    section = ITEMS[name].report(parameters(name, budget), {})
    assert section.name == name
    assert bool(sample(ITEMS[name], budget)) == (budget is Budget.quick and name not in _NEVER_A_SAMPLE)
    json.dumps(section.to_json())


TRAINED = {
    "parameters": 7,
    "steps": 9,
    "seconds": 30.0,
    "train_exact": 5,
    "train_pairs": 5,
    "heldout_exact": 3,
    "heldout_pairs": 4,
}


def answers(task, tmp_path):
    """The result of a task, for models that solve everything but n = 6, and have one pair of four wrong."""
    arguments, (_, function) = task.arguments, task.function.split(":")
    if function in ("train", "evaluate", "errors", "costs", "rate"):
        low, _, high = str(arguments.get("sizes", "1")).partition("-")
        sizes = range(int(low), int(high or low) + 1)
        rows = [{"n": n, "rate": float(n != 6), "successes": int(n != 6), "instances": 1} for n in sizes]
        failures = [{"n": 6, "step": 17, "kind": "action", "problem": "p"}]
        return {
            "evaluate": {"rows": rows, "failures": failures, "trained": TRAINED},
            "errors": [{"n": n, "pairs": 4, "wrong": 1, "predicted": 0.25} for n in sizes],
            "costs": [{"step": 1, "characters": 9, "seconds": 0.5}],
            "rate": {"seconds": 0.864, "steps": 16, "threads": 2},
        }[function]
    if function == "isolated":
        return [{"percent": 50, "seed": 0, "alone": 1, "sizes": [1]}]
    module, _, name = task.function.partition(":")
    return getattr(import_module(module), name)(tmp_path, {}, **arguments)


@pytest.mark.slow
@pytest.mark.parametrize("budget", Budget)
@pytest.mark.parametrize("name", ITEMS)
def test_results_are_put_beside_the_papers(name, budget, tmp_path):
    tasks = {
        each: task
        for each, task in ITEMS[name].tasks(parameters(name, budget)).items()
        if not task.function.endswith(":train")
    }
    if name == "growth" and budget is Budget.full:
        tasks.pop("hanoi")  # takes seconds
    results = {each: Done(answers(task, tmp_path), tmp_path) for each, task in tasks.items()}
    section = ITEMS[name].report(parameters(name, budget), results)
    cells = [value for table in section.tables for row in table.rows for value in row if isinstance(value, Cell)]
    if name in ("traces", "growth", "hyperparameters"):
        assert section.passed
    assert bool(cells) == (name in ("pairs", "stack", "holdout", "instances", "eight"))
    if name == "pairs":
        assert section.tables[0].rows[5][-1] == Cell(0.0, 100.0)
    if name == "protocol":
        (rows,) = (table.rows for table in section.tables if table.title.startswith("Not run"))
        assert ["hanoi, the other trainings, at most", 98, 50_000, 16, 2, 0.864, "", 1176.0] in rows
        trainings = 154 if budget is Budget.quick else 150
        assert f"Not run: {trainings} trainings, " in section.meaning
        sizes = "Solved: 7 of 8 with the paper's training; 7 of 8 with coc's training; 14 of 15 with hanoi, loss all"
        assert section.meaning.startswith(sizes) == (budget is Budget.full)
    if name == "holdout":
        sizes = 8 if budget is Budget.quick else 15
        models = 2 if budget is Budget.quick else 50
        told = (
            f"Of {sizes * models - 1} sizes whose runs need no pair that nothing else tells, {(sizes - 1) * models - 1}"
        )
        assert told in section.meaning
        assert section.tables[1].rows[0][2:] == [6, 17, "no"]
    if name == "instances":
        *tables, again = section.tables
        below = sum(table.count("below") for table in tables)
        assert again.count("below") == below > 0
        cells = cells[:-below]
        fewer = "50" if budget is Budget.quick else "39 to 50"
        unsolved = 50 * sum(cell.ours == 0 for cell in cells)
        assert f"{below} below, by {fewer} of 50 problems." in section.meaning
        assert f"Not solved: {unsolved:,} of the {50 * len(cells):,} problems in the tables." in section.meaning
    json.dumps(section.to_json())
    for each, result in results.items():
        part = ITEMS[name].report(parameters(name, budget), {each: result})
        assert part.passed or not section.passed  # a part that is good passes, though the others are missing
        assert part.meaning == " ".join(part.meaning.split())


def test_a_trace_that_differs_is_noticed(tmp_path):
    item = ITEMS["traces"]
    results = {
        name: Done("Step 1\n\nPrompt\nx\n", tmp_path) for name in item.tasks(parameters(item.name, Budget.quick))
    }
    section = item.report(parameters(item.name, Budget.quick), results)
    assert not section.passed
    assert section.tables[0].rows[0][-1] == "differs at word 4"


def test_shares_are_shown_whatever_seeds_were_run(tmp_path):
    failure = {"n": 2, "step": 3, "kind": "action", "problem": "p"}
    run = Done({"rows": [{"n": 1, "successes": 1}, {"n": 2, "successes": 0}], "failures": [failure]}, tmp_path)
    section = ITEMS["holdout"].report(parameters("holdout", Budget.full), {"5 1": run})
    assert section.tables[0].rows == [["5%", 1, Cell(50.0, 92.0), 0.0]]
    assert section.tables[1].rows == [["5%", 1, 2, 3, "no"]]
    assert section.tables[2].columns == ["disks"]


def test_name_permutation_is_counted_by_seed(tmp_path):
    run = Done(
        {"rows": [{"n": 5, "successes": 3, "instances": 50}, {"n": 6, "successes": 1, "instances": 50}]}, tmp_path
    )
    parts = ("names pancake 0.5 0", "names pancake 0.5 2", "names pancake 0 2")
    section = ITEMS["ablations"].report(parameters("ablations", Budget.full), dict.fromkeys(parts, run))
    table = section.tables[1]
    assert table.columns[2:] == ["seed 0", "seed 1", "seed 2", "problems"]
    assert table.rows == [["pancake", 0.5, 4, None, 4, 100], ["pancake", 0.0, None, None, 4, 100]]
    assert section.meaning.endswith(
        "With `name_permutation=0.5` and few problems, 8 of 200 new ones are solved."
        " With `name_permutation=0` and few problems, 4 of 100 new ones are solved."
    )
    assert {*parts} <= ITEMS["ablations"].tasks(parameters("ablations", Budget.full)).keys()


def test_a_prompt_above_its_bound_is_noticed(tmp_path):
    result = {"steps": 2, "prompts": [[1, 10], [2, 30]], "contexts": [[1, 10], [2, 30]], "longest": 30}
    section = ITEMS["growth"].report(parameters("growth", Budget.quick), {"pancake": Done(result, tmp_path)})
    assert not section.passed


def test_the_context_is_the_first_prompt_and_the_targets_so_far(tmp_path):
    found = growth(tmp_path, {}, "hanoi", 2, "tape", "inline", "reference")
    run = coc.run("hanoi", 2, memory="tape", arith="inline", model="reference")
    steps = list(run.trace)
    assert [value for _, value in found["prompts"]] == [len(step.prompt) for step in steps]
    context = [len(steps[0].prompt) + sum(len(step.target) for step in steps[:k]) for k in range(len(steps))]
    assert [value for _, value in found["contexts"]] == context


def test_each_pair_is_counted_where_it_first_comes(tmp_path):
    rows = pairs(tmp_path, {}, "hanoi", "pda", "symbolic", "reference", [1, 2, 3])
    distinct = set()
    for row in rows:
        run = coc.run("hanoi", row["n"], model="reference")
        new = {step.prompt for step in run.trace} - distinct
        assert (row["added"], row["actions"]) == (len(new), len(run.plan))
        distinct |= new


def test_a_hyperparameter_that_differs_is_noticed(tmp_path):
    item = ITEMS["hyperparameters"]
    results = {
        name: Done(answers(task, tmp_path), tmp_path)
        for name, task in item.tasks(parameters(item.name, Budget.full)).items()
    }
    assert item.report(parameters(item.name, Budget.full), results).meaning == "Every value is the paper's."
    results["hanoi"].result["parameters"] = 10_900_000
    section = item.report(parameters(item.name, Budget.full), results)
    assert not section.passed
    assert section.meaning == "These differ: parameters of hanoi."


def test_an_ablation_that_hurts_is_named(tmp_path):
    item = ITEMS["ablations"]
    results = {
        name: Done(answers(task, tmp_path), tmp_path)
        for name, task in item.tasks(parameters(item.name, Budget.quick)).items()
    }
    assert (
        item.report(parameters(item.name, Budget.quick), results).meaning
        == "No replacement makes more held-out pairs wrong."
    )
    for name, left in ((ablations._ALL, "the training"), ("AdamW, not Muon", "the replacements")):
        part = item.report(parameters(item.name, Budget.quick), {name: results[name]})
        assert part.meaning == f"There is nothing yet to compare {left} with."
    results["AdamW, not Muon"].result["trained"] = {**TRAINED, "heldout_exact": 0}
    assert (
        item.report(parameters(item.name, Budget.quick), results).meaning
        == "More held-out pairs are wrong with: AdamW, not Muon."
    )


@for_each(
    ("sizes", "shares"),
    [((6, 7), "0% up to 6 blocks and 100% beyond"), ((7,), "100% beyond"), ((5,), "100% up to 6 blocks")],
)
def test_bounded_windows_are_told_of_the_sizes_that_were_run(tmp_path, sizes, shares):
    rows = [{"n": n, "rate": float(n != 6), "successes": int(n != 6), "instances": 1} for n in sizes]
    section = ITEMS["windows"].report(parameters("windows", Budget.full), {"pda runs": Done({"rows": rows}, tmp_path)})
    assert section.meaning == f"Solved: `pda` {shares}."


def test_what_was_trained_by_the_papers_protocol_is_beside_its_cells(tmp_path):
    solved = {"rows": [{"n": n, "rate": n / 2, "successes": n, "instances": 2} for n in (1, 2)], "trained": TRAINED}
    results = {
        "hanoi rate": Done({"seconds": 3.6, "steps": 16, "threads": 1}, tmp_path, machine="a card"),
        "hanoi, loss all": Done(solved, tmp_path),
        **{f"hanoi coc's {seed}": Done(solved, tmp_path) for seed in range(5)},
        "blocksworld, loss target": Done(solved, tmp_path),
    }
    assert results.keys() < ITEMS["protocol"].tasks(parameters("protocol", Budget.full)).keys()
    section = ITEMS["protocol"].report(parameters("protocol", Budget.full), results)
    beside, not_run, trained = section.tables
    assert [row[1:] for row in beside.rows] == [[92.0, 75.0, 75.0, "not run"], [100.0, "not run", "not run", 75.0]]
    assert [row[0] for row in trained.rows] == ["hanoi, loss all", "blocksworld, loss target"]
    assert trained.rows[0][1:] == ["paper", "all", 7, 9, 0.5, "5 of 5", "3 of 4", "3 of 4"]
    assert [(row[0], row[-1]) for row in not_run.rows] == [
        ("hanoi, loss target", 50.0),
        ("hanoi, the other trainings, at most", 98 * 50.0),
    ]
    del results["hanoi coc's 4"]  # a mean of other seeds is none of the paper's
    four = ITEMS["protocol"].report(parameters("protocol", Budget.full), results).tables[0]
    assert four.rows[0][1:3] == [92.0, "not run"]
    assert section.meaning.startswith(
        "Solved: 3 of 4 with hanoi, loss all; 3 of 4 with blocksworld, loss target. Not run:"
    )
