"""Checkpoints on the Hugging Face Hub: models to run from there, and `coc push`. Importing this imports no client."""

from coc_core.plugin import CommandSpec, ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    summary = "a checkpoint on the Hugging Face Hub, as hub:OWNER/NAME or hub:OWNER/NAME@COMMIT"
    return [ModelSpec("hub", configured="coc_doors.hub.fetch:open_model", summary=summary)]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    summary = "Send a checkpoint to the Hugging Face Hub."
    return [CommandSpec("push", function="coc_doors.hub.command:push", summary=summary, panel="Connect models")]
