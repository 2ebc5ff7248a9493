"""Tower of Hanoi, on three pegs and on four, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, PlanFormatSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec("hanoi", factory="coc_puzzles.hanoi.domain:Hanoi", summary="Tower of Hanoi on three pegs"),
        DomainSpec("hanoi-4", factory="coc_puzzles.hanoi.four_pegs:HanoiFour", summary="Tower of Hanoi on four pegs"),
        DomainSpec(
            "hanoi-any",
            factory="coc_puzzles.hanoi.any_state:HanoiAny",
            summary="Tower of Hanoi from any state to any other, on three pegs and more",
            memories=("heap",),
        ),
    ]


@hookimpl
def coc_plan_formats() -> list[PlanFormatSpec]:
    return [
        PlanFormatSpec(
            "reasoning-gym",
            factory="coc_puzzles.hanoi.reasoning_gym:ReasoningGymPlan",
            summary="the answers of reasoning-gym's tower_of_hanoi",
            domains=("hanoi", "hanoi-4"),
        )
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            "hanoi-pda",
            folder="coc_puzzles.hanoi:checkpoints/pda",
            dialects=("hanoi/stack",),
            summary="on a stack, up to 64 disks, trained on 85% of the distinct pairs of n = 1 to 20",
        ),
        CheckpointSpec(
            "hanoi-tape-symbolic",
            folder="coc_puzzles.hanoi:checkpoints/tape-symbolic",
            dialects=("hanoi/linked/symbolic",),
            summary="up to 20 disks on a tape, with addresses left to symbolic arithmetic",
        ),
        CheckpointSpec(
            "hanoi-tape-inline",
            folder="coc_puzzles.hanoi:checkpoints/tape-inline",
            dialects=("hanoi/linked/numeric",),
            summary="on a tape, addresses computed by itself, trained on half of the distinct pairs of n = 1 to 15",
        ),
        CheckpointSpec(
            "hanoi-4",
            folder="coc_puzzles.hanoi:checkpoints/four-pegs",
            dialects=("hanoi-4/linked/numeric", "hanoi-4/linked/symbolic", "hanoi-4/stack"),
            summary="up to 20 disks on four pegs, on a stack or a tape, trained on 6 problems of each size",
        ),
        CheckpointSpec(
            "hanoi-any",
            folder="coc_puzzles.hanoi:checkpoints/any-state",
            dialects=("hanoi-any/heap/symbolic",),
            summary="from any state to any other, on three pegs and more, trained on all prompts that there are",
        ),
    ]
