"""Comparing two recorded runs: what was run, each step, and how they end."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Literal

from attrs import asdict, field, frozen

from coc_core.execution import StepRecord
from coc_core.runfile import Manifest, RunFile, ending

Kind = Literal["equal", "problem", "dialect", "step", "prefix", "ending"]
_COMPARED = ("prompt", "target", "pointer", "actions")


@frozen
class Difference:
    """How two runs differ. `kind` is `problem` or `dialect` if they have other problems or dialects, so that no step
    was compared; `step` if they differ at a step, `prefix` if one has all steps of the other and more, `ending` if only
    their outcomes differ, otherwise `equal`. Of the first `step` that differs, or that only one has, there are both
    records and the fields that differ; `manifests` are other differences, such as versions: the name and both values.
    """

    kind: Kind
    step: int | None = None
    one: StepRecord | None = field(default=None, repr=False)
    other: StepRecord | None = field(default=None, repr=False)
    parts: tuple[str, ...] = ()
    manifests: tuple[tuple[str, Any, Any], ...] = field(default=(), repr=False)


def compare_runs(one: RunFile, other: RunFile) -> Difference:
    """Return the first difference of two runs. Steps are read one at a time, so runs may be long."""
    a, b = one.manifest, other.manifest
    manifests = tuple(_manifests(a, b))
    if (a.domain, a.problem) != (b.domain, b.problem):
        return Difference("problem", manifests=manifests)
    if (a.memory, a.notation) != (b.memory, b.notation):
        return Difference("dialect", manifests=manifests)
    for step, (ours, theirs) in enumerate(zip_longest(one.records(), other.records()), 1):
        if ours is None or theirs is None:
            return Difference("prefix", step, ours, theirs, manifests=manifests)
        parts = tuple(name for name in _COMPARED if getattr(ours, name) != getattr(theirs, name))
        if parts:
            return Difference("step", step, ours, theirs, parts, manifests)
    return Difference("equal" if ending(one.outcome) == ending(other.outcome) else "ending", manifests=manifests)


def _manifests(one: Manifest, other: Manifest) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name and both values of each entry that differs; None where a manifest lacks it."""
    first, second = dict(_flat("", asdict(one))), dict(_flat("", asdict(other)))
    for name in dict.fromkeys([*first, *second]):
        if first.get(name) != second.get(name):
            yield name, first.get(name), second.get(name)


def _flat(prefix: str, values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, value
