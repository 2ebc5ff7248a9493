"""The paper's tables and figures, made again: the command `coc reproduce`, and the paper's items."""

from coc_core.plugin import CommandSpec, ItemSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "reproduce",
            function="coc_paper.command:reproduce",
            summary="Reproduce the paper's tables and figures.",
            panel="Measure and prove",
        )
    ]


@hookimpl
def coc_items() -> list[ItemSpec]:
    """Return those that take least first."""
    items = "coc_paper.items"
    return [
        ItemSpec("traces", f"{items}.traces:Traces", "the six traces of the appendix"),
        ItemSpec(
            "hyperparameters",
            f"{items}.hyperparameters:Hyperparameters",
            "the preset `paper` beside the paper's tables",
        ),
        ItemSpec("growth", f"{items}.growth:Growth", "the lengths of prompt and context at each step"),
        ItemSpec("pairs", f"{items}.pairs:Pairs", "the training pairs that a further disk needs"),
        ItemSpec("stack", f"{items}.stack:Stack", "Tower of Hanoi on a stack, pairs held out"),
        ItemSpec("holdout", f"{items}.holdout:Holdout", "the same on a tape, and the steps that fail"),
        ItemSpec("ablations", f"{items}.ablations:Ablations", "coc's training without one of its parts"),
        ItemSpec("instances", f"{items}.instances:Instances", "success by size and number of training instances"),
        ItemSpec("eight", f"{items}.eight:Eight", "every problem of size 8, with the shipped models"),
        ItemSpec("windows", f"{items}.windows:Windows", "bounded windows, the whole context, a plan in one response"),
        ItemSpec("protocol", f"{items}.protocol:Protocol", "the paper's own networks and trainings, in pieces"),
    ]
