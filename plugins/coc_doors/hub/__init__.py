"""Checkpoints on the Hugging Face Hub: models to run from there, and `coc push`. Importing this imports no client."""

from collections.abc import Callable
from pathlib import Path

from coc_core.plugin import CommandSpec, ModelSpec, hookimpl


def fetched(repository: str, commit: str, check: Callable[[Path], object]) -> tuple[str, Path]:
    """Call `coc_doors.hub.fetch.fetched`, which needs the extra `hub`."""
    from coc_doors.hub import fetch

    return fetch.fetched(repository, commit, check)


@hookimpl
def coc_models() -> list[ModelSpec]:
    summary = "a checkpoint on the Hugging Face Hub, as hub:OWNER/NAME or hub:OWNER/NAME@COMMIT"
    return [ModelSpec("hub", configured="coc_doors.hub.fetch:open_model", summary=summary)]


@hookimpl
def coc_commands() -> list[CommandSpec]:
    summary = "Send a checkpoint to the Hugging Face Hub."
    return [CommandSpec("push", function="coc_doors.hub.command:push", summary=summary, panel="Connect models")]
