"""`coc plugins`: what is installed, what each plugin offers, and what failed to load."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import CocError
from coc_core.models import read_config
from coc_core.options import PluginOptions
from coc_core.plugin import KINDS, CheckpointSpec, Plugin, Registry, Spec


@command(PluginOptions)
def plugins(options: PluginOptions) -> int:
    """List the installed plugins and their parts.

    Plugins that can't be loaded are shown with the reason.

    Examples:
        coc plugins
        coc plugins --plugin my_puzzle.py --json
    """
    registry = Registry.installed(options.plugins)
    conflicts = [str(conflict) for conflict in registry.conflicts]
    console.report(
        {"plugins": [_document(registry, plugin) for plugin in registry.plugins], "conflicts": conflicts},
        console.table(
            ("plugin", "kind", "name", "what it is"), (row for each in registry.plugins for row in _rows(each))
        ),
        *((conflict, "yellow") for conflict in conflicts),
    )
    return 0


def _document(registry: Registry, plugin: Plugin) -> dict[str, Any]:
    names, parts = ("name", "module", "distribution", "version"), [_part(registry, spec) for spec in plugin.specs]
    return {**{name: getattr(plugin, name) for name in names}, "error": plugin.error or None, "parts": parts}


def _part(registry: Registry, spec: Spec) -> dict[str, Any]:
    part: dict[str, Any] = {"kind": KINDS[type(spec)], "name": spec.name, "summary": spec.summary}
    if isinstance(spec, CheckpointSpec) and spec in registry.specs(CheckpointSpec):
        with suppress(CocError):  # one that can't be read has no sizes
            if sizes := read_config(registry.folder(spec))[0].sizes:
                part["trained_sizes"] = {dialect: [known[0], known[-1]] for dialect, known in sizes.items()}
    return part


def _rows(plugin: Plugin) -> Iterator[Sequence[console.Words]]:
    source = "comes with coc" if plugin.built_in else f"{plugin.distribution} {plugin.version}"
    title: console.Words = console.text(plugin.name, (f"\n{source}", "dim"))
    if plugin.error:
        yield title, ("broken", "red"), "", (plugin.error, "red")
    elif not plugin.specs:
        yield title, "", "", ("offers nothing", "yellow")
    for spec in plugin.specs:
        yield title, KINDS[type(spec)], spec.name, (spec.summary, "dim")
        title = ""
