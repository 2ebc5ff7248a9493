"""A plugin that wants the name of a built-in domain."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("hanoi", "tests.support.toy_parts:Queue", "not the tower of Hanoi")]
