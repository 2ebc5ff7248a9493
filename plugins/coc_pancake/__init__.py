"""The pancake puzzle, as a plugin."""

from coc_core.hookspecs import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("pancake", factory="coc_pancake.domain:Pancake", summary="sort a stack of pancakes by flips")]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "pancake-pda",
            folder="coc_pancake:checkpoints/pda",
            dialects=("pancake/stack",),
            summary="up to 40 pancakes on a stack, trained on at most 500 problems of each size",
        ),
    ]
