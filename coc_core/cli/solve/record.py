"""`coc run --save` and `--resume`: what the command line adds to the run file."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer
from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, ResumedRun, RunFile, Session, is_finished, merge_log, prepare_resume
from coc_core.setting import Setting
from coc_core.types import Outcome

_FIXED = ("domain", "memory", "arith", "executor", "n", "seed")


def begin(
    path: Path,
    setting: Setting,
    problem: Any,
    subject: Model,
    executor: str,
    model: str | None,
    arith_model: str | None,
    seed: int,
) -> Session:
    """The recording of a new run; `model` and `arith_model` are the choices that led to its models."""
    manifest = Manifest.of(
        setting,
        problem,
        subject,
        executor=executor,
        model=_lasting(model),
        arith_model=_lasting(arith_model),
        seed=seed,
    )
    return Session(path, manifest, setting)


@frozen
class Resumption:
    """A run file to go on with, checked; `stage` is None if the run has ended and there is nothing to do."""

    runfile: RunFile
    manifest: Manifest
    stage: ResumedRun | None


def resumption(
    context: typer.Context, registry: Registry, path: Path, model: str | None, arith_model: str | None, stack: ExitStack
) -> Resumption:
    """What `--resume` means together with the other options; UsageError if one of them contradicts the file."""
    runfile = stack.enter_context(RunFile.open(path))
    _check_options(context, runfile.manifest)
    most = context.params["max_steps"] if _given(context, "max_steps") else None
    if is_finished(runfile.outcome, runfile.manifest, most):
        merge_log(path)
        return Resumption(runfile, runfile.manifest, None)
    manifest = runfile.manifest.with_choices(most, model, arith_model)
    with console.err().status("loading the model"):
        stage = prepare_resume(registry, runfile, manifest)
    for note in stage.notes:
        console.warn(note)
    return Resumption(runfile, manifest, stage)


def saved(session: Session) -> dict[str, Any]:
    """What the JSON document says of the run file; it must be closed by now."""
    with RunFile.open(session.path) as runfile:
        return {"save": str(session.path), "digest": runfile.digest(), "replayed": session.replayed}


def ended_report(resumed: Resumption, outcome: Outcome) -> dict[str, Any]:
    """A run that had ended already as a JSON document, like that of the run itself."""
    manifest, runfile = resumed.manifest, resumed.runfile
    names = ("domain", "memory", "arith", "executor", "n", "seed", "problem")
    return {
        **{name: getattr(manifest, name) for name in names},
        "model": manifest.records["model"].get("description"),
        "outcome": outcome.status,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
        "seconds": round(outcome.seconds, 6),
        "save": str(runfile.path),
        "digest": runfile.digest(),
        "replayed": runfile.steps,
    }


def _lasting(choice: str | None) -> str | None:
    """A model's choice as it can be found again from anywhere: a folder by its whole path."""
    # Not Path.is_dir, since Path raises for a name that is too long.
    is_folder = choice is not None and (os.path.isdir(choice) or "/" in choice)  # noqa: PTH112
    return str(Path(choice).absolute()) if choice and is_folder else choice


def _check_options(context: typer.Context, manifest: Manifest) -> None:
    for name in ("save", "problem", "watch", "deterministic"):
        if _given(context, name):
            raise UsageError(f"--{name} can't go with --resume", remedy="leave it out")
    for name in _FIXED:
        recorded = getattr(manifest, name)
        if _given(context, name) and context.params[name] != recorded:
            raise UsageError(f"--{name} can't change in a run that goes on: it is {recorded}", remedy="leave it out")


def _given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
