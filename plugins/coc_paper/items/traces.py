"""The six traces of the appendix."""

from typing import Any

from coc_core.text import counted
from coc_paper.item import Item, Parameters, Results, Tasks
from coc_paper.published import text
from coc_paper.report import Section, Table
from coc_paper.tasks import Task

_TITLE = "The traces of the appendix"
_TRACES = {
    "hanoi-3-tape-inline": ("hanoi", "tape", "inline"),
    "hanoi-3-tape-symbolic": ("hanoi", "tape", "symbolic"),
    "hanoi-3-pda": ("hanoi", "pda", "symbolic"),
    "blocksworld-6-tape-inline": ("blocksworld", "tape", "inline"),
    "blocksworld-extended-6-tape-inline": ("blocksworld-extended", "tape", "inline"),
    "pancake-6-tape-inline": ("pancake", "tape", "inline"),
}


def _tasks(_: Parameters) -> Tasks:
    found = {}
    for name, (domain, memory, arith) in _TRACES.items():
        own = {} if domain == "hanoi" else {"problem": text(f"traces/{domain}-6-problem.txt").rstrip("\n")}
        setting = {"domain": domain, "memory": memory, "arith": arith, "model": "reference"}
        problem: dict[str, Any] = {"n": 3, "problem": None} if domain == "hanoi" else own
        arguments = {**setting, **problem, "distinct": name == "hanoi-3-tape-symbolic"}
        found[name] = Task("coc_paper.work.reference:trace", arguments, doing=f"writing the trace {name}")
    return found


def _report(_: Parameters, results: Results) -> Section:
    rows, equal = [], 0
    for name, done in results.items():
        ours, paper = done.result.split(), text(f"traces/{name}.txt").split()
        same = ours == paper
        equal += same
        steps = done.result.count("\nPrompt\n")
        rows.append([name, steps, "equal" if same else f"differs at word {_first_difference(ours, paper)}"])
    return Section(
        name="traces",
        title=_TITLE,
        question="Does the policy write the prompts and targets that the paper prints?",
        setting="The reference model runs the same problems; the texts are compared word by word.",
        tables=[Table("", ["trace", "steps", "beside the paper's"], rows)],
        meaning=f"Word by word those of the paper: {equal} of {counted(len(rows), 'trace')}.",
        passed=equal == len(rows),
    )


def _first_difference(ours: list[str], paper: list[str]) -> int:
    pairs = zip(ours, paper, strict=False)
    return next((place for place, (one, other) in enumerate(pairs, 1) if one != other), min(len(ours), len(paper)) + 1)


ITEM = Item("traces", _TITLE, _tasks, _report)
