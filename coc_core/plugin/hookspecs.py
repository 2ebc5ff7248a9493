"""What a plugin may offer, in the order in which coc asks for it.

A plugin is a module (or any object) named by an entry point of the group `coc`. Each hook returns a list of frozen
specs; a spec names its factory as a string, `package.module:attribute`, which is imported when it is used and not
before. So a plugin's own module stays light, and listing the plugins imports none of their dependencies.
"""

from collections.abc import Iterable

import pluggy
from attrs import frozen

PROJECT = "coc"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@frozen
class DomainSpec:
    """`factory()` gives a `coc_core.domain.Domain`. `memories` lists those that it works with; None is all."""

    name: str
    factory: str
    summary: str
    memories: tuple[str, ...] | None = None


@frozen
class MemorySpec:
    """`factory(first, limits)` gives a `Memory`, `convention(domain, notation, limits)` its `Convention`."""

    name: str
    factory: str
    convention: str
    summary: str


@frozen
class ArithmeticSpec:
    """`factory()` gives a `coc_core.arithmetic.ArithmeticOracle`.

    An oracle that asks a model names the `dialect` that the model has to speak, and its `factory(model)` gets it
    opened. It may name a `reference()` that gives a model which is always right.
    """

    name: str
    factory: str
    summary: str
    dialect: str | None = None
    reference: str | None = None


@frozen
class ModelSpec:
    """`factory(convention)` gives a `coc_core.models.Model` that needs no checkpoint.

    A backend with checkpoints names `opener(folder, config, identity, dialect)` instead, where `identity` lists the
    dialects that the checkpoint speaks and `dialect` is the one among them that is needed. It may name a `trainer()`
    that gives a `coc_core.models.Trainer`, and an `interchange()` that gives a `coc_core.models.Interchange`.

    `peers` are other libraries that can run its checkpoints, each a name and a factory with the arguments of `opener`,
    for `coc bench`. Such a factory raises UsageError where the library is missing or can't run that checkpoint.
    """

    name: str
    summary: str
    factory: str | None = None
    opener: str | None = None
    trainer: str | None = None
    interchange: str | None = None
    peers: tuple[tuple[str, str], ...] = ()


@frozen
class ExecutorSpec:
    """`factory()` gives a `coc_core.execution.Executor`."""

    name: str
    factory: str
    summary: str


@frozen
class CheckpointSpec:
    """A trained model that ships with a plugin: `folder` is `package:path`.

    It is the default for every run whose convention speaks one of its `dialects`.
    """

    name: str
    folder: str
    dialects: tuple[str, ...]
    summary: str


Spec = DomainSpec | MemorySpec | ArithmeticSpec | ModelSpec | ExecutorSpec | CheckpointSpec


@hookspec
def coc_domains() -> Iterable[DomainSpec]:  # type: ignore[empty-body]
    """Domains: what is a problem, what does an instruction do, what is legal, what is the goal."""


@hookspec
def coc_memories() -> Iterable[MemorySpec]:  # type: ignore[empty-body]
    """Memories, each with the convention that writes prompts and targets for it."""


@hookspec
def coc_arithmetics() -> Iterable[ArithmeticSpec]:  # type: ignore[empty-body]
    """Arithmetic oracles."""


@hookspec
def coc_models() -> Iterable[ModelSpec]:  # type: ignore[empty-body]
    """Model backends."""


@hookspec
def coc_executors() -> Iterable[ExecutorSpec]:  # type: ignore[empty-body]
    """Executors."""


@hookspec
def coc_checkpoints() -> Iterable[CheckpointSpec]:  # type: ignore[empty-body]
    """Checkpoints that ship with the plugin."""
