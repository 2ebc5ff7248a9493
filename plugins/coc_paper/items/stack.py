"""Tower of Hanoi on a stack with 15% of the pairs held out."""

from attrs import frozen

from coc_core.text import counted, format_sizes
from coc_paper.item import Budget, Results, Tasks, TrainingItem, parameter, trained_runs
from coc_paper.report import Cell, Section, Table, Value
from coc_paper.settings import in_words, settings_of

_STEPS = {Budget.quick: 600, Budget.full: 4_000}


@frozen(kw_only=True)
class Stack(TrainingItem):
    """Tower of Hanoi on a stack, 15% of the pairs held out: coc's own training."""

    sizes: tuple[int, ...] = parameter("disks", (*range(1, 21),))
    holdout: int = parameter("percent of the pairs that are held out", 15, least=0, most=99)
    seeds: tuple[int, ...] = parameter("seeds of the trainings", (*range(5),), (0,), least=0)

    def tasks(self) -> Tasks:
        sizes, own = format_sizes(self.sizes), {"digit_positions": 16, "steps": _STEPS[self.budget]}
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
