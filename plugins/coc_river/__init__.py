"""River crossing, as a plugin."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "river-crossing",
            factory="coc_river.domain:RiverCrossing",
            summary="row pairs of an actor and an agent over a river",
        )
    ]
