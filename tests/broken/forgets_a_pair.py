"""A plugin whose policies are not pairs."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("lonely", "json:loads", "alone", policies=(("heap",),))]
