"""Plugins that are a single Python file."""

import os
import sys
from collections.abc import Iterable
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from keyword import iskeyword
from pathlib import Path
from types import ModuleType

from coc_core.errors import UsageError
from coc_core.plugin.loading import Plugin, specs_or_error


class FileLoader(SourceFileLoader):
    """Imports a single-file plugin. It identifies the frames of the plugin's code in a traceback."""


def load_files(files: Iterable[Path]) -> tuple[Plugin, ...]:
    """Load single-file plugins, each file once.

    A file is imported as a module with the name of the file, so the factories in its specs may name this module.

    Raises:
        UsageError: If a file can't be read, or a module can't have its name.
    """
    distinct = {os.path.realpath(path): path for path in files}
    return tuple(map(_load_file, distinct.values()))


def _load_file(path: Path) -> Plugin:
    name = path.stem
    try:
        digest = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"can't read the plugin {path}: {error.strerror}", remedy="name a Python file") from None
    if path.suffix != ".py" or not name.isidentifier() or iskeyword(name) or name.startswith("__"):
        raise UsageError(f"a plugin can't be called {path.name!r}", remedy="rename it, for example to my_puzzle.py")
    if not _is_free(name, path):
        raise UsageError(f"a plugin can't be called {path.name!r}: a module {name!r} exists", remedy="rename it")
    return Plugin(name, name, path.name, digest[:12], *specs_or_error(lambda: _module(name, path)), from_file=True)


def _is_free(name: str, path: Path) -> bool:
    """Whether no module has the name, except for the one at `path`."""
    present = sys.modules.get(name)
    spec = present.__spec__ if present else find_spec(name)
    if spec is None or spec.origin is None:  # nothing, or a folder without a module in it
        return present is None
    return Path(spec.origin).resolve() == path.resolve()


def _module(name: str, path: Path) -> ModuleType:
    """The module of a file, imported unless it has been imported before."""
    if name in sys.modules:
        return sys.modules[name]
    loader = FileLoader(name, str(path.absolute()))
    spec = spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module
