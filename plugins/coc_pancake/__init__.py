"""The pancake puzzle, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("pancake", factory="coc_pancake.domain:Pancake", summary="sort a stack of pancakes by flips")]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "pancake-tape-inline",
            folder="coc_pancake:checkpoints/tape-inline",
            dialects=("pancake/chain/numeric",),
            summary="up to 40 pancakes on a tape whose addresses it computes, "
            "trained on at most 500 problems of each size",
        ),
        CheckpointSpec(
            "pancake-symbolic",
            folder="coc_pancake:checkpoints/symbolic",
            dialects=("pancake/chain/symbolic", "pancake/stack"),
            summary="up to 40 pancakes on a stack, or on a tape whose addresses are computed for it, "
            "trained on at most 500 problems of each size",
        ),
    ]
