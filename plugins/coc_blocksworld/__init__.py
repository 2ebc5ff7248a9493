"""BlocksWorld, from one tower and from several, as a plugin."""

from coc_core.hookspecs import DomainSpec, hookimpl


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
