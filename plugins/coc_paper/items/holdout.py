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

_TITLE = "Tower of Hanoi with a part of the pairs held out: coc's own training"
_SETTING = {"domain": "hanoi", "memory": "tape", "arith": "inline"}
_OTHER = {Budget.quick: {"steps": 700, "batch_size": 64, "digit_positions": 16}, Budget.full: {}}
_ISOLATED = "isolated"
_NEEDS = "needs a pair that nothing else tells"


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
    """Return the task that trains with a percentage of the pairs held out, and with some other hyperparameters, and
    runs.
    """
    sizes, budget = format_sizes(chosen.sizes), chosen.budget
    training: dict[str, Any] = {
        "sizes": sizes,
        "holdout": level / 100,
        "holdout_by": "pairs",
        "seed": seed,
    } | chosen.training("exact-numbers", _OTHER[budget])
    training["hyperparameters"] |= changes
    doing = ", ".join([f"the tape with {level}% held out, seed {seed}", *changes])
    return trained_runs(_SETTING, training, {"sizes": sizes}, doing)


def _drawn(chosen: _Holdout) -> list[tuple[int, int]]:
    return [(level, seed) for level in chosen.levels for seed in chosen.seeds]


def _tasks(chosen: _Holdout) -> Tasks:
    arguments = {"sizes": list(chosen.sizes), "held_out": [list(each) for each in _drawn(chosen)]}
    isolated = Task("coc_paper.work.reference:isolated", arguments, doing="looking for pairs that nothing else tells")
    return {_ISOLATED: isolated} | {_name(level, seed): runs(chosen, level, seed) for level, seed in _drawn(chosen)}


Found = Mapping[tuple[int, int], Any]
"""What the runs of the models came to, by percentage held out and seed."""


def _first_steps(chosen: _Holdout, found: Found) -> Table:
    """Return where the runs of the first seed failed, beside the paper's."""
    published, seed = holdout(), chosen.seeds[0]
    levels = [level for level in chosen.levels if (level, seed) in found]
    failing = {level: {each["n"]: each["step"] for each in found[level, seed]["failures"]} for level in levels}
    rows: list[list[Value]] = []
    for n in chosen.sizes:
        row: list[Value] = [n]
        for level in levels:
            solved, step = published.get((level, n), (False, None))
            beside = FirstFailure(failing[level].get(n), None if solved else step or 0)
            row.append(beside if (level, n) in published else str(failing[level].get(n, "✓")))
        rows.append(row)
    title = f"Seed {seed} beside the paper's run: ✓ for solved, or the first step that is wrong"
    return Table(title, ["disks", *(f"{level}%" for level in levels)], rows)


def _report(chosen: _Holdout, results: Results) -> Section:
    named = {each: _name(*each) for each in _drawn(chosen)}
    found = {each: results[name].result for each, name in named.items() if name in results}
    isolated = results[_ISOLATED].result if _ISOLATED in results else []
    needing = {(each["percent"], each["seed"]): each["sizes"] for each in isolated}
    papers, training = chosen.sizes == _Holdout().sizes, runs(chosen, chosen.levels[0], chosen.seeds[0])
    rates, means, failed = list[list[Value]](), list[tuple[int, float, float]](), list[list[Value]]()
    for level in dict.fromkeys(level for level, _ in found):
        runs_of_level = [found[level, seed]["rows"] for seed in chosen.seeds if (level, seed) in found]
        each = [100 * sum(row["successes"] for row in rows) / len(rows) for rows in runs_of_level]
        paper = HOLDOUT_MEANS.get(level) if papers else None
        means.append((level, mean(each), pstdev(each)))
        rates.append([f"{level}%", len(each), Cell(round(mean(each), 1), paper), round(pstdev(each), 1)])
    for (level, seed), run in found.items():
        for each in run["failures"]:
            needs = "yes" if each["n"] in needing.get((level, seed), []) else "no"
            failed.append([f"{level}%", seed, each["n"], each["step"], needs])
    apart = [row for key, run in found.items() for row in run["rows"] if row["n"] not in needing.get(key, [])]
    first = _first_steps(chosen, found)
    bars = [[max(0.0, middle - spread), min(100.0, middle + spread)] for _, middle, spread in means]
    curve = Series("coc", [[level, middle] for level, middle, _ in means], bars)
    paper_curve = Series("paper", [[level, rate] for level, rate in HOLDOUT_MEANS.items()])
    curves = [curve, *([paper_curve] if papers else [])] if means else []
    solved = sum(row["successes"] for row in apart)
    return Section(
        name="holdout",
        title=_TITLE,
        question="How many sizes does a model solve that has not seen a part of the steps?",
        setting=f"Tape, inline arithmetic, {in_words(chosen.sizes)} disks; the seed draws the pairs that are held out"
        f" and the weights. {counted(len(chosen.seeds), 'seed')} for each share."
        f" {settings_of({'': training})} It has {hyperparameters_of(training)['parameters'] / 1e6:.1f} million"
        " parameters where the paper's has 10.8 million. For the paper's own network and training see `protocol`."
        " A held-out pair counts as isolated if no training pair equals it up to renaming: other pegs, other numbers of"
        " disks above 1, and other addresses but 0 and -1, for all of which policy and tape have the same rules.",
        tables=[
            Table("Sizes solved, percent", ["held out", "seeds", "mean", "standard deviation"], rates),
            Table("Sizes that fail", ["held out", "seed", "disks", "first wrong step", _NEEDS], failed),
            first,
        ],
        plots=[Plot("", "held out, percent", "sizes solved, percent", curves)] if curves else [],
        meaning=f"Sizes solved: {'; '.join(f'with {level}% held out {middle:.1f}%' for level, middle, _ in means)}."
        + (
            f" Of {len(apart)} sizes whose runs need no pair that nothing else tells, {solved} are solved."
            * bool(isolated)
        )
        + f" Of {len(first.rows) * (len(first.columns) - 1)} runs of seed {chosen.seeds[0]}, {first.count('above')} are"
        f" solved where the paper's failed, and {first.count('below')} failed where the paper's was solved."
        if means
        else "No model has been run, so there is nothing to show yet.",
    )


ITEM = Item("holdout", _TITLE, _tasks, _report, _Holdout)
