"""Items that train nothing: traces, hyperparameters, the growth of the context, and every problem of a size."""

from collections.abc import Mapping
from itertools import product, zip_longest
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Item, Results, Tasks, parameter
from coc_paper.items import TRAININGS
from coc_paper.published import table, text
from coc_paper.report import Cell, Plot, Section, Series, Table, Value
from coc_paper.settings import settings_of
from coc_paper.tasks import Task

_TRACES = {
    "hanoi-3-tape-inline": ("hanoi", "tape", "inline"),
    "hanoi-3-tape-symbolic": ("hanoi", "tape", "symbolic"),
    "hanoi-3-pda": ("hanoi", "pda", "symbolic"),
    "blocksworld-6-tape-inline": ("blocksworld", "tape", "inline"),
    "blocksworld-extended-6-tape-inline": ("blocksworld-extended", "tape", "inline"),
    "pancake-6-tape-inline": ("pancake", "tape", "inline"),
}


@frozen(kw_only=True)
class Traces(Item):
    """The traces of the appendix."""

    def tasks(self) -> Tasks:
        found = {}
        for name, (domain, memory, arith) in _TRACES.items():
            own = {"problem": text(f"traces/{domain}-6-problem.txt").rstrip("\n")} if domain != "hanoi" else {}
            problem: dict[str, Any] = own or {"n": 3, "problem": None}
            arguments = {"domain": domain, "memory": memory, "arith": arith, "model": "reference", **problem}
            arguments["distinct"] = name == "hanoi-3-tape-symbolic"
            found[name] = Task("coc_paper.work.reference:trace", arguments)
        return found

    def report(self, results: Results) -> Section:
        rows = []
        for name, done in results.items():
            words = enumerate(zip_longest(done.result.split(), text(f"traces/{name}.txt").split()), 1)
            first = next((f"differs at word {place}" for place, (ours, paper) in words if ours != paper), "equal")
            rows.append([name, done.result.count("\nPrompt\n"), first])
        equal = sum(first == "equal" for *_, first in rows)
        return Section(
            question="Does the policy write the prompts and targets that the paper prints?",
            setting="The reference model runs the same problems; the texts are compared word by word.",
            tables=[Table("", ["trace", "steps", "beside the paper's"], rows)],
            meaning=f"Word by word those of the paper: {equal} of {counted(len(rows), 'trace')}.",
            passed=equal == len(rows),
        )


PAPER: Mapping[str, Mapping[str, int]] = TRAININGS["paper"]
"""The paper's networks and trainings: what differs from the preset `paper`."""


@frozen(kw_only=True)
class Hyperparameters(Item):
    """Hyperparameters and numbers of parameters."""

    def tasks(self) -> Tasks:
        function, own = "coc_paper.work.learning:hyperparameters", {"model": "transformer", "preset": "paper"}
        return {domain: Task(function, {**own, "hyperparameters": changes}) for domain, changes in PAPER.items()}

    def report(self, results: Results) -> Section:
        columns = ["paper's name", "coc's name", *(name for each in results for name in (each, f"{each}, paper"))]
        rows, differ = dict[str, list[list[Value]]](model=[], training=[]), []
        for line in table("hyperparameters.csv"):
            row: list[Value] = [line["name"], line["hyperparameter"]]
            for domain, done in results.items():
                ours, paper = done.result[line["hyperparameter"]], line[domain]
                number = paper.removesuffix(" M")  # in millions, and rounded
                decimals = len(number.partition(".")[2])
                if f"{ours / 1e6:.{decimals}f}" != number if number != paper else ours != float(paper):
                    differ.append(f"{line['name']} of {domain}")
                row += [ours, paper]
            rows[line["table"]].append(row)
        return Section(
            question="Is the preset that is named after the paper the paper's network and training?",
            setting="The preset `paper`, as it is and with what the paper has otherwise for larger tasks, with the"
            " numbers of parameters counted. The optimiser is AdamW with a cosine decay."
            f" {settings_of(self.tasks())} Its appendix says the opposite."
            " Logging intervals, and the fraction for validation, are choices of the command and not of a preset.",
            tables=[Table(name.capitalize(), columns, each) for name, each in rows.items()],
            meaning=f"These differ: {', '.join(differ)}." if differ else "Every value is the paper's.",
            passed=not differ,
        )


_MOST = {"blocksworld": 1.1, "blocksworld-extended": 1.5, "pancake": 1.1, "hanoi": 1.5}
"""How many times as long as the first prompt the longest may be. A numeral of an address gets longer as the tape grows,
and a list of blocks as the goal is built."""


@frozen(kw_only=True)
class Growth(Item):
    """Growth of the context, and the size of a prompt."""

    n: int = parameter("blocks and pancakes", 40)
    disks: int = parameter("disks of Tower of Hanoi", 15, 12)

    def tasks(self) -> Tasks:
        own = {"memory": "tape", "arith": "inline", "model": "reference"}
        sizes = {domain: self.disks if domain == "hanoi" else self.n for domain in _MOST}
        function = "coc_paper.work.reference:growth"
        return {domain: Task(function, {"domain": domain, "n": n, **own}) for domain, n in sizes.items()}

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
        lengths = ["first prompt", "longest prompt", "ratio", "bound", "context at the end"]
        good = "The context grows with the run, and no prompt gets longer than its bound."
        return Section(
            question="What does the model read at each step, and how long would the accumulated context be?",
            setting="One run of the largest size on a tape with inline arithmetic, by the reference model. The context"
            " is the first prompt with all targets so far. Lengths are in characters.",
            tables=[Table("", ["domain", "n", "steps", *lengths, "kept"], rows)],
            plots=plots,
            meaning=good if kept else "A prompt is longer than its bound.",
            passed=kept,
        )


_SIZE = 8
_SOLVED = {"blocksworld": 100.0, "pancake": 99.99}
_SETTINGS = (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"))


@frozen(kw_only=True)
class Eight(Item):
    """Every problem of size 8."""

    size: int = parameter("blocks and pancakes", _SIZE, 6)

    def tasks(self) -> Tasks:
        found = {}
        for domain, (memory, arith) in product(_SOLVED, _SETTINGS):
            arguments = {"domain": domain, "memory": memory, "arith": arith, "model": domain, "sizes": self.size}
            task = Task("coc_paper.work.evaluation:evaluate", {**arguments, "exhaustive": True})
            found[f"{domain} {memory} {arith}"] = task
        return found

    def report(self, results: Results) -> Section:
        rows = []
        for name, done in results.items():
            (row,) = done.result["rows"]
            paper = _SOLVED[name.split()[0]] if self.size == _SIZE else None
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
