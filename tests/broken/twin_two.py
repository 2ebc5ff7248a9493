"""The other of two plugins that offer the same name."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("twin", "tests.support.toy_parts:Queue", "the second twin")]
