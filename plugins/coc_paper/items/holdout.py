"""Tower of Hanoi on a tape with a part of the pairs held out: the figure and the table of failing steps."""

from collections.abc import Mapping
from statistics import mean, pstdev
from typing import Any

from coc_paper.item import Budget, Item, Results, Tasks, trained_runs
from coc_paper.published import HOLDOUT_MEANS, holdout
from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table, Value
from coc_paper.settings import settings_of
from coc_paper.tasks import Task

_TITLE = "Tower of Hanoi with a part of the pairs held out"
_SETTING = {"domain": "hanoi", "memory": "tape", "arith": "inline"}
_LEVELS = {Budget.quick: (10, 50), Budget.full: tuple(range(5, 55, 5))}  # percent
_SEEDS = {Budget.quick: 1, Budget.full: 5}
MOST = {Budget.quick: 8, Budget.full: 15}
_OTHER = {Budget.quick: {"steps": 700, "batch_size": 64, "digit_positions": 16}, Budget.full: {}}
_MINUTES = {Budget.quick: 3.0, Budget.full: 10.0}


def _name(level: int, seed: int) -> str:
    return f"{level} {seed}"


def runs(budget: Budget, level: int, seed: int, changes: Mapping[str, Any] = {}) -> Task:
    """The task that trains with a percentage of the pairs held out, and with some other hyperparameters, and runs."""
    sizes = f"1-{MOST[budget]}"
    training = {
        "sizes": sizes,
        "holdout": level / 100,
        "holdout_by": "pairs",
        "seed": seed,
        "preset": "exact-numbers",
        "hyperparameters": {**_OTHER[budget], **changes},
    }
    doing = ", ".join([f"the tape with {level}% held out, seed {seed}", *changes])
    return trained_runs(_SETTING, training, {"sizes": sizes}, doing, _MINUTES[budget])


def _tasks(budget: Budget) -> Tasks:
    return {
        _name(level, seed): runs(budget, level, seed) for level in _LEVELS[budget] for seed in range(_SEEDS[budget])
    }


def _report(budget: Budget, results: Results) -> Section:
    published, rates, means = holdout(), [], []
    sizes = range(1, MOST[budget] + 1)
    steps: list[list[Value]] = [[n] for n in sizes]
    levels = [level for level in _LEVELS[budget] if _name(level, 0) in results]
    for level in levels:
        seeds = [seed for seed in range(_SEEDS[budget]) if _name(level, seed) in results]
        found = [results[_name(level, seed)].result for seed in seeds]
        each = [100 * sum(row["successes"] for row in run["rows"]) / len(run["rows"]) for run in found]
        paper = HOLDOUT_MEANS.get(level) if budget is Budget.full else None
        means.append([level, mean(each), pstdev(each)])
        rates.append([f"{level}%", len(seeds), Cell(round(mean(each), 1), paper), round(pstdev(each), 1)])
        failing = {failure["n"]: failure["step"] for failure in found[0]["failures"]}
        for row, n in zip(steps, sizes, strict=True):
            solved, step = published[level, n]
            row.append(FirstFailure(failing.get(n), None if solved else step or 0))
    first = Table(
        "Seed 0 beside the paper's run: ✓ for solved, or the first step that is wrong",
        ["disks", *(f"{level}%" for level in levels)],
        steps,
    )
    bars = [[max(0.0, middle - spread), min(100.0, middle + spread)] for _, middle, spread in means]
    curve = Series("coc", [[level, middle] for level, middle, _ in means], bars)
    paper_curve = Series("paper", [[level, rate] for level, rate in HOLDOUT_MEANS.items()])
    curves = [curve, *([paper_curve] if budget is Budget.full else [])] if means else []
    return Section(
        name="holdout",
        title=_TITLE,
        question="How many sizes does a model solve that has not seen a part of the steps?",
        setting=f"Tape, inline arithmetic, 1 to {MOST[budget]} disks; the seed draws the pairs that are held out and"
        f" the weights. {_SEEDS[budget]} seed{'s' if _SEEDS[budget] > 1 else ''} for each share."
        f" {settings_of({'': runs(budget, _LEVELS[budget][0], 0)})} It has 0.1 million parameters where the paper's has"
        " 10.8 million. For the paper's own network and training see `networks`.",
        sample="1 to 8 disks instead of 15, two shares and one seed of ten and five, fewer steps of smaller batches."
        " The paper's models were trained on 1 to 15 disks, and its means are over all of these."
        if budget is Budget.quick
        else "",
        tables=[
            Table("Sizes solved, percent", ["held out", "seeds", "mean", "standard deviation"], rates),
            first,
        ],
        plots=[Plot("", "held out, percent", "sizes solved, percent", curves)] if curves else [],
        meaning=f"Sizes solved: {'; '.join(f'with {level}% held out {middle:.1f}%' for level, middle, _ in means)}."
        f" Of {len(steps) * len(levels)} runs of seed 0, {first.count('above')} are solved where the paper's failed,"
        f" and {first.count('below')} failed where the paper's was solved."
        if levels
        else "No model of seed 0 has been run, so there is nothing to show yet.",
    )


ITEM = Item("holdout", _TITLE, _tasks, _report)
