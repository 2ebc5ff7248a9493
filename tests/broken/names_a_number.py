"""A plugin whose domain is called 7."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec(7, "json:loads", "seven")]
