"""Tower of Hanoi with coc's own training: on all pairs, and with a part of them held out, on a stack and on a tape."""

from collections.abc import Mapping
from itertools import product
from statistics import mean, pstdev
from typing import Any

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.items import TRAININGS
from coc_paper.published import HOLDOUT_MEANS, holdout
from coc_paper.report import Cell, FirstFailure, Plot, Section, Series, Table, Value
from coc_paper.settings import hyperparameters_of, in_words, settings_of
from coc_paper.tasks import Task

_FAILED = ["held out", "seed", "disks", "first wrong step", "needs a pair that nothing else tells"]
_PAPER = Series("paper", [[level, rate] for level, rate in HOLDOUT_MEANS.items()])


@frozen(kw_only=True)
class Pairs(TrainingItem):
    """Training pairs that a further disk needs."""

    sizes: tuple[int, ...] = parameter(
        "disks that the model is trained on, and runs", (*range(1, 21),), (*range(1, 11),)
    )
    counted: tuple[int, ...] = parameter("disks whose pairs are counted", (*range(1, 21),))
    seed: int = parameter("seed of the training", 0, least=0)

    def tasks(self) -> Tasks:
        counting = {"domain": "hanoi", "memory": "tape", "arith": "symbolic", "model": "reference"}
        counts = Task("coc_paper.work.reference:pairs", {**counting, "sizes": list(self.counted)})
        sizes, own = format_sizes(self.sizes), {"digit_positions": 16, "steps": 2_000 if self.full else 250}
        training = self.training("hanoi tape symbolic", "exact-numbers", own, sizes=sizes, holdout=0.0, seed=self.seed)
        return {"counts": counts, "runs": trained_runs(training)}

    def report(self, results: Results) -> Section:
        rows, plots, total, meaning = [], [], 0, []
        runs = results["runs"].result["rows"] if "runs" in results else []
        solved = {row["n"]: Cell(100.0 * row["rate"], 100.0) for row in runs}
        if "counts" in results:
            added, moves = list[list[int]](), [[0, 0]]
            for row in results["counts"].result:
                added.append([row["n"], row["added"]])
                moves.append([row["n"], row["actions"]])
                total += row["added"]
                rows.append([row["n"], row["actions"], row["added"], total, solved.get(row["n"])])
            further = f"{counted(added[-1][1], 'pair')} and {counted(moves[-1][1] - moves[-2][1], 'move')}"
            meaning.append(f"Disk number {added[-1][0]} adds {further}.")
            curves = [Series("pairs added", added), Series("moves of the plan", moves[1:])]
            plots.append(Plot("", "disks", "pairs or moves", curves, log_y=True))
        if solved:
            every = all(cell.state == "equal" for cell in solved.values())
            meaning.append(f"The model {'solves' if every else 'does not solve'} every size.")
        return Section(
            question="The plan grows exponentially with the disks. How fast does the training set grow?",
            setting="Tape with symbolic arithmetic: the distinct pairs that each size adds to those of all smaller"
            f" sizes. Then a model is trained on all pairs of {in_words(self.sizes)} disks, seed {self.seed}, and runs"
            f" every size. {settings_of({'': self.tasks()['runs']})}",
            tables=[Table("", ["disks", "moves", "pairs added", "pairs in all", "solved, percent"], rows)],
            plots=plots,
            meaning=" ".join(meaning),
        )


@frozen(kw_only=True)
class Stack(TrainingItem):
    """Tower of Hanoi on a stack, 15% of the pairs held out: coc's own training."""

    sizes: tuple[int, ...] = parameter("disks", (*range(1, 21),))
    holdout: int = parameter("percent of the pairs that are held out", 15, least=0, most=99)
    seeds: tuple[int, ...] = parameter("seeds of the trainings", (*range(5),), (0,), least=0)

    def tasks(self) -> Tasks:
        sizes, own = format_sizes(self.sizes), {"digit_positions": 16, "steps": 4_000 if self.full else 600}
        training = self.training("hanoi pda symbolic", "exact-numbers", own, sizes=sizes, holdout=self.holdout / 100)
        return {str(seed): trained_runs({**training, "seed": seed}) for seed in self.seeds}

    def report(self, results: Results) -> Section:
        rows, most, papers = list[list[Value]](), len(self.sizes), Stack()
        paper = 100.0 if (self.sizes, self.holdout) == (papers.sizes, papers.holdout) else None
        for seed, done in results.items():
            right = sum(row["successes"] for row in done.result["rows"])
            failures = ", ".join(f"n={each['n']} at step {each['step']:,}" for each in done.result["failures"])
            rows.append([int(seed), right, Cell(100 * right / most, paper), failures])
        every = rows and all(row[1] == most for row in rows)
        return Section(
            title=f"Tower of Hanoi on a stack, {self.holdout}% of the pairs held out",
            question=f"Does a model that has not seen {self.holdout}% of the pairs solve every size that the others"
            " come from?",
            setting=f"Stack, {in_words(self.sizes)} disks, {counted(len(self.seeds), 'seed')}; then every size is"
            f" run. {settings_of({'': next(iter(self.tasks().values()))})}",
            tables=[Table("", ["seed", f"sizes solved of {most}", "percent", "failures"], rows)],
            meaning=f"All {most} sizes are solved with every seed." if every else "Not all sizes are solved.",
        )


@frozen(kw_only=True)
class OnTape(TrainingItem):
    """An item with trainings that have a part of the pairs held out."""

    sizes: tuple[int, ...] = parameter("disks", (*range(1, 16),), (*range(1, 9),))

    def runs(self, level: int, seed: int, changes: Mapping[str, Any] = {}) -> Task:
        """Return the task that trains with a percentage of the pairs held out, and with changes, and runs."""
        sizes, setting, own = format_sizes(self.sizes), "hanoi tape inline", {} if self.full else TRAININGS["hanoi"]
        choices = self.training(setting, "exact-numbers", own, changes, sizes=sizes, holdout=level / 100, seed=seed)
        return trained_runs(choices)


@frozen(kw_only=True)
class Holdout(OnTape):
    """Tower of Hanoi with a part of the pairs held out: coc's own training."""

    levels: tuple[int, ...] = parameter("percentages held out", (*range(5, 55, 5),), (10, 50), least=0, most=99)
    seeds: tuple[int, ...] = parameter("seeds of the trainings", (*range(5),), (0,), least=0)

    def tasks(self) -> Tasks:
        drawn = list(product(self.levels, self.seeds))
        arguments = {"sizes": list(self.sizes), "held_out": [list(each) for each in drawn]}
        isolated = Task("coc_paper.work.reference:isolated", arguments)
        return {"isolated": isolated, **{f"{level} {seed}": self.runs(level, seed) for level, seed in drawn}}

    def report(self, results: Results) -> Section:
        named = {f"{level} {seed}": (level, seed) for level, seed in product(self.levels, self.seeds)}
        found = {each: results[name].result for name, each in named.items() if name in results}
        isolated = results["isolated"].result if "isolated" in results else []
        needing = {(each["percent"], each["seed"]): each["sizes"] for each in isolated}
        papers, training = self.sizes == Holdout().sizes, self.runs(self.levels[0], self.seeds[0])
        rates, points, bars = list[list[Value]](), list[list[float]](), list[list[float]]()
        for level in dict.fromkeys(level for level, _ in found):
            runs = [run["rows"] for (other, _), run in found.items() if other == level]
            each = [100 * sum(row["successes"] for row in rows) / len(rows) for rows in runs]
            middle, spread = mean(each), pstdev(each)
            paper = HOLDOUT_MEANS.get(level) if papers else None
            rates.append([f"{level}%", len(each), Cell(round(middle, 1), paper), round(spread, 1)])
            points.append([level, middle])
            bars.append([max(0.0, middle - spread), min(100.0, middle + spread)])
        failed, apart, solved = list[list[Value]](), 0, 0
        for (level, seed), run in found.items():
            needed = needing.get((level, seed), [])
            for each in run["failures"]:
                failed.append([f"{level}%", seed, each["n"], each["step"], "yes" if each["n"] in needed else "no"])
            others = [row["successes"] for row in run["rows"] if row["n"] not in needed]
            apart, solved = apart + len(others), solved + sum(others)
        first, curves = self._first_steps(found), [Series("coc", points, bars), *([_PAPER] if papers else [])]
        states = [cell.state for row in first.rows for cell in row if isinstance(cell, FirstFailure)]
        meaning = [f"Sizes solved: {'; '.join(f'with {level}% held out {rate:.1f}%' for level, rate in points)}."]
        if isolated:
            meaning.append(f"Of {apart} sizes whose runs need no pair that nothing else tells, {solved} are solved.")
        meaning.append(
            f"Of {len(first.rows) * (len(first.columns) - 1)} runs of seed {self.seeds[0]}, {states.count('above')} are"
            f" solved where the paper's failed, and {states.count('below')} failed where the paper's was solved."
        )
        return Section(
            question="How many sizes does a model solve that has not seen a part of the steps?",
            setting=f"Tape, inline arithmetic, {in_words(self.sizes)} disks; the seed draws the pairs that are held out"
            f" and the weights. {counted(len(self.seeds), 'seed')} for each share."
            f" {settings_of({'': training})} It has {hyperparameters_of(training)['parameters'] / 1e6:.1f} million"
            " parameters where the paper's has 10.8 million. For the paper's own network and training see `protocol`."
            " A held-out pair counts as isolated if no training pair equals it up to renaming: other pegs, other"
            " numbers of disks above 1, and other addresses but 0 and -1, for all of which policy and tape have the"
            " same rules.",
            tables=[
                Table("Sizes solved, percent", ["held out", "seeds", "mean", "standard deviation"], rates),
                Table("Sizes that fail", _FAILED, failed),
                first,
            ],
            plots=[Plot("", "held out, percent", "sizes solved, percent", curves)] if points else [],
            meaning=" ".join(meaning) if points else "No model has been run, so there is nothing to show yet.",
        )

    def _first_steps(self, found: Mapping[tuple[int, int], Any]) -> Table:
        """Return where the runs of the first seed failed, beside the paper's."""
        published, seed = holdout(), self.seeds[0]
        levels = [level for level in self.levels if (level, seed) in found]
        rows: list[list[Value]] = [[n] for n in self.sizes]
        for level in levels:
            failing = {each["n"]: each["step"] for each in found[level, seed]["failures"]}
            for n, row in zip(self.sizes, rows, strict=True):
                beside = FirstFailure(failing.get(n), published.get((level, n)))
                row.append(beside if (level, n) in published else str(failing.get(n, "✓")))
        title = f"Seed {seed} beside the paper's run: ✓ for solved, or the first step that is wrong"
        return Table(title, ["disks", *(f"{level}%" for level in levels)], rows)
