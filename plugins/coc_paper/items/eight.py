"""All problems of size 8, with the models that ship."""

from itertools import product

from attrs import frozen

from coc_paper.item import Item, Results, Tasks, parameter
from coc_paper.report import Cell, Section, Table
from coc_paper.tasks import Task

_SIZE = 8
_PAPER = {"blocksworld": 100.0, "pancake": 99.99}
_SETTINGS = (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"))


@frozen(kw_only=True)
class Eight(Item):
    """Every problem of size 8."""

    size: int = parameter("blocks and pancakes", _SIZE, 6)

    def tasks(self) -> Tasks:
        found = {}
        for domain, (memory, arith) in product(_PAPER, _SETTINGS):
            arguments = {"domain": domain, "memory": memory, "arith": arith, "model": domain, "sizes": self.size}
            task = Task("coc_paper.work.evaluation:evaluate", {**arguments, "exhaustive": True})
            found[f"{domain} {memory} {arith}"] = task
        return found

    def report(self, results: Results) -> Section:
        rows = []
        for name, done in results.items():
            (row,) = done.result["rows"]
            paper = _PAPER[name.split()[0]] if self.size == _SIZE else None
            rows.append([*name.split(), row["successes"], row["instances"], Cell(100 * row["rate"], paper)])
        failed = sum(row[4] - row[3] for row in rows)
        return Section(
            title=f"Every problem of size {self.size}",
            question="Is there any problem of this size that the models that ship do not solve?",
            setting=f"All problems of size {self.size}, each run to its end and validated action by action. The"
            " models that ship were trained on problems that include this size; those of Pancake include the sorted"
            " stack, at which the paper's model fails.",
            tables=[Table("", ["domain", "memory", "arithmetic", "solved", "problems", "percent"], rows)],
            meaning=f"{f'{failed:,}' if failed else 'None'} of the {sum(row[4] for row in rows):,} runs failed.",
            passed=not failed,
        )
