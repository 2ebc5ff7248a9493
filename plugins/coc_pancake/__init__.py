"""The pancake puzzle, as a plugin."""

from coc_core.hookspecs import DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("pancake", factory="coc_pancake.domain:Pancake", summary="sort a stack of pancakes by flips")]
