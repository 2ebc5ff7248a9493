"""What the shell can complete a value to: the names of the parts that are installed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coc_core.plugin import Registry

Pairs = list[tuple[str, str]]
"""Names, each with what it is."""


def _registry() -> "Registry":
    from coc_core.plugin import Registry

    return Registry.installed()


def _parts(*kinds: str) -> Callable[[str], Pairs]:
    """Completes to the names of the parts of these kinds, which are called as in `coc plugins`."""

    def complete(incomplete: str) -> Pairs:
        from coc_core.plugin import KINDS

        specs = [spec for plugin in _registry().plugins for spec in plugin.specs if KINDS[type(spec)] in kinds]
        named = {spec.name: spec.summary for spec in reversed(specs)}  # parts of different kinds may share a name
        return [(name, summary) for name, summary in reversed(named.items()) if name.startswith(incomplete)]

    return complete


domains = _parts("domain")
memories = _parts("memory")
arithmetics = _parts("arithmetic")
executors = _parts("executor")
plan_formats = _parts("plan format")
checkpoints = _parts("checkpoint")
models = _parts("checkpoint", "model")
backends = _parts("model")
checkable = _parts("domain", "memory", "arithmetic", "executor", "model", "checkpoint")


def presets(incomplete: str) -> Pairs:
    """The presets of every installed backend that can be trained."""
    from coc_core.plugin import ModelSpec

    registry = _registry()
    trainers = [registry.make(spec, spec.trainer) for spec in registry.specs(ModelSpec) if spec.trainer]
    found = [pair for trainer in trainers for pair in trainer.presets().items()]
    return [(name, summary) for name, summary in found if name.startswith(incomplete)]
