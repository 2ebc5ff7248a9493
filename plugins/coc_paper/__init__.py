"""The paper's tables and figures, made again: the command `coc reproduce`, and the paper's items."""

from coc_core.plugin import CommandSpec, ItemSpec, hookimpl

_ITEMS = {
    "untrained:Traces": "the six traces of the appendix",
    "untrained:Hyperparameters": "the preset `paper` beside the paper's tables",
    "untrained:Growth": "the lengths of prompt and context at each step",
    "hanoi:Pairs": "the training pairs that a further disk needs",
    "hanoi:Stack": "Tower of Hanoi on a stack, pairs held out",
    "hanoi:Holdout": "the same on a tape, and the steps that fail",
    "ablations:Ablations": "coc's training without one of its parts",
    "instances:Instances": "success by size and number of training instances",
    "untrained:Eight": "every problem of size 8, with the shipped models",
    "windows:Windows": "bounded windows, the whole context, a plan in one response",
    "protocol:Protocol": "the paper's own networks and trainings, in pieces",
}
"""Those that take least first."""


@hookimpl
def coc_commands() -> list[CommandSpec]:
    function, summary = "coc_paper.command:reproduce", "Reproduce the paper's tables and figures."
    return [CommandSpec("reproduce", function=function, summary=summary, panel="Measure and prove")]


@hookimpl
def coc_items() -> list[ItemSpec]:
    names = {place: place.partition(":")[2].lower() for place in _ITEMS}
    return [ItemSpec(names[place], f"coc_paper.items.{place}", summary) for place, summary in _ITEMS.items()]
