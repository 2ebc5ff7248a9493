"""Scheme: one machine, learned once, that runs every program."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [DomainSpec("scheme", factory="coc_scheme.domain:Scheme", summary="programs in Scheme", memories=("heap",))]
