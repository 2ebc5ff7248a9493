"""Runs to look at: on a terminal, or as one page for a browser."""

from coc_core.plugin import CommandSpec, FunctionSpec, RunOptionsSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    looks, solves = "Look at runs and plans", "Solve problems"
    commands = {
        "replay": ("Print a step of a recorded run.", looks),
        "diff": ("Find the first step at which two recorded runs differ.", looks),
        "view": ("Write a web page that shows a recorded run.", looks),
        "trace": ("Print the prompt and the target of each step.", solves),
    }
    return [CommandSpec(name, f"coc_view.commands.{name}:{name}", *told) for name, told in commands.items()]


@hookimpl
def coc_run_options() -> list[RunOptionsSpec]:
    return [RunOptionsSpec("watch", record="coc_view.terminal.watch:WatchOptions", summary="steps, drawn as they run")]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [
        FunctionSpec(
            "view", function="coc_view.recorded_run:view", summary="write a page that plays a run in a browser"
        )
    ]
