"""Success by size and number of training instances, for the three domains with many problems of a size."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from coc_core.text import format_sizes
from coc_paper.item import Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.items import TRAININGS
from coc_paper.published import instances
from coc_paper.report import Cell, Plot, Section, Series, Table, Value
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

DOMAINS = ("blocksworld", "blocksworld-extended", "pancake")
PROBLEMS = 50
"""Of each size, that a model runs."""

_OWN: dict[str, dict[str, Any]] = TRAININGS["instances"]


@frozen(kw_only=True)
class Instances(TrainingItem):
    """Success by size and number of training instances: coc's own training."""

    sizes: tuple[int, ...] = parameter("blocks and pancakes", (*range(5, 41),), (*range(5, 9),))
    counts: tuple[int, ...] = parameter("training problems of a size", (5, 10, 30, 50, 100, 200, 300, 400, 500), (50,))
    problems: int = parameter("new problems of a size that each model runs", PROBLEMS)
    seed: int = parameter("seed of the trainings", 0, least=0)

    def runs(self, domain: str, count: int, changes: Mapping[str, Any] = {}) -> Task:
        """Return the task that trains on so many problems of each size, with changes, and runs new ones."""
        preset, own = "exact", {**_OWN["places"], **_OWN["moves" if self.full else "sample"]}
        if self.full and domain == "pancake":
            preset, own = "exact-lists", _OWN["reversals"]
        drawn: Any = {"sizes": format_sizes(self.sizes), "instances": count, "seed": self.seed, "holdout": 0.0}
        training = self.training(f"{domain} tape inline", preset, own, changes, **drawn)
        return trained_runs(training, instances=self.problems)

    def tasks(self) -> Tasks:
        counts = sorted(self.counts, reverse=True)
        return {f"{domain} {count}": self.runs(domain, count) for domain in DOMAINS for count in counts}

    def report(self, results: Results) -> Section:
        published, tables, plots, cells, lower = instances(), list[Table](), [], list[Cell](), list[list[Value]]()
        for domain in DOMAINS:
            names = {count: f"{domain} {count}" for count in sorted(self.counts, reverse=True)}
            found = {count: results[name].result["rows"] for count, name in names.items() if name in results}
            if found:
                ours = {(row["n"], count): 100 * row["rate"] for count, each in found.items() for row in each}
                rows: list[list[Value]] = []
                for n in self.sizes:
                    row = {count: Cell(round(ours[n, count], 1), published.get((domain, n, count))) for count in found}
                    rows.append([n, *row.values()])
                    cells += row.values()
                    lower += [[domain, n, count, cell] for count, cell in row.items() if cell.state == "below"]
                tables.append(Table(domain, ["n", *map(str, found)], rows))
                fewest = min(found)
                papers = [[n, published[domain, n, fewest]] for n in self.sizes if (domain, n, fewest) in published]
                curves = [Series(f"coc, {fewest} problems", [[n, ours[n, fewest]] for n in self.sizes])]
                curves += [Series(f"paper, {fewest} problems", papers)] if papers else []
                plots.append(Plot(domain, "problem size n", "solved, percent", curves))
        columns = ["domain", "n", "training problems", "solved, percent"]
        return Section(
            question="How many problems of each size does a model have to see to solve new ones?",
            setting=f"Tape, inline arithmetic, sizes {in_words(self.sizes)}, seed {self.seed}. Then"
            f" {self.problems} new problems of each size."
            f" {settings_of({domain: self.runs(domain, self.counts[0]) for domain in DOMAINS})} The paper's network"
            " is a plain decoder, and it permutes no names: see `ablations` for what that is worth, and `protocol` for"
            " the paper's own networks, of 25 million parameters.",
            tables=[*tables, *([Table("Below the paper's", columns, lower)] if lower else [])],
            plots=plots,
            meaning=_meaning(self.problems, cells),
        )


def _meaning(problems: int, cells: Sequence[Cell]) -> str:
    """Return how many cells are above, equal to and below the paper's, and how many problems that is."""
    states = [cell.state for cell in cells if cell.state]
    above, equal, below = (states.count(state) for state in ("above", "equal", "below"))
    text = f"Of {len(states)} cells, {above} are above the paper's, {equal} equal and {below} below"
    solved = [(round(problems * (cell.ours or 0) / 100), cell) for cell in cells]
    if below and problems == PROBLEMS:
        missed = [round(problems * (cell.paper or 0) / 100) - ours for ours, cell in solved if cell.state == "below"]
        text += f", by {' to '.join(map(str, sorted({min(missed), max(missed)})))} of {problems} problems"
    failed = sum(problems - ours for ours, _ in solved)
    return f"{text}. Not solved: {failed:,} of the {problems * len(cells):,} problems in the tables."
