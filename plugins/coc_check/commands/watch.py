"""Running a command again whenever a source file is saved."""

import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_core.text import counted

EVERY = 0.5  # seconds between two looks at the files


def places_of(registry: Registry, name: str, files: Iterable[Path]) -> list[Path]:
    """The plugin files, and the packages in which the part or the plugin of that name is written.

    Raises:
        UsageError: There are none.
    """
    modules = set[str]()
    for plugin in registry.plugins:
        specs = [spec for spec in plugin.specs if name in (plugin.name, spec.name)]
        factories = [getattr(spec, "factory", None) or "" for spec in specs]
        modules |= {each.partition(":")[0].partition(".")[0] for each in factories}
        if plugin.name == name and not plugin.from_file:
            modules.add(plugin.module.partition(".")[0])
    places = list(files)
    for module in sorted(modules - {""} - {path.stem for path in places}):
        found = find_spec(module)
        if found is not None:
            places += map(Path, found.submodule_search_locations or [found.origin or ""])
    if not places:
        raise UsageError(f"no source file of {name!r} is known", remedy="leave out --watch, or name one with --plugin")
    return places


def watch(arguments: Sequence[str], places: Sequence[Path]) -> NoReturn:
    """Run a command of coc in a process of its own, and again whenever a file in one of the places has changed."""
    while True:
        before = _times(places)
        subprocess.run([sys.executable, "-m", "coc_core", *arguments], check=False)
        console.warn(f"watching {counted(len(before), 'file')}; Ctrl-C ends this")
        while _times(places) == before:
            time.sleep(EVERY)


def _times(places: Iterable[Path]) -> dict[Path, int]:
    """When each Python file was last changed."""
    found = dict[Path, int]()
    for place in places:
        for path in place.rglob("*.py") if place.is_dir() else (place,):
            try:
                found[path] = path.stat().st_mtime_ns
            except FileNotFoundError:  # an editor replaces it just now
                found[path] = 0
    return found
