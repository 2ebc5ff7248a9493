"""What a result depends on beside its arguments: the code that runs, the checkpoints that it opens, the versions."""

import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from coc_core.plugin import ArithmeticSpec, CheckpointSpec, DomainSpec, MemorySpec, ModelSpec, Registry
from coc_paper.machine import torch_version

_CORE = "coc_core"
_NEVER_RUN = frozenset({"cli", "testing", "view"})
"""Packages of the core that are of no influence: the command line, the conformance kit, pages."""

_KINDS = {
    "domain": DomainSpec,
    "memory": MemorySpec,
    "arith": ArithmeticSpec,
    "backend": ModelSpec,
    "checkpoint": CheckpointSpec,
    "model": CheckpointSpec,
}
"""The arguments that name parts of plugins. A text or a list of texts."""


def code_of(function: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """The versions and the SHA-256 of the sources and checkpoints that a call runs, by their names.

    The sources are those of the core, of the package of the function, and of the plugins that offer what the arguments
    name. Where they name no backend, it is the transformer.
    """
    found = dict(_versions()) | {_CORE: _sources(_CORE)}
    module = function.partition(":")[0]
    package = module.rpartition(".")[0] or module
    found[package] = _sources(package)
    for kind, name in _named({"backend": "transformer", **arguments}):
        if name in _parts()[kind]:
            found[_parts()[kind][name]] = _sources(_parts()[kind][name])
            if kind is CheckpointSpec:
                found[f"checkpoint {name}"] = _checkpoint(name)
    return found


def _named(arguments: Mapping[str, Any]) -> Iterator[tuple[type, str]]:
    for argument, kind in _KINDS.items():
        given = arguments.get(argument) or ()
        yield from ((kind, name) for name in ([given] if isinstance(given, str) else given))


@cache
def _versions() -> Mapping[str, str]:
    """The versions that matter. That of torch is the same for all kinds of devices."""
    return {
        "python": platform.python_version(),
        "torch": torch_version().partition("+")[0],
        "coc": version("chain-of-computation"),
    }


_registry = cache(Registry.installed)


@cache
def _parts() -> Mapping[type, Mapping[str, str]]:
    """The package of each installed part, by kind and name."""
    registry = _registry()
    packages = {id(spec): plugin.module.partition(".")[0] for plugin in registry.plugins for spec in plugin.specs}
    return {kind: {spec.name: packages[id(spec)] for spec in registry.specs(kind)} for kind in set(_KINDS.values())}


@cache
def _checkpoint(name: str) -> str:
    registry = _registry()
    folder = registry.folder(registry.find(CheckpointSpec, name))
    return digest_of(folder, (path for path in folder.rglob("*") if path.suffix != ".md"))


@cache
def _sources(package: str) -> str:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return digest_of(Path(), [Path(spec.origin)] if spec and spec.origin else [])
    folder = Path(spec.submodule_search_locations[0])
    unused = {folder / name for name in _NEVER_RUN} if package == _CORE else set[Path]()
    return digest_of(folder, (path for path in folder.rglob("*.py") if unused.isdisjoint(path.parents)))


def digest_of(folder: Path, paths: Iterable[Path]) -> str:
    """The SHA-256 over the names, from the folder on, and the contents of those paths that are files."""
    return sha256(repr(sorted(sums_of(folder, paths).items())).encode()).hexdigest()


def sums_of(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    """The SHA-256 of those paths that are files, by their names from the folder on."""
    found = {}
    for path in paths:
        if path.is_file():
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = file_digest(file, "sha256").hexdigest()
    return found
