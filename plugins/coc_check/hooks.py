"""What the kit offers to coc: its commands."""

from coc_core.plugin import CommandSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "new",
            function="coc_check.commands.new:new",
            summary="Create the skeleton of a plugin: a package that works.",
            panel="Write plugins",
        ),
        CommandSpec(
            "check",
            function="coc_check.commands.check:check",
            summary="Run the conformance checks of a plugin.",
            panel="Write plugins",
        ),
        CommandSpec(
            "doctor",
            function="coc_check.commands.doctor:doctor",
            summary="Show what a model has to learn of a puzzle.",
            panel="Train models",
        ),
        CommandSpec(
            "fuzz",
            function="coc_check.commands.fuzz:fuzz",
            summary="Search for a case in which an executor goes wrong.",
            panel="Write plugins",
        ),
        CommandSpec(
            "plugins",
            function="coc_check.commands.plugins:plugins",
            summary="List the installed plugins and their parts.",
            panel="Solve problems",
        ),
    ]
