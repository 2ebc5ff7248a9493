"""The paper's tables and figures, made again: the command `coc reproduce`, and the paper's items."""

from coc_core.plugin import CommandSpec, ItemSpec, hookimpl

_ITEMS = {
    "traces": "the six traces of the appendix",
    "hyperparameters": "the preset `paper` beside the paper's tables",
    "growth": "the lengths of prompt and context at each step",
    "pairs": "the training pairs that a further disk needs",
    "stack": "Tower of Hanoi on a stack, pairs held out",
    "holdout": "the same on a tape, and the steps that fail",
    "ablations": "coc's training without one of its parts",
    "instances": "success by size and number of training instances",
    "eight": "every problem of size 8, with the shipped models",
    "windows": "bounded windows, the whole context, a plan in one response",
    "protocol": "the paper's own networks and trainings, in pieces",
}
"""Those that take least first; `name` is the class `Name` in the module `items.name`."""


@hookimpl
def coc_commands() -> list[CommandSpec]:
    function, summary = "coc_paper.command:reproduce", "Reproduce the paper's tables and figures."
    return [CommandSpec("reproduce", function=function, summary=summary, panel="Measure and prove")]


@hookimpl
def coc_items() -> list[ItemSpec]:
    classes = {name: f"coc_paper.items.{name}:{name.capitalize()}" for name in _ITEMS}
    return [ItemSpec(name, classes[name], summary) for name, summary in _ITEMS.items()]
