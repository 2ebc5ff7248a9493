"""Plugins that are a single Python file."""

import os
import sys
from collections.abc import Iterable
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from keyword import iskeyword
from pathlib import Path
from types import CodeType, ModuleType

from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin.loading import Plugin, loaded
from coc_core.storage import absolute, read_bytes

_LARGEST = 1 << 24  # bytes


class FileLoader(SourceFileLoader):
    """Imports a single-file plugin. It identifies the frames of the plugin's code in a traceback.

    What is run is the text that was read and hashed, whatever has become of the file since then.
    """

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self._source, self.path)


def load_files(files: Iterable[Path]) -> tuple[Plugin, ...]:
    """Load single-file plugins, each once; UsageError if one can't be read, or a module can't have its name.

    A file is imported as a module with the name of the file, so the factories in its specs may name this module.
    """
    distinct: dict[str, Plugin] = {}
    for path in files:
        plugin = _load_file(path)
        distinct.setdefault(os.path.realpath(path), plugin)
    return tuple(distinct.values())


def _load_file(path: Path) -> Plugin:
    name = path.stem
    try:
        source = read_bytes(path, _LARGEST)
        place = str(absolute(path))
    except ArtefactError as error:
        reason = error.message.replace("can't read", "can't read the plugin", 1)
        raise UsageError(reason, remedy="name a Python file") from None
    if path.suffix != ".py" or not name.isidentifier() or iskeyword(name) or name.startswith("__"):
        raise UsageError(f"a plugin can't be called {path.name!r}", remedy="rename it, for example to my_puzzle.py")
    if not _is_free(name, path):
        raise UsageError(f"a plugin can't be called {path.name!r}: a module {name!r} exists", remedy="rename it")
    digest = sha256(source).hexdigest()[:12]
    plugin = Plugin(name, name, path.name, digest, from_file=True)
    return loaded(plugin, lambda: _module(FileLoader(name, place, source)))


def _is_free(name: str, path: Path) -> bool:
    """Return whether no module has the name, except for the one at `path`."""
    present = sys.modules.get(name)
    spec = present.__spec__ if present else find_spec(name)
    if spec is None or spec.origin is None:  # nothing, or a folder without a module in it
        return present is None
    return Path(spec.origin).resolve() == path.resolve()


def _module(loader: FileLoader) -> ModuleType:
    """Return the module of a file, imported unless it has been imported before."""
    name = loader.name
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, loader=loader)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module
