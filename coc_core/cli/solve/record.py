"""`coc run --save` and `--resume`: what the command line adds to the run file."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer
from attrs import asdict, frozen

from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.execution import Listener, Machine
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Recorder, RunFile, Stage, ended, rehearse, revised, set_stage, tidy, witness_of
from coc_core.setting import Setting
from coc_core.types import Outcome

_FIXED = ("domain", "memory", "arith", "executor", "n", "seed")


class Recording:
    """The run file that a run is written to, and, if it goes on with one, was read from."""

    def __init__(self, path: Path, manifest: Manifest, setting: Setting, source: RunFile | None) -> None:
        self.path = path
        self._manifest = manifest
        self._setting = setting
        self._source = source
        self._witness = witness_of(setting)
        self.replayed = source.steps if source else 0

    def open(self, stack: ExitStack) -> Listener:
        """Open the file for writing until `stack` ends; gives what has to hear every step of the machine."""
        domain, manifest, witness = self._setting.domain, self._manifest, self._witness
        if self._source is None:
            recorder = Recorder.create(self.path, domain, manifest, witness)
        else:
            recorder = Recorder.resume(self.path, domain, manifest, self.replayed, witness)
        self._recorder = stack.enter_context(recorder)
        return recorder.listen

    def prepare(self, machine: Machine, subject: Model) -> None:
        """Let the machine take the steps that are recorded already."""
        if self._witness is not None:
            machine.arithmetic = self._witness
        machine.find_loops = subject.deterministic
        if self._source is not None:
            rehearse(machine, self._source, self._witness)

    def finish(self, outcome: Outcome, subject: Model) -> None:
        """Write how the run has ended."""
        margins = {"model": subject.margin}
        if self._setting.arith_model is not None:
            margins["arith_model"] = self._setting.arith_model.margin
        self._recorder.finish(outcome, margins)

    def document(self) -> dict[str, Any]:
        """What the JSON document says of the file; it must be closed by now."""
        with RunFile.open(self.path) as runfile:
            return {"save": str(self.path), "digest": runfile.digest(), "replayed": self.replayed}


def begin(
    path: Path,
    setting: Setting,
    problem: Any,
    subject: Model,
    executor: str,
    model: str | None,
    arith_model: str | None,
    seed: int,
) -> Recording:
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
    return Recording(path, manifest, setting, None)


@frozen
class Resumption:
    """A run file to go on with, checked; `stage` is None if the run has ended and there is nothing to do."""

    runfile: RunFile
    manifest: Manifest
    stage: Stage | None


def resumption(
    context: typer.Context, registry: Registry, path: Path, model: str | None, arith_model: str | None, stack: ExitStack
) -> Resumption:
    """What `--resume` means together with the other options; UsageError if one of them contradicts the file."""
    runfile = stack.enter_context(RunFile.open(path))
    _check_options(context, runfile.manifest)
    most = context.params["max_steps"] if _given(context, "max_steps") else None
    if ended(runfile.outcome, runfile.manifest, most):
        tidy(path)
        return Resumption(runfile, runfile.manifest, None)
    manifest = revised(runfile.manifest, most, model, arith_model)
    with console.err().status("loading the model"):
        stage = set_stage(registry, runfile, manifest)
    for note in stage.notes:
        console.warn(note)
    return Resumption(runfile, manifest, stage)


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
