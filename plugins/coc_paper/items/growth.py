"""How the context grows while the prompts do not."""

from coc_paper.item import Budget, Item, Results, Tasks
from coc_paper.report import Plot, Section, Series, Table
from coc_paper.tasks import Task

_TITLE = "Growth of the context, and the size of a prompt"
_LARGEST = {"blocksworld": 40, "blocksworld-extended": 40, "pancake": 40, "hanoi": 15}
_QUICK_DISKS = 12
_MOST = {"blocksworld": 1.1, "blocksworld-extended": 1.5, "pancake": 1.1, "hanoi": 1.5}
"""How many times as long as the first prompt the longest may be. A numeral of an address gets longer as the tape grows,
and a list of blocks as the goal is built."""


def _sizes(budget: Budget) -> dict[str, int]:
    return _LARGEST | ({"hanoi": _QUICK_DISKS} if budget is Budget.quick else {})


def _tasks(budget: Budget) -> Tasks:
    return {
        domain: Task(
            "coc_paper.work.reference:growth",
            {"domain": domain, "n": n, "memory": "tape", "arith": "inline"},
            doing=f"a run of {domain}, n={n}",
        )
        for domain, n in _sizes(budget).items()
    }


def _report(budget: Budget, results: Results) -> Section:
    sizes, rows, plots, kept = _sizes(budget), [], [], True
    for domain, done in results.items():
        found = done.result
        first, longest, last = found["prompts"][0][1], found["longest"], found["contexts"][-1][1]
        ratio = longest / first
        within = ratio <= _MOST[domain]
        kept = kept and within
        lengths = [first, longest, round(ratio, 2), _MOST[domain], last]
        rows.append([domain, sizes[domain], found["steps"], *lengths, "yes" if within else "no"])
        curves = [Series("context", found["contexts"]), Series("prompt", found["prompts"])]
        plots.append(Plot(f"{domain}, n={sizes[domain]}", "step", "characters", curves, log_y=True))
    columns = ["domain", "n", "steps", "first prompt", "longest prompt", "ratio", "bound", "context at the end", "kept"]
    return Section(
        name="growth",
        title=_TITLE,
        question="What does the model read at each step, and how long would the accumulated context be?",
        setting="One run of the largest size on a tape with inline arithmetic, by the reference model. The context is"
        " the first prompt with all targets so far. Lengths are in characters.",
        sample=f"Tower of Hanoi with {_QUICK_DISKS} disks instead of 15." if budget is Budget.quick else "",
        tables=[Table("", columns, rows)],
        plots=plots,
        meaning="The context grows with the run, and no prompt gets longer than its bound."
        if kept
        else "A prompt is longer than its bound.",
        passed=kept,
    )


ITEM = Item("growth", _TITLE, _tasks, _report)
