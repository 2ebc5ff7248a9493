"""The items: their tasks can be written as JSON, and each reports what it has, even where something is missing."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from attrs import asdict

from coc_paper import published
from coc_paper.item import Budget
from coc_paper.report import Cell
from coc_paper.selection import sample
from coc_paper.tasks import Done
from tests.support.for_each import for_each
from tests.support.paper_items import ITEMS

QUICK, FULL = Budget
TRAINED = {"parameters": 7, "steps": 9, "seconds": 30.0}
TRAINED |= {"train_exact": 5, "train_pairs": 5, "heldout_exact": 3, "heldout_pairs": 4}
FAILURE = {"step": 17, "kind": "action", "problem": "p"}


def done(result, machine=""):
    return Done(result, Path(), machine=machine)


def rows(sizes, solved=lambda n: n != 6, of=1):
    return [{"n": n, "rate": solved(n) / of, "successes": int(solved(n)), "instances": of} for n in sizes]


@for_each("budget", Budget)
@for_each("name", ITEMS)
def test_the_tasks_are_plain_data_and_a_report_without_results_can_be_made(name, budget):
    item = ITEMS[name](budget=budget)
    for each in item.every().values():
        assert each.call == json.loads(json.dumps(each.call))
    assert bool(sample(item)) == (budget is QUICK and name not in ("traces", "hyperparameters"))
    json.dumps(asdict(item.report({})))


def answer(task):
    """The result of a task, for models that solve everything but n = 6, and have one pair of four wrong."""
    arguments, (module, function) = task.arguments, task.function.split(":")
    low, _, high = str(arguments.get("sizes", "1")).partition("-")
    match function:
        case "evaluate":
            found = rows(range(int(low), int(high or low) + 1))
            return {"rows": found, "failures": [{"n": 6, **FAILURE}], "trained": TRAINED}
        case "errors":
            return [{"n": n, "pairs": 4, "wrong": 1, "predicted": 0.25} for n in range(int(low), int(high) + 1)]
        case "costs":
            return [{"step": 1, "characters": 9, "seconds": 0.5}]
        case "rate":
            return {"seconds": 0.864, "steps": 16, "threads": 2}
        case "isolated":
            return [{"percent": 50, "seed": 0, "alone": 1, "sizes": [1]}]
    return getattr(import_module(module), function)(None, {}, **arguments)


@pytest.mark.slow
@pytest.mark.parametrize("budget", Budget)
@pytest.mark.parametrize("name", ITEMS)
def test_results_are_put_beside_the_papers(name, budget):
    item, quick = ITEMS[name](budget=budget), budget is QUICK
    slow = () if quick or name != "growth" else ("hanoi",)
    results = {part: done(answer(task)) for part, task in item.tasks().items() if part not in slow}
    section = item.report(results)
    cells = [value for table in section.tables for row in table.rows for value in row if isinstance(value, Cell)]
    assert bool(cells) == (name in ("pairs", "stack", "holdout", "instances", "eight"))
    match name:
        case "traces" | "growth" | "hyperparameters":
            assert section.passed
        case "pairs":
            assert section.tables[0].rows[5][-1] == Cell(0.0, 100.0)
        case "protocol":
            (timed,) = (table.rows for table in section.tables if table.title.startswith("Not run"))
            assert ["hanoi, the other trainings, at most", 98, 50_000, 16, 2, 0.864, "", 1176.0] in timed
            assert f"Not run: {154 if quick else 150} trainings, " in section.meaning
            solved = "Solved: 7 of 8 with the paper's training; 7 of 8 with coc's training; 14 of 15 with hanoi, loss"
            assert section.meaning.startswith(solved) == (not quick)
        case "holdout":
            sizes, models = (8, 2) if quick else (15, 50)
            apart = f"Of {sizes * models - 1} sizes whose runs need no pair that nothing else tells,"
            assert f"{apart} {(sizes - 1) * models - 1} are solved." in section.meaning
            assert section.tables[1].rows[0][2:] == [6, 17, "no"]
        case "instances":
            lower = section.tables[-1].rows
            assert {row[-1].state for row in lower} == {"below"}
            assert f"{len(lower)} below, by {50 if quick else '39 to 50'} of 50 problems." in section.meaning
            cells = cells[: -len(lower)]
            failed = (
                f"{50 * sum(cell.ours == 0 for cell in cells):,} of the {50 * len(cells):,} problems in the tables."
            )
            assert f"Not solved: {failed}" in section.meaning
    for each, result in results.items():
        part = item.report({each: result})
        assert part.passed or not section.passed  # a part that is good passes, though the others are missing
        assert part.meaning == " ".join(part.meaning.split())


def test_every_cell_of_the_papers_tables_is_there():
    assert len(published.instances()) == 3 * 35 * 9
    assert published.instances()["blocksworld-extended", 40, 5] == 2
    found = published.holdout()
    assert [found[level, 15] for level in (5, 15, 50)] == [None, 0, 1827]
    rates = [round(100 * sum(found[level, n] is None for n in range(1, 16)) / 15, 1) for level in range(5, 55, 5)]
    assert rates == [100.0, 80.0, 86.7, 86.7, 80.0, 66.7, 86.7, 73.3, 40.0, 33.3]  # at the foot of the table


def test_what_differs_from_the_paper_is_noticed():
    section = ITEMS["traces"]().report({"hanoi-3-pda": done("Step 1\n\nPrompt\nx\n")})
    assert (section.passed, section.tables[0].rows[0][-1]) == (False, "differs at word 4")
    long = {"steps": 2, "prompts": [[1, 10], [2, 30]], "contexts": [[1, 10], [2, 30]], "longest": 30}
    assert not ITEMS["growth"]().report({"pancake": done(long)}).passed
    item = ITEMS["hyperparameters"]()
    results = {name: done(answer(task)) for name, task in item.tasks().items()}
    results["hanoi"].result["parameters"] = 10_900_000
    section = item.report(results)
    assert (section.passed, section.meaning) == (False, "These differ: parameters of hanoi.")


def test_shares_are_shown_whatever_seeds_were_run():
    run = {"rows": rows((1, 2), lambda n: n == 1), "failures": [{"n": 2, **FAILURE}]}
    shares, failing, first = ITEMS["holdout"]().report({"5 1": done(run)}).tables
    assert shares.rows == [["5%", 1, Cell(50.0, 92.0), 0.0]]
    assert failing.rows == [["5%", 1, 2, 17, "no"]]
    assert first.columns == ["disks"]


def test_ablations_that_hurt_are_named_and_name_permutation_is_counted_by_seed():
    item = ITEMS["ablations"](budget=QUICK)
    results = {name: done({"rows": rows((1, 2)), "trained": TRAINED}) for name in item.tasks()}
    assert item.report(results).meaning == "No replacement makes more held-out pairs wrong."
    for name, left in (("nothing", "the training"), ("AdamW, not Muon", "the replacements")):
        part = item.report({name: results[name]})
        assert part.meaning == f"There is nothing yet to compare {left} with."
    results["AdamW, not Muon"].result["trained"] = {**TRAINED, "heldout_exact": 0}
    assert item.report(results).meaning == "More held-out pairs are wrong with: AdamW, not Muon."
    run, item = done({"rows": rows((5, 6), lambda n: 13 - 2 * n, of=50)}), ITEMS["ablations"]()
    parts = ("names pancake 0.5 0", "names pancake 0.5 2", "names pancake 0 2")
    assert {*parts} <= item.tasks().keys()
    section = item.report(dict.fromkeys(parts, run))
    assert section.tables[1].rows == [["pancake", 0.5, 4, None, 4, 100], ["pancake", 0.0, None, None, 4, 100]]
    assert section.meaning.endswith(
        "With `name_permutation=0.5` and few problems, 8 of 200 new ones are solved."
        " With `name_permutation=0` and few problems, 4 of 100 new ones are solved."
    )


@for_each(
    ("sizes", "shares"),
    [((6, 7), "0% up to 6 blocks and 100% beyond"), ((7,), "100% beyond"), ((5,), "100% up to 6 blocks")],
)
def test_bounded_windows_are_told_of_the_sizes_that_were_run(sizes, shares):
    section = ITEMS["windows"]().report({"pda runs": done({"rows": rows(sizes)})})
    assert section.meaning == f"Solved: `pda` {shares}."


def test_what_was_trained_by_the_papers_protocol_is_beside_its_cells():
    solved, item = done({"rows": rows((1, 2), lambda n: n, of=2), "trained": TRAINED}), ITEMS["protocol"]()
    names = ["hanoi, loss all", "blocksworld, loss target", *(f"hanoi coc's {seed}" for seed in range(5))]
    results = {
        "hanoi rate": done({"seconds": 3.6, "steps": 16, "threads": 1}, "a card"),
        **dict.fromkeys(names, solved),
    }
    assert results.keys() < item.tasks().keys()
    section = item.report(results)
    beside, not_run, trained = (table.rows for table in section.tables)
    assert [row[1:] for row in beside] == [[92.0, 75.0, 75.0, "not run"], [100.0, "not run", "not run", 75.0]]
    assert trained[0] == ["hanoi, loss all", "paper", "all", 7, 9, 0.5, "5 of 5", "3 of 4", "3 of 4"]
    hours = [("hanoi, loss target", 50.0), ("hanoi, the other trainings, at most", 98 * 50.0)]
    assert [(row[0], row[-1]) for row in not_run] == hours
    words = "Solved: 3 of 4 with hanoi, loss all; 3 of 4 with blocksworld, loss target. Not run:"
    assert section.meaning.startswith(words)
    del results["hanoi coc's 4"]  # a mean of other seeds is none of the paper's
    assert item.report(results).tables[0].rows[0][1:3] == [92.0, "not run"]
