"""River crossing, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "river-crossing",
            factory="coc_puzzles.river.domain:RiverCrossing",
            summary="row pairs of an actor and an agent over a river",
        )
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "river-crossing",
            folder="coc_puzzles.river:checkpoints/river-crossing",
            dialects=("river-crossing/chain/numeric", "river-crossing/chain/symbolic", "river-crossing/stack"),
            summary="on a stack or a tape, trained on every problem of up to 20 pairs",
        )
    ]
