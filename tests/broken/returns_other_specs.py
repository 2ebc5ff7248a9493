"""A plugin that offers a model where domains are asked for."""

from coc_core.plugin import ModelSpec, hookimpl


@hookimpl
def coc_domains():
    return [ModelSpec("stranger", "a model")]
