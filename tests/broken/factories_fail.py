"""A plugin that loads, and whose parts can't be made, each in another way."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [
        DomainSpec("no-module", "a_module_that_nobody_has:Domain", "its module is missing"),
        DomainSpec("no-attribute", "json:Domain", "its class is missing"),
        DomainSpec("no-colon", "json", "its factory is no factory"),
        DomainSpec("no-name", "", "its factory is empty"),
        DomainSpec("raises-late", "tests.broken.raises_at_import:Domain", "its module raises"),
        DomainSpec("exits-late", "tests.broken.exits_at_import:Domain", "its module exits"),
        DomainSpec("wants-more", "json:loads", "its factory wants an argument"),
    ]


@hookimpl
def coc_checkpoints():
    return [
        CheckpointSpec("no-package", "a_module_that_nobody_has:weights", (), "its package is missing"),
        CheckpointSpec("no-folder", "json.decoder:weights", (), "its package is a module"),
    ]
