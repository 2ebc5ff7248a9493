"""Finding and loading plugins, one by one, so that a broken one hurts nobody else.

pluggy's own entry-point loader stops at the first failure and drops the second of two plugins with one name without a
word; here each entry point is loaded under guard into a manager of its own, and what went wrong is kept as data.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from keyword import iskeyword
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pluggy
from attrs import frozen

from coc_core.errors import UsageError
from coc_core.plugin import hookspecs
from coc_core.plugin.hookspecs import PROJECT, Spec

DISTRIBUTION = "chain-of-computation"

HOOKS: dict[str, type[Spec]] = {
    "coc_domains": hookspecs.DomainSpec,
    "coc_memories": hookspecs.MemorySpec,
    "coc_arithmetics": hookspecs.ArithmeticSpec,
    "coc_models": hookspecs.ModelSpec,
    "coc_executors": hookspecs.ExecutorSpec,
    "coc_checkpoints": hookspecs.CheckpointSpec,
}


@frozen
class Plugin:
    """One entry point, or one file: what it offers, or why it offers nothing (`error`).

    A file stands for its distribution, too, and the first digits of its SHA-256 for the version.
    """

    name: str
    module: str
    distribution: str
    version: str
    specs: tuple[Spec, ...] = ()
    error: str = ""
    from_file: bool = False

    @property
    def built_in(self) -> bool:
        """Whether it comes with coc itself."""
        return self.distribution == DISTRIBUTION

    def __str__(self) -> str:
        return f"{self.name!r} of {self.distribution}"


class _FileLoader(SourceFileLoader):
    """Imports a plugin that is one file. A frame of its code can be told by it."""


def installed() -> tuple[EntryPoint, ...]:
    """The entry points of the group `coc`, each once, built-in ones first, then by distribution and name."""
    found = {(_distribution(point), point.name, point.value): point for point in entry_points(group=PROJECT)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0] != DISTRIBUTION, key)))


def load(points: Iterable[EntryPoint]) -> tuple[Plugin, ...]:
    """Every plugin among `points`, loaded or with its error. Only a KeyboardInterrupt gets through."""
    return tuple(_load(point) for point in points)


def load_files(files: Iterable[Path]) -> tuple[Plugin, ...]:
    """The plugins that these Python files are, each once, loaded or with its error.

    A file becomes a module under the name of the file, so the factories in its specs may name that module. UsageError
    if a file can't be read or its module can't have that name.
    """
    distinct = {os.path.realpath(path): path for path in files}
    return tuple(map(_load_file, distinct.values()))


def plugin_at_fault(error: BaseException) -> str | None:
    """The plugin, not of coc itself, whose code an error came out of; None if there is none."""
    return next((plugin for plugin, _ in _plugin_frames(error)), None)


def plugin_frame(error: BaseException) -> str | None:
    """Where in a plugin an error, or what caused it, arose: `file:line in function`; None if it was elsewhere."""
    cause: BaseException | None = error
    while cause is not None:
        places = [
            f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}" for _, (frame, line) in _plugin_frames(cause)
        ]
        if places:
            return places[-1]
        cause = cause.__cause__
    return None


def _plugin_frames(error: BaseException) -> Iterator[tuple[str, tuple[FrameType, int]]]:
    """The frames that an error passed through in plugins that are not of coc itself, outermost first."""
    strangers = {point.module.split(".")[0]: point for point in installed() if _distribution(point) != DISTRIBUTION}
    for frame, line in traceback.walk_tb(error.__traceback__):
        loader = frame.f_globals.get("__loader__")
        if isinstance(loader, _FileLoader):
            yield f"{loader.name!r} of {Path(loader.path).name}", (frame, line)
        else:
            point = strangers.get(frame.f_globals.get("__name__", "").split(".")[0])
            if point is not None:
                yield f"{point.name!r} of {_distribution(point)}", (frame, line)


def _load(point: EntryPoint) -> Plugin:
    version = (point.dist and point.dist.version) or ""
    return Plugin(point.name, point.value, _distribution(point), version, *_guarded(point.load))


def _load_file(path: Path) -> Plugin:
    name = path.stem
    try:
        digest = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"can't read the plugin {path}: {error.strerror}", remedy="name a Python file") from None
    if path.suffix != ".py" or not name.isidentifier() or iskeyword(name) or name.startswith("__"):
        raise UsageError(f"a plugin can't be called {path.name!r}", remedy="rename it like my_puzzle.py")
    if not _is_free(name, path):
        raise UsageError(f"a plugin can't be called {path.name!r}: a module {name!r} is there", remedy="rename it")
    return Plugin(name, name, path.name, digest[:12], *_guarded(lambda: _module(name, path)), from_file=True)


def _is_free(name: str, path: Path) -> bool:
    """Whether no module has that name, except the one that `path` is."""
    present = sys.modules.get(name)
    spec = present.__spec__ if present else find_spec(name)
    if spec is None or spec.origin is None:  # nothing, or a folder without a module in it
        return present is None
    return Path(spec.origin).resolve() == path.resolve()


def _module(name: str, path: Path) -> ModuleType:
    """The module that the file is: as it was imported before, or imported now."""
    if name in sys.modules:
        return sys.modules[name]
    loader = _FileLoader(name, str(path.absolute()))
    spec = spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _guarded(find: Callable[[], Any]) -> tuple[tuple[Spec, ...], str]:
    """What the module that `find` gives offers, and the error if that can't be known."""
    try:
        return _specs(find()), ""
    except (Exception, SystemExit) as raised:
        error = f"{type(raised).__name__}: {raised}" if str(raised) else type(raised).__name__
        return (), " ".join(error.split())


def _specs(module: Any) -> tuple[Spec, ...]:
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.register(module)
    manager.check_pending()
    found: list[Spec] = []
    for hook, kind in HOOKS.items():
        for offered in getattr(manager.hook, hook)():
            for spec in offered:
                if not isinstance(spec, kind):
                    raise TypeError(f"{hook} must return {kind.__name__} records, not {spec!r}")
                if not (isinstance(spec.name, str) and isinstance(spec.summary, str)):
                    raise TypeError(f"the name and the summary of a {kind.__name__} are text, not as in {spec!r}")
                found.append(spec)
    return tuple(found)


def _distribution(point: EntryPoint) -> str:
    return (point.dist and point.dist.name) or "an unnamed distribution"
