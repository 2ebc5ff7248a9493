"""The pancake puzzle, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "pancake",
            factory="coc_puzzles.pancake.domain:Pancake",
            summary="sort a stack of pancakes by flips",
            policies=(("heap", "coc_puzzles.pancake.linked:LinkedPancake"),),
        )
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "pancake",
            folder="coc_puzzles.pancake:checkpoints/pancake",
            dialects=("pancake/chain/numeric", "pancake/chain/symbolic", "pancake/stack"),
            summary="on a stack or a tape, trained on up to 40 pancakes, at most 200 problems of each size",
        ),
        CheckpointSpec(
            "pancake-heap",
            folder="coc_puzzles.pancake:checkpoints/pancake-heap",
            dialects=("pancake/heap-2/symbolic",),
            summary="on a heap, for up to 1,000 pancakes, trained on all prompts",
        ),
    ]
