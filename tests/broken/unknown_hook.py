"""A plugin with a typing error in the name of a hook."""

from coc_core.plugin import hookimpl


@hookimpl
def coc_domainz():
    return []
