"""Tower of Hanoi on a stack with 15% of the pairs held out."""

from coc_core.text import counted
from coc_paper.item import Budget, Item, Results, Tasks, trained_runs
from coc_paper.report import Cell, Section, Table
from coc_paper.settings import settings_of

_TITLE = "Tower of Hanoi on a stack, 15% of the pairs held out"
_SETTING = {"domain": "hanoi", "memory": "pda", "arith": "symbolic"}
_SEEDS = {Budget.quick: 1, Budget.full: 5}
_STEPS = {Budget.quick: 600, Budget.full: 4_000}


def _tasks(budget: Budget) -> Tasks:
    return {
        str(seed): trained_runs(
            _SETTING,
            {
                "sizes": "1-20",
                "holdout": 0.15,
                "holdout_by": "pairs",
                "seed": seed,
                "preset": "exact-numbers",
                "hyperparameters": {"digit_positions": 16, "steps": _STEPS[budget]},
            },
            {"sizes": "1-20"},
            f"the stack, seed {seed}",
            _STEPS[budget] / 340,
        )
        for seed in range(_SEEDS[budget])
    }


def _report(budget: Budget, results: Results) -> Section:
    rows = []
    for seed, done in results.items():
        found = done.result
        solved = sum(row["successes"] for row in found["rows"])
        failures = ", ".join(f"n={each['n']} at step {each['step']:,}" for each in found["failures"])
        rows.append([int(seed), solved, Cell(100 * solved / 20, 100.0), failures])
    every = bool(rows) and all(row[1] == 20 for row in rows)
    return Section(
        name="stack",
        title=_TITLE,
        question="Does a model that has not seen 15% of the pairs solve every size that the others come from?",
        setting=f"Stack, 1 to 20 disks, {counted(_SEEDS[budget], 'seed')}; then every size is run."
        f" {settings_of({'': _tasks(budget)['0']})}",
        sample=f"One seed of five, and {_STEPS[budget]} steps instead of {_STEPS[Budget.full]:,}."
        if budget is Budget.quick
        else "",
        tables=[Table("", ["seed", "sizes solved of 20", "percent", "failures"], rows)],
        meaning="All 20 sizes are solved with every seed." if every else "Not all sizes are solved.",
    )


ITEM = Item("stack", _TITLE, _tasks, _report)
