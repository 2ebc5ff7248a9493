"""How many training pairs a further disk needs."""

from coc_paper.item import Budget, Item, Results, Tasks, trained_runs
from coc_paper.report import Cell, Plot, Section, Series, Table
from coc_paper.settings import settings_of
from coc_paper.tasks import Task

_TITLE = "Training pairs that a further disk needs"
_SETTING = {"domain": "hanoi", "memory": "tape", "arith": "symbolic"}
_MOST = {Budget.quick: 10, Budget.full: 20}
_STEPS = {Budget.quick: 250, Budget.full: 2_000}


def _tasks(budget: Budget) -> Tasks:
    most = _MOST[budget]
    runs = trained_runs(
        _SETTING,
        {
            "sizes": f"1-{most}",
            "holdout": 0.0,
            "holdout_by": "pairs",
            "seed": 0,
            "preset": "exact-numbers",
            "hyperparameters": {"digit_positions": 16, "steps": _STEPS[budget]},
        },
        {"sizes": f"1-{most}"},
        f"symbolic steps of 1 to {most} disks",
        _STEPS[budget] / 300,
    )
    counts = Task("coc_paper.work.reference:pairs", {**_SETTING, "sizes": list(range(1, 21))}, doing="counting pairs")
    return {"counts": counts, "runs": runs}


def _report(budget: Budget, results: Results) -> Section:
    rows, plots, total, further = [], [], 0, ""
    solved = {row["n"]: 100.0 * row["rate"] for row in results["runs"].result["rows"]} if "runs" in results else {}
    if "counts" in results:
        counts = results["counts"].result
        for row in counts:
            total += row["added"]
            ours = solved.get(row["n"])
            rows.append([row["n"], row["actions"], row["added"], total, None if ours is None else Cell(ours, 100.0)])
        before, last = counts[-2:]
        added = last["actions"] - before["actions"]
        further = f"Disk number {last['n']} adds {last['added']} pairs and {added:,} moves."
        curves = [
            Series("pairs added", [[row["n"], row["added"]] for row in counts]),
            Series("moves of the plan", [[row["n"], row["actions"]] for row in counts]),
        ]
        plots.append(Plot("", "disks", "pairs or moves", curves, log_y=True))
    every = all(rate == 100 for rate in solved.values())
    learned = f"The model {'solves every size' if every else 'does not solve every size'}." if solved else ""
    return Section(
        name="pairs",
        title=_TITLE,
        question="The plan grows exponentially with the disks. How fast does the training set grow?",
        setting="Tape with symbolic arithmetic: the distinct pairs that each size adds to those of all smaller sizes."
        f" Then a model is trained on all pairs of 1 to {_MOST[budget]} disks, seed 0, and runs every size."
        f" {settings_of({'': _tasks(budget)['runs']})}",
        sample=f"The model is trained on up to {_MOST[budget]} disks instead of 20, for {_STEPS[budget]} steps."
        if budget is Budget.quick
        else "",
        tables=[Table("", ["disks", "moves", "pairs added", "pairs in all", "solved, percent"], rows)],
        plots=plots,
        meaning=" ".join(filter(None, (further, learned))),
    )


ITEM = Item("pairs", _TITLE, _tasks, _report)
