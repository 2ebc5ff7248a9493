"""A plugin whose hook returns names instead of records."""

from coc_core.plugin import hookimpl


@hookimpl
def coc_domains():
    return ["hanoi"]
