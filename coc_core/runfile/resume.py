"""Continuing an interrupted run: its parts are found, and checked."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from coc_core.errors import ArtefactError, LimitFault, UsageError
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.runfile.manifest import UNBATCHED, Manifest, facts, releases, versions
from coc_core.runfile.reader import RunFile
from coc_core.runfile.replay import rebuild_setting
from coc_core.setting import Setting
from coc_core.types import Outcome

_THEN = ", then "


def is_finished(outcome: Outcome | None, manifest: Manifest, max_steps: int | None = None) -> bool:
    """Return whether there is nothing to continue; with a higher `max_steps`, a run that ended at its limit can be."""
    if outcome is None or outcome.status == "interrupted":
        return False
    at_a_limit = outcome.fault is not None and outcome.fault.kind == LimitFault.kind
    return not (at_a_limit and max_steps is not None and max_steps > manifest.limits.steps)


def prepare_resume(
    registry: Registry, runfile: RunFile, manifest: Manifest
) -> tuple[Setting, Any, Model, Manifest, tuple[str, ...]]:
    """Find the parts of a recorded run, some chosen anew (`Manifest.with_choices`), and check that they are the same.

    Returns:
        Where the run takes place, the problem, the model, the manifest with the software that the run continues with,
        and a line about each thing that differs from when it was recorded.

    Raises:
        UsageError: The step limit is below the number of recorded steps, or a part is not available.
        ArtefactError: A model is not the one that the run was recorded with.
    """
    if manifest.limits.steps < runfile.steps:
        raise UsageError(
            f"{runfile.steps:,} steps are recorded, but the limit would be {manifest.limits.steps:,}",
            remedy="raise --max-steps",
        )
    # The problem is checked first, since that opens no checkpoint.
    _, problem = rebuild_setting(registry, manifest, f"the run file {runfile.path}")
    setting = Setting.of(
        registry, manifest.domain, manifest.memory, manifest.arith, manifest.limits, manifest.arith_model
    )
    if setting.convention.notation != manifest.notation:
        raise ArtefactError(f"{manifest.arith} arithmetic has no {manifest.notation} notation")
    subject = setting.model(manifest.model)
    now = {}
    for name, called in setting.models(subject).items():
        called.unbatched = manifest.records["model"].get("calls") == UNBATCHED
        now[name] = facts(called)
        _check_model(name, manifest.records.get(name, {}), now[name])
    installed = releases(registry.plugins)
    plugins = {name: installed.get(name, "none") for name in manifest.plugins}
    before = {"": _software(manifest.versions, manifest.plugins), **manifest.records}
    notes = _differences(before, {"": _software(versions(), plugins), **now})
    continued = evolve(
        manifest, versions=_both(manifest.versions, versions()), plugins=_both(manifest.plugins, plugins)
    )
    return setting, problem, subject, continued, tuple(notes)


def _check_model(name: str, recorded: Mapping[str, str], found: Mapping[str, str]) -> None:
    option = f"--{name.replace('_', '-')}"
    for key in ("name", "fingerprint"):
        if recorded.get(key) != found.get(key):
            raise ArtefactError(
                f"the run was recorded with another {name.replace('_', ' ')}: {_identity(recorded, key)}; this one is"
                f" {_identity(found, key)}",
                remedy=f"give the recorded one with {option}, or start a new run with --save",
            )


def _both(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Return the releases before and, where it is another, the one now, such as `1.0, then 1.1`."""
    return {
        name: old if new in (old, old.rpartition(_THEN)[2]) else f"{old}{_THEN}{new}"
        for name, new, old in ((name, new, before.get(name, "none")) for name, new in now.items())
    }


def _software(versions: Mapping[str, str], plugins: Mapping[str, str]) -> dict[str, str]:
    return {**versions, **{f"plugin {name}": release for name, release in plugins.items()}}


def _identity(record: Mapping[str, str], key: str) -> str:
    return f"{record.get('description', '')!a:.80} ({key} {record.get(key, 'none')!a:.80})"


def _differences(before: Any, now: Any) -> Iterator[str]:
    """Yield a line for each recorded fact that differs now."""
    for owner, facts_now in now.items():
        recorded = before.get(owner, {})
        for key in sorted(set(recorded) | set(facts_now)):
            old, new = recorded.get(key, "none"), facts_now.get(key, "none")
            if old != new and key not in ("description", "fingerprint", "name"):
                of = f" of the {owner.replace('_', ' ')}" if owner else ""
                yield f"the run was recorded with {key} {old!a:.60}{of}, and continues with {new!a:.60}"
