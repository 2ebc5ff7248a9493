"""The pancake puzzle, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    summary, on_a_heap = "sort a stack of pancakes by flips", (("heap", "coc_puzzles.pancake.linked:LinkedPancake"),)
    return [DomainSpec("pancake", "coc_puzzles.pancake.domain:Pancake", summary, policies=on_a_heap)]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    dialects = "pancake/chain/numeric", "pancake/chain/symbolic", "pancake/stack"
    folder, heap = "coc_puzzles.pancake:checkpoints", ("pancake/heap-2/symbolic",)
    trained = "on a stack or a tape, trained on up to 40 pancakes, at most 200 problems of each size"
    on_a_heap = "on a heap, for up to 1,000 pancakes, trained on all prompts"
    return [
        CheckpointSpec("pancake", f"{folder}/pancake", dialects, trained),
        CheckpointSpec("pancake-heap", f"{folder}/pancake-heap", heap, on_a_heap),
    ]
