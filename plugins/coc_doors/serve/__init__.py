"""Checkpoints behind an OpenAI-compatible interface: the command `coc serve`. Importing this imports no web server."""

from coc_core.plugin import CommandSpec, hookimpl


@hookimpl
def coc_commands() -> list[CommandSpec]:
    summary = "Serve checkpoints behind an OpenAI-compatible interface."
    return [CommandSpec("serve", "coc_doors.serve.command:serve", summary, "Connect models")]
