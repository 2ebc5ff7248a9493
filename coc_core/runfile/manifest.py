"""The manifest, which states everything that a run depends on, and the outcome of a run, both as JSON."""

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from math import isfinite
from typing import Any, get_args

from attrs import asdict, evolve, fields, frozen

from coc_core.errors import FAULT_KINDS, ArtefactError
from coc_core.models import Model
from coc_core.plugin import DISTRIBUTION, ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, ModelSpec
from coc_core.setting import Setting
from coc_core.storage import parse_json_object
from coc_core.types import Fault, Limits, Outcome, Status

UNBATCHED = "unbatched"
"""The value of `calls` in the record of a model that was called for one prompt at a time."""

_MAX_FAULT_TEXT = 1 << 16  # characters
_MAX_SECONDS = 1e10  # three hundred years
_MAX_COUNT = 1 << 64


@frozen(repr=False)
class Manifest:
    """What was run, and with which software.

    Attributes:
        model: The name or folder that was given for the model, None for the default.
        arith_model: The same for the model of the arithmetic.
        n: The size of the problem.
        problem: The text of the problem.
        versions: The versions of coc and Python.
        plugins: The distribution and version of each plugin that was used.
        records: Facts about the `model` and, if the arithmetic has one, the `arith_model`.
    """

    domain: str
    memory: str
    arith: str
    notation: str
    executor: str
    model: str | None
    arith_model: str | None
    n: int
    seed: int
    problem: str
    limits: Limits
    versions: Mapping[str, str]
    plugins: Mapping[str, str]
    records: Mapping[str, Mapping[str, str]]

    def __repr__(self) -> str:
        return f"Manifest({self.domain}, {self.memory}, {self.arith}, n={self.n})"

    @classmethod
    def of(
        cls,
        setting: Setting,
        problem: Any,
        subject: Model,
        *,
        executor: str,
        model: str | None = None,
        arith_model: str | None = None,
        seed: int = 0,
    ) -> "Manifest":
        """Make the manifest of a new run.

        Args:
            setting: Where the problem is run.
            problem: The problem.
            subject: The model.
            executor: The name of the executor.
            model: The name or folder that was given for the model.
            arith_model: The same for the model of the arithmetic.
            seed: The seed that the problem was drawn with.
        """
        records = {"model": facts(subject)}
        if setting.arith_model is not None:
            records["arith_model"] = facts(setting.arith_model)
        return cls(
            domain=setting.domain.name,
            memory=setting.memory.name,
            arith=setting.arithmetic.name,
            notation=setting.convention.notation,
            executor=executor,
            model=model,
            arith_model=arith_model,
            n=setting.domain.size(problem),
            seed=seed,
            problem=setting.domain.problems.format(problem),
            limits=setting.limits,
            versions=versions(),
            plugins=_plugins(setting, executor, [subject, *([setting.arith_model] if setting.arith_model else [])]),
            records=records,
        )

    def with_choices(
        self, max_steps: int | None = None, model: str | None = None, arith_model: str | None = None
    ) -> "Manifest":
        """Return the manifest with what may change when a run is resumed.

        Args:
            max_steps: The limit on the steps, None for the recorded one.
            model: Where the model is now, None for the recorded place.
            arith_model: Where the arithmetic model is now, None for the recorded place.
        """
        limits = self.limits if max_steps is None else evolve(self.limits, steps=max_steps)
        return evolve(self, limits=limits, model=model or self.model, arith_model=arith_model or self.arith_model)

    def to_json(self) -> str:
        """Return the manifest as a JSON object."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Parse a manifest.

        Raises:
            ArtefactError: A key is missing, unknown or of a wrong type.
        """
        found = parse_json_object(text.encode("utf-8", "surrogatepass"), "the manifest")
        if set(found) != {field.name for field in fields(cls)}:
            raise ArtefactError("the keys of the manifest are wrong")
        limits = found["limits"]
        names = {field.name for field in fields(Limits)}
        if not (isinstance(limits, dict) and set(limits) == names and all(_counts(value) for value in limits.values())):
            raise ArtefactError("the manifest has no limits")
        records = found["records"]
        if not (isinstance(records, dict) and "model" in records and all(map(_texts, records.values()))):
            raise ArtefactError("the manifest has no record of the model")
        for name in ("versions", "plugins"):
            if not _texts(found[name]):
                raise ArtefactError(f"{name!r} of the manifest does not map texts to texts")
        for name in ("domain", "memory", "arith", "executor", "problem"):
            if not isinstance(found[name], str):
                raise ArtefactError(f"{name!r} of the manifest is not a text")
        for name in ("model", "arith_model"):
            if not isinstance(found[name], str | None):
                raise ArtefactError(f"{name!r} of the manifest is neither a text nor null")
        if found["notation"] not in ("numeric", "symbolic"):
            raise ArtefactError("'notation' of the manifest is unknown")
        if not _counts(found["n"]) or type(found["seed"]) is not int:
            raise ArtefactError("'n' or 'seed' of the manifest is not a whole number")
        return cls(**{**found, "limits": Limits(**limits)})


def facts(model: Model) -> dict[str, str]:
    """Return what is recorded of a model: its name, its description and its own `record`."""
    calls = {"calls": UNBATCHED} if model.unbatched else {}
    return {"name": model.name, "description": model.describe(), **model.record, **calls}


def versions() -> dict[str, str]:
    """Return the versions of coc and Python."""
    return {"coc": version(DISTRIBUTION), "python": platform.python_version()}


def outcome_to_json(outcome: Outcome, margins: Mapping[str, float | None]) -> str:
    """Return an outcome as JSON; a long text at fault is cut.

    Args:
        outcome: The outcome.
        margins: The smallest logit margin of each model.
    """
    fault = outcome.fault and evolve(outcome.fault, text=outcome.fault.text[:_MAX_FAULT_TEXT])
    finite = {name: None if margin is None or not isfinite(margin) else margin for name, margin in margins.items()}
    plain = {**asdict(evolve(outcome, fault=fault)), "margins": finite}
    if outcome.status != "unsolvable":
        del plain["reason"]
    return json.dumps(plain, sort_keys=True)


def ending(outcome: Outcome | None) -> list[Any] | None:
    """Return how a run ended as plain values without wording, to compare two runs."""
    if outcome is None:
        return None
    fault = outcome.fault and [outcome.fault.step, outcome.fault.kind, outcome.fault.text, outcome.fault.offset]
    return [outcome.status, outcome.steps, outcome.actions, fault]


def outcome_from_json(text: str) -> Outcome:
    """Parse an outcome.

    Raises:
        ArtefactError: It is malformed.
    """
    found = parse_json_object(text.encode("utf-8", "surrogatepass"), "the outcome")
    match found:
        case {
            "status": str(status),
            "fault": (dict() | None) as fault,
            "model_calls": calls,
            "seconds": int() | float() as seconds,
            "steps": steps,
            "actions": actions,
            "margins": dict(),
        } if (
            len(found) == 7 + ("reason" in found)
            and status in get_args(Status)
            and (status == "fault") == (fault is not None)
            and (status == "unsolvable") == ("reason" in found)
            and isinstance(reason := found.get("reason", ""), str)
            and all(map(_counts, (steps, actions, calls)))
            and type(seconds) is not bool
            and 0 <= seconds <= _MAX_SECONDS
        ):
            ended = status, steps, actions, _fault(fault, steps + 1), calls, float(seconds), reason
            return Outcome(*ended)  # type: ignore[arg-type]
    raise ArtefactError("the outcome of the run is malformed")


def _fault(found: dict[str, Any] | None, expected: int) -> Fault | None:
    match found:
        case None:
            return None
        case {"step": step, "kind": str(kind), "message": str(message), "text": str(text), "offset": offset} if (
            len(found) == 5
            and kind in FAULT_KINDS
            and _counts(step)
            and step == expected
            and (offset is None or _counts(offset))
        ):
            return Fault(step, kind, message, text, offset)
    raise ArtefactError("the fault of the run is malformed")


def _plugins(setting: Setting, executor: str, models: list[Model]) -> dict[str, str]:
    """The distribution and version of each plugin that provides a part in use."""
    used = {
        (DomainSpec, setting.domain.name),
        (MemorySpec, setting.memory.name),
        (ArithmeticSpec, setting.arithmetic.name),
        (ExecutorSpec, executor),
        *((ModelSpec, model.name) for model in models),
    }
    return {
        plugin.name: f"{plugin.distribution} {plugin.version}".strip()
        for plugin in setting.registry.plugins
        if any((type(spec), spec.name) in used for spec in plugin.specs)
    }


def _counts(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MAX_COUNT


def _texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
