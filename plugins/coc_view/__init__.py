"""Runs to look at: on a terminal, or as one page for a browser."""

from coc_core.plugin import CommandSpec, FunctionSpec, RunOptionsSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    panel = "Look at runs and plans"
    return [
        CommandSpec(
            "replay",
            function="coc_view.commands.replay:replay",
            summary="Step through a recorded run.",
            panel=panel,
        ),
        CommandSpec(
            "diff",
            function="coc_view.commands.diff:diff",
            summary="Find the first step at which two recorded runs differ.",
            panel=panel,
        ),
        CommandSpec(
            "view",
            function="coc_view.commands.view:view",
            summary="Write a web page that shows a recorded run.",
            panel=panel,
        ),
        CommandSpec(
            "trace",
            function="coc_view.commands.trace:trace",
            summary="Print the prompt and the target of each step.",
            panel="Solve problems",
        ),
    ]


@hookimpl
def coc_run_options() -> list[RunOptionsSpec]:
    return [RunOptionsSpec("watch", record="coc_view.terminal.watch:WatchOptions", summary="steps, drawn as they run")]


@hookimpl
def coc_functions() -> list[FunctionSpec]:
    return [FunctionSpec("view", function="coc_view.view:view", summary="write a page that plays a run in a browser")]
