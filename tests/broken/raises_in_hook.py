"""A plugin whose hook raises."""

from coc_core.plugin import hookimpl


@hookimpl
def coc_models():
    return 1 / 0
