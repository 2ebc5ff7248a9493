"""A plugin that names its factory by the class, not by a text."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("lonely", dict, "alone")]
