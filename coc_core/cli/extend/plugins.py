"""`coc plugins`: what is installed, what each plugin offers, and what failed to load."""

import json
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

from coc_core.cli import console, options
from coc_core.plugin import KINDS, Plugin, Registry


def plugins(files: options.Plugins = None, as_json: options.Json = False) -> int:
    """List the installed plugins and their parts.

    A plugin that can't be loaded is shown with the reason.

    Examples:
        coc plugins
        coc plugins --plugin my_puzzle.py --json
    """
    registry = Registry.installed(files or ())
    if as_json:
        conflicts = [str(conflict) for conflict in registry.conflicts]
        typer.echo(json.dumps({"plugins": [_document(p) for p in registry.plugins], "conflicts": conflicts}))
        return 0
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("plugin", "kind", "name", "what it is"):
        table.add_column(heading)
    for plugin in registry.plugins:
        title = Text.assemble(plugin.name, (f"\n{plugin.distribution} {plugin.version}", "dim"))
        if plugin.error:
            table.add_row(title, Text("broken", style="red"), "", Text(plugin.error, style="red"))
        elif not plugin.specs:
            table.add_row(title, "", "", Text("offers nothing", style="yellow"))
        for row, spec in enumerate(plugin.specs):
            table.add_row(
                title if row == 0 else "", KINDS[type(spec)], Text(spec.name), Text(spec.summary, style="dim")
            )
    console.out().print(table)
    for conflict in registry.conflicts:
        console.warn(str(conflict))
    return 0


def _document(plugin: Plugin) -> dict[str, Any]:
    return {
        "name": plugin.name,
        "module": plugin.module,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "error": plugin.error or None,
        "parts": [{"kind": KINDS[type(spec)], "name": spec.name, "summary": spec.summary} for spec in plugin.specs],
    }
