"""What makes a result, beside its arguments: code, checkpoints, the versions of libraries, and the kind of hardware."""

import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from attrs import Factory, define

from coc_core.errors import CocError
from coc_core.models import read_config, requested_device
from coc_core.plugin import (
    ArithmeticSpec,
    CheckpointSpec,
    DomainSpec,
    ExecutorSpec,
    FunctionSpec,
    MemorySpec,
    ModelSpec,
    Registry,
)
from coc_core.setting import Setting
from coc_paper.origin.imports import FRONT_DOOR, Hooks, file_of, reached
from coc_paper.origin.versions import hardware, version_of

_COMPUTE_NOTHING = frozenset(
    {"attr", "attrs", "cattrs", "lazy_loader", "packaging", "pandas", "pluggy", "rich", "tensorboard", "typer"}
)
"""Libraries whose versions don't count: they hold code together, or show what was computed."""

_BACKEND, _EXECUTOR, _ARITH = "transformer", "auto", "symbolic"
"""What a task uses that names no other."""


@define
class _Used:
    """The parts of plugins that a task uses: modules and factories, folders of checkpoints, and the hardware."""

    registry: Registry
    roots: set[str] = Factory(set)
    checkpoints: dict[str, str] = Factory(dict)
    hardware: str = ""

    def parts(self, arguments: Mapping[str, Any]) -> None:
        """What `domain`, `memory`, `arith` and `executor` name; each may be a list."""
        memories = [*_names(arguments, "memory")]
        for domain in self.specs(DomainSpec, _names(arguments, "domain")):
            memories = memories or [domain.memory]
            self.roots |= {domain.factory_on(memory) for memory in memories}
        for memory in self.specs(MemorySpec, memories):
            self.roots |= {memory.factory, memory.convention}
        for arithmetic in self.specs(ArithmeticSpec, _names(arguments, "arith")):
            self.roots.add(arithmetic.factory)
            if arithmetic.dialect:
                self.default_checkpoint(arithmetic.dialect)
        runs = arguments.get("executor", _EXECUTOR if "domain" in arguments and "preset" not in arguments else "")
        for executor in self.specs(ExecutorSpec, [str(runs).partition(":")[0]]):
            self.roots |= {executor.factory, *filter(None, [executor.configured])}

    def model(self, choice: str) -> None:
        """The model that `--model` would choose: one of a backend, or a checkpoint, shipped or in a folder."""
        for shipped in self.specs(CheckpointSpec, [choice]):
            self.checkpoint(choice, self.registry.folder(shipped))
            return
        for backend in self.specs(ModelSpec, [choice.partition(":")[0]]):
            self.roots |= set(filter(None, [backend.factory, backend.configured]))
            self.hardware = "" if backend.factory else hardware(trains=False)
            return
        if Path(choice).is_dir():
            self.checkpoint(choice, Path(choice))

    def default_checkpoint(self, dialect: str) -> None:
        """The shipped checkpoint that a dialect has by default."""
        found = (spec for spec in self.registry.specs(CheckpointSpec) if dialect in spec.dialects)
        if spec := next(found, None):
            self.checkpoint(spec.name, self.registry.folder(spec))

    def checkpoint(self, name: str, folder: Path) -> None:
        """The files of a checkpoint, and the backend that opens it."""
        self.checkpoints[name] = _checkpoint(folder)
        try:
            self.opener(read_config(folder)[0].backend)
        except CocError:  # no checkpoint, as the task will say
            return

    def opener(self, backend: str) -> None:
        """The backend that opens the checkpoints of one: the first that can use the device."""
        device = requested_device()
        elsewhere = device is not None and device[0] != "cpu"
        for spec in self.registry.specs(ModelSpec):
            if spec.opener and backend in (spec.name, spec.opens) and not (elsewhere and spec.cpu_only):
                self.roots.add(spec.opener)
                self.hardware = hardware(trains=False)
                return

    def trainer(self, backend: str) -> None:
        """The backend that trains."""
        for spec in self.specs(ModelSpec, [backend]):
            self.roots |= set(filter(None, [spec.trainer]))
            self.hardware = hardware(trains=True)

    def specs(self, kind: Any, names: Iterable[str]) -> Iterator[Any]:
        """The installed ones of these names."""
        wanted = {*names}
        return (spec for spec in self.registry.specs(kind) if spec.name in wanted)


def code_of(function: str, arguments: Mapping[str, Any], trained: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a call runs: `parts` of plugins and `modules`, `libraries`, `checkpoints`, and the kind of `hardware`.

    The modules are those that the function's module reaches, and the parts of plugins that arguments name: `domain`,
    `memory`, `arith`, `executor`, `checkpoint` and `model`, which with a `preset` is the backend that trains.

    Args:
        function: The function.
        arguments: Its arguments.
        trained: The arguments of the training whose checkpoint it runs, if it runs one.
    """
    used = _Used(_registry(), {function.partition(":")[0]})
    used.parts(arguments)
    used.roots |= {*_names(trained or arguments, "network")}
    for name in _names(arguments, "checkpoint"):
        used.model(name)
    if trained is not None:
        used.opener("network" if "network" in trained else _trained_by(trained))
    elif "preset" in arguments:
        used.trainer(_trained_by(arguments))
    elif isinstance(arguments.get("model"), str):
        used.model(arguments["model"])
    elif isinstance(arguments.get("domain"), str):
        used.default_checkpoint(_dialect(arguments))
    modules, libraries = _reached(frozenset(used.roots))
    return {
        "parts": sorted(used.roots),
        "modules": dict(sorted((modules | _data(function.partition(":")[0])).items())),
        "libraries": {"python": platform.python_version(), **{name: _version(name) for name in sorted(libraries)}},
        "checkpoints": dict(sorted(used.checkpoints.items())),
        "hardware": used.hardware,
    }


def _trained_by(arguments: Mapping[str, Any]) -> str:
    """The backend of a training, which `coc train --model` chooses."""
    return str(arguments.get("model", _BACKEND))


def _names(arguments: Mapping[str, Any], argument: str) -> list[str]:
    given = arguments.get(argument) or ()
    return [given] if isinstance(given, str) else [str(name) for name in given]


_registry = cache(Registry.installed)


@cache
def _hooks() -> Hooks:
    registry = _registry()
    modules = frozenset(plugin.module.partition(":")[0] for plugin in registry.plugins)
    packages = frozenset({FRONT_DOOR, *(module.partition(".")[0] for module in modules)})
    return Hooks(modules, packages, {spec.name: spec.function for spec in registry.specs(FunctionSpec)})


@cache
def _reached(roots: frozenset[str]) -> tuple[dict[str, str], frozenset[str]]:
    modules, libraries = reached(sorted(roots), _hooks())
    return modules, frozenset(libraries - _COMPUTE_NOTHING)


@cache
def _version(library: str) -> str:
    """The version of a library, which is the same for all kinds of devices; empty if it is not installed."""
    found = version_of(library) or version_of(packages_distributions().get(library, [library])[0])
    return found.partition("+")[0]


def _dialect(arguments: Mapping[str, Any]) -> str:
    memory, arith = (next(iter(_names(arguments, name)), None) for name in ("memory", "arith"))
    try:
        return Setting.of(_registry(), arguments["domain"], memory, arith or _ARITH).convention.dialect
    except CocError:  # there is no such setting, as the task will say
        return ""


@cache
def _data(module: str) -> dict[str, str]:
    """The data files that are beside the function's module, in its package, by their names."""
    path = file_of(module)
    if path is None or not path.with_name("__init__.py").is_file():
        return {}
    folder = path.parent
    others = (path for path in folder.iterdir() if path.suffix not in (".py", ".pyc", ".pyi", ".md"))
    return {f"{module}: {name}": digest for name, digest in sums_of(folder, others).items()}


@cache
def _checkpoint(folder: Path) -> str:
    """The SHA-256 over the names and contents of a checkpoint's files, but for those that are only read by people."""
    sums = sums_of(folder, (path for path in folder.rglob("*") if path.suffix != ".md"))
    return sha256(repr(sorted(sums.items())).encode()).hexdigest()


def sums_of(folder: Path, paths: Iterable[Path]) -> dict[str, str]:
    """The SHA-256 of those paths that are files, by their names from the folder on; not of what an editor leaves."""
    found = {}
    for path in paths:
        if path.is_file() and not path.name.startswith(".") and not path.name.endswith("~"):
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = file_digest(file, "sha256").hexdigest()
    return found
