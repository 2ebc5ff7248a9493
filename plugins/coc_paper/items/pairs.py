"""How many training pairs a further disk needs."""

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.report import Cell, Plot, Section, Series, Table
from coc_paper.settings import in_words, settings_of
from coc_paper.tasks import Task

_STEPS = {Budget.quick: 250, Budget.full: 2_000}
_TRAINED = "disks that the model is trained on, and runs"


@frozen(kw_only=True)
class Pairs(TrainingItem):
    """Training pairs that a further disk needs."""

    sizes: tuple[int, ...] = parameter(_TRAINED, (*range(1, 21),), (*range(1, 11),))
    counted: tuple[int, ...] = parameter("disks whose pairs are counted", (*range(1, 21),))
    seed: int = parameter("seed of the training", 0, least=0)

    def tasks(self) -> Tasks:
        counting = {"domain": "hanoi", "memory": "tape", "arith": "symbolic", "model": "reference"}
        counts = Task("coc_paper.work.reference:pairs", {**counting, "sizes": list(self.counted)})
        sizes, own = format_sizes(self.sizes), {"digit_positions": 16, "steps": _STEPS[self.budget]}
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
