"""BlocksWorld, the paper's two variants and the general one of planning books, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "blocksworld",
            factory="coc_puzzles.blocksworld.domain:OneTower",
            summary="rebuild one tower of blocks as another",
            policies=(("heap", "coc_puzzles.blocksworld.linked:LinkedOneTower"),),
        ),
        DomainSpec(
            "blocksworld-extended",
            factory="coc_puzzles.blocksworld.domain:SeveralTowers",
            summary="build one tower of blocks from several",
            policies=(("heap", "coc_puzzles.blocksworld.linked:LinkedSeveralTowers"),),
        ),
        DomainSpec(
            "blocks",
            factory="coc_puzzles.blocksworld.blocks.policy:Blocks",
            summary="arrange blocks by any goal, with a hand that holds one at a time",
            memory="heap",
            policies=(("heap", "coc_puzzles.blocksworld.blocks.policy:LinkedBlocks"),),
        ),
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    folder, found = "coc_puzzles.blocksworld:checkpoints", list[CheckpointSpec]()
    for name, most, problems in (("blocksworld", 20, 150), ("blocksworld-extended", 40, 500)):
        dialects = f"{name}/chain/numeric", f"{name}/chain/symbolic", f"{name}/stack"
        words = f"on a stack or a tape, trained on up to {most} blocks, at most {problems} problems of each size"
        found.append(CheckpointSpec(name, f"{folder}/{name}", dialects, words))
    words = "on a heap, for up to 10,000 blocks, trained on all prompts"
    heap = (
        ("blocks", "blocks"),
        ("blocksworld-heap", "blocksworld"),
        ("blocksworld-extended-heap", "blocksworld-extended"),
    )
    return found + [CheckpointSpec(name, f"{folder}/{name}", (f"{of}/heap-2/symbolic",), words) for name, of in heap]
