"""A plugin whose hook wants an argument that nobody gives."""

from coc_core.plugin import hookimpl


@hookimpl
def coc_domains(registry):
    return []
