"""The manifest, which states everything that a run depends on, and the outcome of a run, both as JSON."""

import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from math import isfinite
from typing import Annotated, Any

from attrs import asdict, evolve, fields_dict, frozen

from coc_core.arithmetic import Notation
from coc_core.errors import FAULT_KINDS, ArtefactError
from coc_core.models import Model
from coc_core.plugin import DISTRIBUTION, ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, ModelSpec, Plugin
from coc_core.setting import Setting
from coc_core.storage import parse_json_object, read_document
from coc_core.text import quoted
from coc_core.types import Count, Limits, Outcome, ShortText

UNBATCHED = "unbatched"
"""The value of `calls` in the record of a model that was called for one prompt at a time."""

Facts = Annotated[Mapping[ShortText, ShortText], range(1001)]
"""Texts by texts."""

_MAX_CHARACTERS = 1 << 16  # of a text that is not the problem


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

    domain: ShortText
    memory: ShortText
    arith: ShortText
    notation: Notation
    executor: ShortText
    model: ShortText | None
    arith_model: ShortText | None
    n: Count
    seed: int
    problem: str
    limits: Limits
    versions: Facts
    plugins: Facts
    records: Mapping[str, Facts]

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
        """Make the manifest of a new run of `subject`, for which the name or folder `model` was given."""
        models = setting.models(subject)
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
            plugins=_plugins(setting, executor, models.values()),
            records={name: facts(each) for name, each in models.items()},
        )

    def with_choices(
        self, max_steps: int | None = None, model: str | None = None, arith_model: str | None = None
    ) -> "Manifest":
        """Return the manifest with what may change when a run is resumed, None for what is as recorded."""
        limits = self.limits if max_steps is None else evolve(self.limits, steps=max_steps)
        return evolve(self, limits=limits, model=model or self.model, arith_model=arith_model or self.arith_model)

    def to_json(self) -> str:
        """Return the manifest as a JSON object."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Parse a manifest; ArtefactError for a key that is missing, unknown or of a wrong type."""
        manifest = read_document(cls, _parsed(text, "the manifest"), "the manifest")
        if any(getattr(manifest.limits, name) > most for name, most in asdict(Limits()).items() if name != "steps"):
            raise ArtefactError("a limit of the manifest is above that of coc")
        if not {"model"} <= manifest.records.keys() <= {"model", "arith_model"}:
            raise ArtefactError("the manifest has no record of the model")
        return manifest


def facts(model: Model) -> dict[str, str]:
    """Return what is recorded of a model: its name, its description and its own `record`."""
    calls = {"calls": UNBATCHED} if model.unbatched else {}
    found = {"name": model.name, "description": model.describe(), **model.record, **calls}
    return {str(name): str(value)[:_MAX_CHARACTERS] for name, value in found.items()}


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
        match _parsed(manifest, "the manifest"):
            case {"versions": {"coc": str(writer)}} if writer != versions()["coc"]:
                return f"use the version that recorded it: coc {quoted(writer, 60)}, here {quoted(versions()['coc'])}"
    return ""


def outcome_to_json(outcome: Outcome, margins: Mapping[str, float | None]) -> str:
    """Return an outcome, with the smallest logit margin of each model, as JSON; long texts are cut."""
    finite = {name: None if margin is None or not isfinite(margin) else margin for name, margin in margins.items()}
    return json.dumps({**_document(outcome), "margins": finite}, sort_keys=True)


def _document(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain values: long texts are cut, and a reason is left out where there is none."""
    fault = outcome.fault
    if fault is not None:
        fault = evolve(fault, message=fault.message[:_MAX_CHARACTERS], text=fault.text[:_MAX_CHARACTERS])
    plain = asdict(evolve(outcome, fault=fault, reason=outcome.reason[:_MAX_CHARACTERS]))
    if outcome.status != "unsolvable":
        del plain["reason"]
    plain |= plain.pop("report")
    return plain


def ending(outcome: Outcome | None) -> list[Any] | None:
    """Return how a run ended as plain values without wording, to compare two runs."""
    if outcome is None:
        return None
    fault = outcome.fault and [outcome.fault.step, outcome.fault.kind, outcome.fault.text, outcome.fault.offset]
    return [outcome.status, outcome.steps, outcome.actions, fault]


def outcome_from_json(text: str) -> Outcome:
    """Parse an outcome; ArtefactError if it is malformed."""
    found = _parsed(text, "the outcome")
    document = dict(found)
    margins = document.pop("margins", None)
    known = {name: document.pop(name) for name in fields_dict(Outcome) if name != "report" and name in document}
    outcome = read_document(Outcome, known | {"report": document}, "the outcome", sparse=True)
    fault = outcome.fault
    if (
        not isinstance(margins, dict)
        or found != _document(outcome) | {"margins": margins}
        or (outcome.status == "fault") != (fault is not None)
        or (fault is not None and (fault.kind not in FAULT_KINDS or fault.step != outcome.steps + 1))
    ):
        raise ArtefactError("the outcome is not one that coc writes")
    return outcome


def _parsed(text: str, where: str) -> dict[str, Any]:
    return parse_json_object(text.encode("utf-8", "surrogatepass"), where)


def _plugins(setting: Setting, executor: str, models: Iterable[Model]) -> dict[str, str]:
    """Return the distribution and version of each plugin that provides a part in use."""
    used = {
        (DomainSpec, setting.domain.name),
        (MemorySpec, setting.memory.name),
        (ArithmeticSpec, setting.arithmetic.name),
        (ExecutorSpec, executor.partition(":")[0]),
        *((ModelSpec, model.name) for model in models),
    }
    plugins = setting.registry.plugins
    return releases(each for each in plugins if any((type(spec), spec.name) in used for spec in each.specs))
