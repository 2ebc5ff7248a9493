"""How the context grows while the prompts do not."""

from attrs import frozen

from coc_paper.item import Item, Results, Tasks, parameter
from coc_paper.report import Plot, Section, Series, Table
from coc_paper.tasks import Task

_MOST = {"blocksworld": 1.1, "blocksworld-extended": 1.5, "pancake": 1.1, "hanoi": 1.5}
"""How many times as long as the first prompt the longest may be. A numeral of an address gets longer as the tape grows,
and a list of blocks as the goal is built."""


@frozen(kw_only=True)
class Growth(Item):
    """Growth of the context, and the size of a prompt."""

    n: int = parameter("blocks and pancakes", 40)
    disks: int = parameter("disks of Tower of Hanoi", 15, 12)

    def tasks(self) -> Tasks:
        found = {}
        for domain in _MOST:
            n = self.disks if domain == "hanoi" else self.n
            arguments = {"domain": domain, "n": n, "memory": "tape", "arith": "inline", "model": "reference"}
            found[domain] = Task("coc_paper.work.reference:growth", arguments)
        return found

    def report(self, results: Results) -> Section:
        rows, plots = [], []
        for domain, done in results.items():
            found, n, most = done.result, self.disks if domain == "hanoi" else self.n, _MOST[domain]
            first, longest, last = found["prompts"][0][1], found["longest"], found["contexts"][-1][1]
            within = "yes" if longest / first <= most else "no"
            rows.append([domain, n, found["steps"], first, longest, round(longest / first, 2), most, last, within])
            curves = [Series("context", found["contexts"]), Series("prompt", found["prompts"])]
            plots.append(Plot(f"{domain}, n={n}", "step", "characters", curves, log_y=True))
        kept = all(row[-1] == "yes" for row in rows)
        columns = "domain, n, steps, first prompt, longest prompt, ratio, bound, context at the end, kept"
        good = "The context grows with the run, and no prompt gets longer than its bound."
        return Section(
            question="What does the model read at each step, and how long would the accumulated context be?",
            setting="One run of the largest size on a tape with inline arithmetic, by the reference model. The context"
            " is the first prompt with all targets so far. Lengths are in characters.",
            tables=[Table("", columns.split(", "), rows)],
            plots=plots,
            meaning=good if kept else "A prompt is longer than its bound.",
            passed=kept,
        )
