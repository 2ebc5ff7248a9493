"""`coc plugins`: what is installed, what each plugin offers, and what failed to load."""

from collections.abc import Collection, Mapping
from typing import Any

from attrs import frozen

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.errors import CocError
from coc_core.models import read_config, span
from coc_core.options import PluginOptions, option, shared
from coc_core.plugin import KINDS, ArithmeticSpec, CheckpointSpec, Plugin, Registry, Spec


@frozen(kw_only=True, slots=False)
class PluginsCommand(PluginOptions):
    """What `coc plugins` takes."""

    as_json: bool = option(shared.JSON, False)


@command(PluginsCommand)
def plugins(options: PluginsCommand) -> int:
    """List the installed plugins and their parts.

    Plugins that can't be loaded are shown with the reason.

    Examples:
        coc plugins
        coc plugins --plugin my_puzzle.py --json
    """
    registry = Registry.installed(options.plugins)
    if options.as_json:
        conflicts = [str(conflict) for conflict in registry.conflicts]
        console.document({"plugins": [_document(registry, p) for p in registry.plugins], "conflicts": conflicts})
        return 0
    table = console.table("plugin", "kind", "name", "what it is")
    for plugin in registry.plugins:
        source = "comes with coc" if plugin.built_in else f"{plugin.distribution} {plugin.version}"
        title = console.text(plugin.name, (f"\n{source}", "dim"))
        if plugin.error:
            table.add_row(title, console.text("broken", style="red"), "", console.text(plugin.error, style="red"))
        elif not plugin.specs:
            table.add_row(title, "", "", console.text("offers nothing", style="yellow"))
        for row, spec in enumerate(plugin.specs):
            sizes = _spans(_sizes(registry, spec), {spec.dialect for spec in registry.specs(ArithmeticSpec)})
            summary = f"{spec.summary}\ntrained on {sizes}" if sizes else spec.summary
            table.add_row(
                title if row == 0 else "",
                KINDS[type(spec)],
                console.text(spec.name),
                console.text(summary, style="dim"),
            )
    console.out().print(table)
    for conflict in registry.conflicts:
        console.warn(str(conflict))
    return 0


def _sizes(registry: Registry, spec: Spec) -> Mapping[str, range]:
    """Return the sizes that a checkpoint was trained on, by dialect; none for any other part, or if it can't be
    read.
    """
    if not isinstance(spec, CheckpointSpec) or spec not in registry.specs(CheckpointSpec):
        return {}
    try:
        return read_config(registry.folder(spec))[0].sizes
    except CocError:
        return {}


def _spans(sizes: Mapping[str, range], of_addresses: Collection[str | None]) -> str:
    """Return the trained sizes of a checkpoint: once, if all its dialects have the same. Some dialects are of
    addresses.
    """
    each = {dialect: span(known, "addresses " if dialect in of_addresses else "n=") for dialect, known in sizes.items()}
    if len(set(each.values())) == 1:
        return next(iter(each.values()))
    return ", ".join(f"{dialect}: {known}" for dialect, known in each.items())


def _document(registry: Registry, plugin: Plugin) -> dict[str, Any]:
    return {
        "name": plugin.name,
        "module": plugin.module,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "error": plugin.error or None,
        "parts": [_part(registry, spec) for spec in plugin.specs],
    }


def _part(registry: Registry, spec: Spec) -> dict[str, Any]:
    part: dict[str, Any] = {"kind": KINDS[type(spec)], "name": spec.name, "summary": spec.summary}
    sizes = {dialect: [known[0], known[-1]] for dialect, known in _sizes(registry, spec).items()}
    return part | ({"trained_sizes": sizes} if sizes else {})
