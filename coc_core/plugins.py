"""Finding and loading plugins, one by one, so that a broken one hurts nobody else.

pluggy's own entry-point loader stops at the first failure and drops the second of two plugins with one name without a
word; here each entry point is loaded under guard into a manager of its own, and what went wrong is kept as data.
"""

import traceback
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import pluggy
from attrs import frozen

from coc_core import hookspecs
from coc_core.hookspecs import PROJECT, Spec

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
    """One entry point: what it offers, or why it offers nothing (`error`)."""

    name: str
    module: str
    distribution: str
    version: str
    specs: tuple[Spec, ...] = ()
    error: str = ""

    @property
    def built_in(self) -> bool:
        """Whether it comes with coc itself."""
        return self.distribution == DISTRIBUTION

    def __str__(self) -> str:
        return f"{self.name!r} of {self.distribution}"


def installed() -> tuple[EntryPoint, ...]:
    """The entry points of the group `coc`, each once, built-in ones first, then by distribution and name."""
    found = {(_distribution(point), point.name, point.value): point for point in entry_points(group=PROJECT)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (key[0] != DISTRIBUTION, key)))


def load(points: Iterable[EntryPoint]) -> tuple[Plugin, ...]:
    """Every plugin among `points`, loaded or with its error. Only a KeyboardInterrupt gets through."""
    return tuple(_load(point) for point in points)


def guilty(error: BaseException) -> str | None:
    """The installed plugin, not of coc itself, whose code an error came out of; None if there is none."""
    strangers = {point.module.split(".")[0]: point for point in installed() if _distribution(point) != DISTRIBUTION}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        point = strangers.get(frame.f_globals.get("__name__", "").split(".")[0])
        if point is not None:
            return f"{point.name!r} of {_distribution(point)}"
    return None


def _load(point: EntryPoint) -> Plugin:
    version = (point.dist and point.dist.version) or ""
    specs: tuple[Spec, ...] = ()
    error = ""
    try:
        specs = _specs(point.load())
    except (Exception, SystemExit) as raised:
        error = f"{type(raised).__name__}: {raised}" if str(raised) else type(raised).__name__
    return Plugin(point.name, point.value, _distribution(point), version, specs, " ".join(error.split()))


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
