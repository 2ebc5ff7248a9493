"""Tower of Hanoi, on three pegs and on four, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl

ITEMS = ("reasoning-gym",)


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec("hanoi", "coc_puzzles.hanoi.domain:Hanoi", "Tower of Hanoi on three pegs", plan_formats=ITEMS),
        DomainSpec(
            "hanoi-4", "coc_puzzles.hanoi.four_pegs:HanoiFour", "Tower of Hanoi on four pegs", plan_formats=ITEMS
        ),
        DomainSpec(
            "hanoi-any",
            factory="coc_puzzles.hanoi.any_state:HanoiAny",
            summary="Tower of Hanoi from any state to any other, on three pegs and more",
            memories=("heap",),
        ),
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    words = {
        "pda": "on a stack, up to 64 disks, trained on 85% of the distinct pairs of n = 1 to 20",
        "symbolic": "up to 20 disks on a tape, with addresses left to symbolic arithmetic",
        "inline": "on a tape, addresses computed by itself, trained on half of the distinct pairs of n = 1 to 15",
        "four": "up to 20 disks on four pegs, on a stack or a tape, trained on 6 problems of each size",
        "any": "from any state to any other, on three pegs and more, trained on all prompts that there are",
    }
    four = "hanoi-4/linked/numeric", "hanoi-4/linked/symbolic", "hanoi-4/stack"
    folder = "coc_puzzles.hanoi:checkpoints"
    return [
        CheckpointSpec("hanoi-pda", f"{folder}/pda", ("hanoi/stack",), words["pda"]),
        CheckpointSpec("hanoi-tape-symbolic", f"{folder}/tape-symbolic", ("hanoi/linked/symbolic",), words["symbolic"]),
        CheckpointSpec("hanoi-tape-inline", f"{folder}/tape-inline", ("hanoi/linked/numeric",), words["inline"]),
        CheckpointSpec("hanoi-4", f"{folder}/four-pegs", four, words["four"]),
        CheckpointSpec("hanoi-any", f"{folder}/any-state", ("hanoi-any/heap/symbolic",), words["any"]),
    ]
