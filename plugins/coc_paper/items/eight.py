"""All problems of size 8, with the models that ship."""

from coc_paper.item import Budget, Item, Results, Tasks
from coc_paper.report import Cell, Section, Table
from coc_paper.tasks import Task

_TITLE = "Every problem of size 8"
_PAPER = {"blocksworld": 100.0, "pancake": 99.99}
_SIZE = {Budget.quick: 6, Budget.full: 8}
_SETTINGS = (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"))


def _tasks(budget: Budget) -> Tasks:
    return {
        f"{domain} {memory} {arith}": Task(
            "coc_paper.work.learning:evaluate",
            {"domain": domain, "memory": memory, "arith": arith, "model": domain, "sizes": _SIZE[budget]}
            | {"exhaustive": True},
            doing=f"every problem of size {_SIZE[budget]} of {domain}, {memory}, {arith}",
            minutes=0.5 if budget is Budget.quick else 15,
        )
        for domain in _PAPER
        for memory, arith in _SETTINGS
    }


def _report(budget: Budget, results: Results) -> Section:
    rows = []
    for name, done in results.items():
        domain, memory, arith = name.split()
        (row,) = done.result["rows"]
        paper = _PAPER[domain] if budget is Budget.full else None
        rows.append([domain, memory, arith, row["successes"], row["instances"], Cell(100 * row["rate"], paper)])
    failed = sum(row[4] - row[3] for row in rows)
    return Section(
        name="eight",
        title=_TITLE,
        question="Is there any problem of this size that the models that ship do not solve?",
        setting=f"All problems of size {_SIZE[budget]}, each run to its end and validated action by action. The"
        " models that ship were trained on problems that include this size; those of Pancake include the sorted stack,"
        " at which the paper's model fails.",
        sample="Size 6 instead of 8." if budget is Budget.quick else "",
        tables=[Table("", ["domain", "memory", "arithmetic", "solved", "problems", "percent"], rows)],
        meaning=f"{'None' if not failed else f'{failed:,}'} of the {sum(row[4] for row in rows):,} runs failed.",
        passed=not failed,
    )


ITEM = Item("eight", _TITLE, _tasks, _report)
