"""The six traces of the appendix."""

from itertools import zip_longest
from typing import Any

from attrs import frozen

from coc_core.text import counted
from coc_paper.item import Item, Results, Tasks
from coc_paper.published import text
from coc_paper.report import Section, Table
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
