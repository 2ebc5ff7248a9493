"""A plugin with a text where a tuple of one belongs."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("lonely", "json:loads", "alone", memories=("pda"))]  # fmt: skip
