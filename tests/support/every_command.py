"""The commands that come with coc and stand in panels of their own in the help, and the functions behind them."""

from coc_core.plugin import CommandSpec, Registry

_REGISTRY = Registry.installed()
EVERY_COMMAND = {
    spec.name: _REGISTRY.function(spec) for spec in _REGISTRY.specs(CommandSpec) if spec.panel != "From plugins"
}
SUMMARIES = {spec.name: spec.summary for spec in _REGISTRY.specs(CommandSpec)}
