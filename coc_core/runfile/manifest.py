"""The manifest, which states everything that a run depends on, and the outcome of a run, both as JSON."""

import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from math import isfinite
from typing import Any, get_args

from attrs import asdict, evolve, fields, frozen

from coc_core.errors import FAULT_KINDS, ArtefactError
from coc_core.models import Model
from coc_core.plugin import DISTRIBUTION, ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, ModelSpec, Plugin
from coc_core.setting import Setting
from coc_core.storage import parse_json_object
from coc_core.text import quoted
from coc_core.types import Fault, Limits, Outcome, Status

UNBATCHED = "unbatched"
"""The value of `calls` in the record of a model that was called for one prompt at a time."""

_MAX_CHARACTERS = 1 << 16  # of a text that is not the problem
_MAX_ENTRIES = 1000  # of versions, plugins and the facts about a model
_MAX_SECONDS = 1e10  # three hundred years
_MAX_COUNT = 1 << 64
_MAX_REPORTS = 8  # of an executor, with the reason


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
        if any(limits[name] > most for name, most in asdict(Limits()).items() if name != "steps"):
            raise ArtefactError("a limit of the manifest is above that of coc")
        records = found["records"]
        named = isinstance(records, dict) and {"model"} <= records.keys() <= {"model", "arith_model"}
        if not (named and all(map(_texts, records.values()))):
            raise ArtefactError("the manifest has no record of the model")
        for name in ("versions", "plugins"):
            if not _texts(found[name]):
                raise ArtefactError(f"{name!r} of the manifest does not map texts to texts")
        for name in ("domain", "memory", "arith", "executor", "problem"):
            if not (_short(found[name]) or (name == "problem" and isinstance(found[name], str))):
                raise ArtefactError(f"{name!r} of the manifest is not a text, or is too long")
        for name in ("model", "arith_model"):
            if found[name] is not None and not _short(found[name]):
                raise ArtefactError(f"{name!r} of the manifest is neither a text nor null, or is too long")
        if found["notation"] not in ("numeric", "symbolic"):
            raise ArtefactError("'notation' of the manifest is unknown")
        if not _counts(found["n"]) or type(found["seed"]) is not int:
            raise ArtefactError("'n' or 'seed' of the manifest is not a whole number")
        return cls(**{**found, "limits": Limits(**limits)})


def facts(model: Model) -> dict[str, str]:
    """Return what is recorded of a model: its name, its description and its own `record`."""
    calls = {"calls": UNBATCHED} if model.unbatched else {}
    found = {"name": model.name, "description": model.describe(), **model.record, **calls}
    return {name: text[:_MAX_CHARACTERS] for name, text in found.items()}


def versions() -> dict[str, str]:
    """Return the versions of coc and Python."""
    return {"coc": version(DISTRIBUTION), "python": platform.python_version()}


def releases(plugins: Iterable[Plugin]) -> dict[str, str]:
    """Return the distribution and version of each plugin, by its name."""
    return {plugin.name: f"{plugin.distribution} {plugin.version}".strip() for plugin in plugins}


def other_software(manifest: Manifest, plugins: Iterable[Plugin]) -> str:
    """Return what to do about a recording by another version of coc or of a plugin, as a remedy; nothing for these."""
    now = {"coc": versions()["coc"]} | {f"the plugin {name}": each for name, each in releases(plugins).items()}
    then = {"coc": manifest.versions.get("coc", "none")}
    then |= {f"the plugin {name}": each for name, each in manifest.plugins.items()}
    other = [
        f"{quoted(name, 80)[1:-1]} {quoted(then[name], 60)}, here {quoted(now.get(name, 'none'), 60)}"
        for name in sorted(then)
        if then[name] != now.get(name)
    ]
    return f"use the versions that recorded it: {'; '.join(other[:3])}" if other else ""


def other_writer(manifest: str) -> str:
    """Return the same for a manifest that can't be read, as far as it says which version of coc has written it."""
    with suppress(ArtefactError):
        match parse_json_object(manifest.encode("utf-8", "surrogatepass"), "the manifest"):
            case {"versions": {"coc": str(writer)}} if writer != versions()["coc"]:
                return f"use the version that recorded it: coc {quoted(writer, 60)}, here {quoted(versions()['coc'])}"
    return ""


def outcome_to_json(outcome: Outcome, margins: Mapping[str, float | None]) -> str:
    """Return an outcome as JSON; long texts are cut.

    Args:
        outcome: The outcome.
        margins: The smallest logit margin of each model.
    """
    fault = outcome.fault
    if fault is not None:
        fault = evolve(fault, message=fault.message[:_MAX_CHARACTERS], text=fault.text[:_MAX_CHARACTERS])
    finite = {name: None if margin is None or not isfinite(margin) else margin for name, margin in margins.items()}
    plain = {**asdict(evolve(outcome, fault=fault, reason=outcome.reason[:_MAX_CHARACTERS])), "margins": finite}
    if outcome.status != "unsolvable":
        del plain["reason"]
    plain |= plain.pop("report")
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
            **rest,
        } if (
            len(rest) <= _MAX_REPORTS
            and all(map(_is_report, (report := {name: rest[name] for name in rest if name != "reason"}).values()))
            and status in get_args(Status)
            and (status == "fault") == (fault is not None)
            and (status == "unsolvable") == ("reason" in found)
            and _short(reason := found.get("reason", ""))
            and all(map(_counts, (steps, actions, calls)))
            and type(seconds) is not bool
            and 0 <= seconds <= _MAX_SECONDS
        ):
            ended = status, steps, actions, _fault(fault, steps + 1), calls, float(seconds), reason, report
            return Outcome(*ended)  # type: ignore[arg-type]
    raise ArtefactError("the outcome of the run is malformed")


def _is_report(found: Any) -> bool:
    return isinstance(found, dict) and all(value is None or _is_amount(value, _MAX_COUNT) for value in found.values())


def _is_amount(value: Any, most: int) -> bool:
    return type(value) in (int, float) and 0 <= value <= most


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
            and _short(message)
            and _short(text)
        ):
            return Fault(step, kind, message, text, offset)
    raise ArtefactError("the fault of the run is malformed")


def _plugins(setting: Setting, executor: str, models: list[Model]) -> dict[str, str]:
    """The distribution and version of each plugin that provides a part in use."""
    used = {
        (DomainSpec, setting.domain.name),
        (MemorySpec, setting.memory.name),
        (ArithmeticSpec, setting.arithmetic.name),
        (ExecutorSpec, executor.partition(":")[0]),
        *((ModelSpec, model.name) for model in models),
    }
    plugins = setting.registry.plugins
    return releases(each for each in plugins if any((type(spec), spec.name) in used for spec in each.specs))


def _counts(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MAX_COUNT


def _short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_CHARACTERS


def _texts(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= _MAX_ENTRIES and all(map(_short, (*value, *value.values())))
