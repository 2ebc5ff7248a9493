"""BlocksWorld, from one tower and from several, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "blocksworld",
            factory="coc_blocksworld.domain:OneTower",
            summary="rebuild one tower of blocks as another",
        ),
        DomainSpec(
            "blocksworld-extended",
            factory="coc_blocksworld.domain:SeveralTowers",
            summary="build one tower of blocks from several",
        ),
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            name,
            folder=f"coc_blocksworld:checkpoints/{name}",
            dialects=(f"{name}/chain/numeric", f"{name}/chain/symbolic", f"{name}/stack"),
            summary=f"on a stack or a tape, trained on up to {most} blocks, at most {problems} problems of each size",
        )
        for name, most, problems in (("blocksworld", 20, 150), ("blocksworld-extended", 40, 500))
    ]
