"""River crossing, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    summary = "row pairs of an actor and an agent over a river"
    return [DomainSpec("river-crossing", "coc_puzzles.river.domain:RiverCrossing", summary)]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    dialects = "river-crossing/chain/numeric", "river-crossing/chain/symbolic", "river-crossing/stack"
    trained = "on a stack or a tape, trained on every problem of up to 20 pairs"
    return [CheckpointSpec("river-crossing", "coc_puzzles.river:checkpoints/river-crossing", dialects, trained)]
