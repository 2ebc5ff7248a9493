"""The paper's tables and figures, made again: the command `coc reproduce`."""

from coc_core.plugin import CommandSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    return [
        CommandSpec(
            "reproduce",
            function="coc_paper.command:reproduce",
            summary="Reproduce the paper's tables and figures.",
        )
    ]
