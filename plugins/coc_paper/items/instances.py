"""Success by size and number of training instances, for the three domains with many problems of a size."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from coc_core.text import format_sizes
from coc_paper.item import Budget, Item, Results, Tasks, TrainingParameters, parameter, trained_runs
from coc_paper.published import instances
from coc_paper.report import Cell, Plot, Section, Series, Table, Value
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

_TITLE = "Success by size and number of training instances: coc's own training"
DOMAINS = ("blocksworld", "blocksworld-extended", "pancake")
PROBLEMS = 50
"""Of each size, that a model runs."""

_ROTARY = {"positions": "rotary", "token_shift": 2, "curriculum": 0.6, "lr": 0.006, "warmup": 50}
_PLACES = {**_ROTARY, "name_permutation": 0.5}
_SMALL = {"d_model": 64, "layers": 2, "heads": 2, "batch_size": 64, "final_pairs": 500, "steps": 500}
_QUICK = {"preset": "exact", "hyperparameters": {**_PLACES, **_SMALL, "precision": "float32"}}
_MOVES = {**_PLACES, "d_model": 128, "prioritised_replay": 0.25, "final_pairs": 3_000, "steps": 700}
_REVERSALS = {
    "layers": 4,
    "attention": "other-lists",
    "tokens": "brackets",
    "min_score_scale": 1,
    "score_noise": 0.5,
    "lr": 0.002,
    "precision": "auto",
    "steps": 4_000,
}
_FULL = {
    "blocksworld": {"preset": "exact", "hyperparameters": _MOVES},
    "blocksworld-extended": {"preset": "exact", "hyperparameters": _MOVES},
    "pancake": {"preset": "exact-lists", "hyperparameters": _REVERSALS},
}


@frozen(kw_only=True)
class Instances(TrainingParameters):
    """The parameters of trainings on some problems of each size."""

    sizes: tuple[int, ...] = parameter("blocks and pancakes", (*range(5, 41),), (*range(5, 9),))
    counts: tuple[int, ...] = parameter("training problems of a size", (5, 10, 30, 50, 100, 200, 300, 400, 500), (50,))
    problems: int = parameter("new problems of a size that each model runs", PROBLEMS)
    seed: int = parameter("seed of the trainings", 0, least=0)


def _training(budget: Budget, domain: str) -> Mapping[str, Any]:
    """Return the preset and the other hyperparameters of a training."""
    return _QUICK if budget is Budget.quick else _FULL[domain]


def runs(chosen: Instances, domain: str, count: int, changes: Mapping[str, Any] = {}) -> Task:
    """Return the task that trains on so many problems of each size, with some other hyperparameters, and runs new
    ones.
    """
    sizes, own = format_sizes(chosen.sizes), _training(chosen.budget, domain)
    training = chosen.training(own["preset"], own["hyperparameters"])
    return trained_runs(
        {"domain": domain, "memory": "tape", "arith": "inline"},
        {
            "sizes": sizes,
            "instances": count,
            "holdout": 0.0,
            "holdout_by": "pairs",
            "seed": chosen.seed,
            "preset": training["preset"],
            "hyperparameters": {**training["hyperparameters"], **changes},
        },
        {"sizes": sizes, "instances": chosen.problems},
        ", ".join([f"{count} problems of a size of {domain}, seed {chosen.seed}", *changes]),
    )


def _counts(chosen: Instances) -> list[int]:
    return sorted(chosen.counts, reverse=True)


def _tasks(chosen: Instances) -> Tasks:
    return {f"{domain} {count}": runs(chosen, domain, count) for domain in DOMAINS for count in _counts(chosen)}


def _report(chosen: Instances, results: Results) -> Section:
    published, tables, plots = instances(), [], []
    for domain in DOMAINS:
        counts = [count for count in _counts(chosen) if f"{domain} {count}" in results]
        if not counts:
            continue
        ours = {
            (row["n"], count): 100 * row["rate"]
            for count in counts
            for row in results[f"{domain} {count}"].result["rows"]
        }
        rows: list[list[Value]] = [
            [n, *(Cell(round(ours[n, count], 1), published.get((domain, n, count))) for count in counts)]
            for n in chosen.sizes
        ]
        tables.append(Table(domain, ["n", *(f"{count}" for count in counts)], rows))
        fewest = counts[-1]
        curves = [
            Series(f"coc, {fewest} problems", [[n, ours[n, fewest]] for n in chosen.sizes]),
            Series(
                f"paper, {fewest} problems",
                [[n, published[domain, n, fewest]] for n in chosen.sizes if (domain, n, fewest) in published],
            ),
        ]
        plots.append(Plot(domain, "problem size n", "solved, percent", [each for each in curves if each.points]))
    return Section(
        name="instances",
        title=_TITLE,
        question="How many problems of each size does a model have to see to solve new ones?",
        setting=f"Tape, inline arithmetic, sizes {in_words(chosen.sizes)}, seed {chosen.seed}. Then"
        f" {chosen.problems} new problems of each size."
        f" {settings_of({domain: runs(chosen, domain, chosen.counts[0]) for domain in DOMAINS})} The paper's network"
        " is a plain decoder, and it permutes no names: see `ablations` for what that is worth, and `protocol` for the"
        " paper's own networks, of 25 million parameters.",
        tables=[*tables, *_below(tables)],
        plots=plots,
        meaning=_meaning(
            chosen.problems,
            [value for table in tables for row in table.rows for value in row if isinstance(value, Cell)],
        ),
    )


def _below(tables: Sequence[Table]) -> list[Table]:
    """Return a table of the cells that are below the paper's, if any is."""
    cells = [
        [table.title, row[0], int(table.columns[place]), cell]
        for table in tables
        for row in table.rows
        for place, cell in enumerate(row)
        if isinstance(cell, Cell) and cell.state == "below"
    ]
    columns = ["domain", "n", "training problems", "solved, percent"]
    return [Table("Below the paper's", columns, cells)] if cells else []


def _meaning(problems: int, cells: Sequence[Cell]) -> str:
    """Return how many cells are above, equal to and below the paper's, and how many problems that is."""
    above, equal, below = ([cell for cell in cells if cell.state == state] for state in ("above", "equal", "below"))
    compared = len(above) + len(equal) + len(below)
    text = f"Of {compared} cells, {len(above)} are above the paper's, {len(equal)} equal and {len(below)} below"
    if below and problems == PROBLEMS:
        missed = [_solved(problems, cell.paper) - _solved(problems, cell.ours) for cell in below]
        text += f", by {' to '.join(map(str, sorted({min(missed), max(missed)})))} of {problems} problems"
    failed = sum(problems - _solved(problems, cell.ours) for cell in cells)
    return f"{text}. Not solved: {failed:,} of the {problems * len(cells):,} problems in the tables."


def _solved(problems: int, percent: float | None) -> int:
    return round(problems * (percent or 0.0) / 100)


ITEM = Item("instances", _TITLE, _tasks, _report, Instances)
