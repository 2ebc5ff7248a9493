"""Checkpoints on the Hugging Face Hub, as models. Importing this imports no client."""

from coc_core.plugin import ModelSpec, hookimpl


@hookimpl
def coc_models() -> list[ModelSpec]:
    summary = "a checkpoint on the Hugging Face Hub, as hub:OWNER/NAME or hub:OWNER/NAME@COMMIT"
    return [ModelSpec("hub", configured="coc_doors.hub.fetch:open_model", summary=summary)]
