"""A plugin that forgot the list around its one domain."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return DomainSpec("lonely", "json:loads", "alone")
