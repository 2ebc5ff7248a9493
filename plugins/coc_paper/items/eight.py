"""All problems of size 8, with the models that ship."""

from attrs import frozen

from coc_paper.item import Item, Parameters, Results, Tasks, parameter
from coc_paper.report import Cell, Section, Table
from coc_paper.tasks import Task

_TITLE = "Every problem of size 8"
_PAPER = {"blocksworld": 100.0, "pancake": 99.99}
_SIZE = 8
_SETTINGS = (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"))


@frozen(kw_only=True)
class _Every(Parameters):
    size: int = parameter("blocks and pancakes", _SIZE, 6)


def _tasks(chosen: _Every) -> Tasks:
    return {
        f"{domain} {memory} {arith}": Task(
            "coc_paper.work.evaluation:evaluate",
            {"domain": domain, "memory": memory, "arith": arith, "model": domain, "sizes": chosen.size}
            | {"exhaustive": True},
            doing=f"every problem of size {chosen.size} of {domain}, {memory}, {arith}",
        )
        for domain in _PAPER
        for memory, arith in _SETTINGS
    }


def _report(chosen: _Every, results: Results) -> Section:
    rows = []
    for name, done in results.items():
        domain, memory, arith = name.split()
        (row,) = done.result["rows"]
        paper = _PAPER[domain] if chosen.size == _SIZE else None
        rows.append([domain, memory, arith, row["successes"], row["instances"], Cell(100 * row["rate"], paper)])
    failed = sum(row[4] - row[3] for row in rows)
    return Section(
        name="eight",
        title=f"Every problem of size {chosen.size}",
        question="Is there any problem of this size that the models that ship do not solve?",
        setting=f"All problems of size {chosen.size}, each run to its end and validated action by action. The"
        " models that ship were trained on problems that include this size; those of Pancake include the sorted stack,"
        " at which the paper's model fails.",
        tables=[Table("", ["domain", "memory", "arithmetic", "solved", "problems", "percent"], rows)],
        meaning=f"{'None' if not failed else f'{failed:,}'} of the {sum(row[4] for row in rows):,} runs failed.",
        passed=not failed,
    )


ITEM = Item("eight", _TITLE, _tasks, _report, _Every)
