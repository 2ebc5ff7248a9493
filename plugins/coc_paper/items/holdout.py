"""Tower of Hanoi on a tape with a part of the pairs held out: the figure and the table of failing steps."""

from collections.abc import Mapping
from statistics import mean, pstdev
from typing import Any

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.published import HOLDOUT_MEANS, holdout
from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table, Value
from coc_paper.settings import hyperparameters_of, in_words, settings_of
from coc_paper.tasks import Task

_TITLE = "Tower of Hanoi with a part of the pairs held out"
_SETTING = {"domain": "hanoi", "memory": "tape", "arith": "inline"}
_OTHER = {Budget.quick: {"steps": 700, "batch_size": 64, "digit_positions": 16}, Budget.full: {}}
_MINUTES = {Budget.quick: 3.0, Budget.full: 10.0}


@frozen(kw_only=True)
class OnTape(TrainingParameters):
    """The parameters of trainings with a part of the pairs held out."""

    sizes: tuple[int, ...] = parameter("disks", (*range(1, 16),), (*range(1, 9),))


@frozen(kw_only=True)
class _Holdout(OnTape):
    levels: tuple[int, ...] = parameter("percentages held out", (*range(5, 55, 5),), (10, 50), least=0, most=99)
    seeds: tuple[int, ...] = parameter("seeds of the trainings", (*range(5),), (0,), least=0)


def _name(level: int, seed: int) -> str:
    return f"{level} {seed}"


def runs(chosen: OnTape, level: int, seed: int, changes: Mapping[str, Any] = {}) -> Task:
    """The task that trains with a percentage of the pairs held out, and with some other hyperparameters, and runs."""
    sizes, budget = format_sizes(chosen.sizes), chosen.budget
    training: dict[str, Any] = {
        "sizes": sizes,
        "holdout": level / 100,
        "holdout_by": "pairs",
        "seed": seed,
    } | chosen.training("exact-numbers", _OTHER[budget])
    training["hyperparameters"] |= changes
    doing = ", ".join([f"the tape with {level}% held out, seed {seed}", *changes])
    return trained_runs(_SETTING, training, {"sizes": sizes}, doing, _MINUTES[budget])


def _tasks(chosen: _Holdout) -> Tasks:
    return {_name(level, seed): runs(chosen, level, seed) for level in chosen.levels for seed in chosen.seeds}


def _report(chosen: _Holdout, results: Results) -> Section:
    published, rates, means = holdout(), [], []
    sizes, first_seed = chosen.sizes, chosen.seeds[0]
    papers, training = sizes == _Holdout().sizes, runs(chosen, chosen.levels[0], first_seed)
    steps: list[list[Value]] = [[n] for n in sizes]
    levels = [level for level in chosen.levels if _name(level, first_seed) in results]
    for level in levels:
        seeds = [seed for seed in chosen.seeds if _name(level, seed) in results]
        found = [results[_name(level, seed)].result for seed in seeds]
        each = [100 * sum(row["successes"] for row in run["rows"]) / len(run["rows"]) for run in found]
        paper = HOLDOUT_MEANS.get(level) if papers else None
        means.append([level, mean(each), pstdev(each)])
        rates.append([f"{level}%", len(seeds), Cell(round(mean(each), 1), paper), round(pstdev(each), 1)])
        failing = {failure["n"]: failure["step"] for failure in found[0]["failures"]}
        for row, n in zip(steps, sizes, strict=True):
            solved, step = published.get((level, n), (False, None))
            found_first = FirstFailure(failing.get(n), None if solved else step or 0)
            row.append(found_first if (level, n) in published else str(failing.get(n, "✓")))
    first = Table(
        f"Seed {first_seed} beside the paper's run: ✓ for solved, or the first step that is wrong",
        ["disks", *(f"{level}%" for level in levels)],
        steps,
    )
    bars = [[max(0.0, middle - spread), min(100.0, middle + spread)] for _, middle, spread in means]
    curve = Series("coc", [[level, middle] for level, middle, _ in means], bars)
    paper_curve = Series("paper", [[level, rate] for level, rate in HOLDOUT_MEANS.items()])
    curves = [curve, *([paper_curve] if papers else [])] if means else []
    return Section(
        name="holdout",
        title=_TITLE,
        question="How many sizes does a model solve that has not seen a part of the steps?",
        setting=f"Tape, inline arithmetic, {in_words(sizes)} disks; the seed draws the pairs that are held out and"
        f" the weights. {counted(len(chosen.seeds), 'seed')} for each share."
        f" {settings_of({'': training})} It has {hyperparameters_of(training)['parameters'] / 1e6:.1f} million"
        " parameters where the paper's has 10.8 million. For the paper's own network and training see `networks`.",
        sample="1 to 8 disks instead of 15, two shares and one seed of ten and five, fewer steps of smaller batches."
        " The paper's models were trained on 1 to 15 disks, and its means are over all of these."
        if chosen.budget is Budget.quick
        else "",
        tables=[
            Table("Sizes solved, percent", ["held out", "seeds", "mean", "standard deviation"], rates),
            first,
        ],
        plots=[Plot("", "held out, percent", "sizes solved, percent", curves)] if curves else [],
        meaning=f"Sizes solved: {'; '.join(f'with {level}% held out {middle:.1f}%' for level, middle, _ in means)}."
        f" Of {len(steps) * len(levels)} runs of seed {first_seed}, {first.count('above')} are solved where the paper's"
        f" failed, and {first.count('below')} failed where the paper's was solved."
        if levels
        else f"No model of seed {first_seed} has been run, so there is nothing to show yet.",
    )


ITEM = Item("holdout", _TITLE, _tasks, _report, _Holdout)
