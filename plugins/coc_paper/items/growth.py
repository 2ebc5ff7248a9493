"""How the context grows while the prompts do not."""

from attrs import frozen

from coc_paper.item import Item, Parameters, Results, Tasks, parameter
from coc_paper.report import Plot, Section, Series, Table
from coc_paper.tasks import Task

_TITLE = "Growth of the context, and the size of a prompt"
_DISKS = 15
_MOST = {"blocksworld": 1.1, "blocksworld-extended": 1.5, "pancake": 1.1, "hanoi": 1.5}
"""How many times as long as the first prompt the longest may be. A numeral of an address gets longer as the tape grows,
and a list of blocks as the goal is built."""


@frozen(kw_only=True)
class _Growth(Parameters):
    n: int = parameter("blocks and pancakes", 40)
    disks: int = parameter("disks of Tower of Hanoi", _DISKS, 12)

    @property
    def sizes(self) -> dict[str, int]:
        return {**dict.fromkeys(("blocksworld", "blocksworld-extended", "pancake"), self.n), "hanoi": self.disks}


def _tasks(chosen: _Growth) -> Tasks:
    return {
        domain: Task(
            "coc_paper.work.reference:growth",
            {"domain": domain, "n": n, "memory": "tape", "arith": "inline", "model": "reference"},
            doing=f"a run of {domain}, n={n}",
        )
        for domain, n in chosen.sizes.items()
    }


def _report(chosen: _Growth, results: Results) -> Section:
    sizes, rows, plots, kept = chosen.sizes, [], [], True
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
        tables=[Table("", columns, rows)],
        plots=plots,
        meaning="The context grows with the run, and no prompt gets longer than its bound."
        if kept
        else "A prompt is longer than its bound.",
        passed=kept,
    )


ITEM = Item("growth", _TITLE, _tasks, _report, _Growth)
