"""`coc run`: solve one problem, and say how it went."""

import os
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from coc_core import api, runfile, storage
from coc_core.api import Job, check_skips, new_job, resumed_job
from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.options import command
from coc_core.cli.pictures import puzzle
from coc_core.cli.progress import progress
from coc_core.cli.solve.report import REMARK, exit_code, fields_of, report_ended, summary, warn_outside
from coc_core.domain import HasAnswer
from coc_core.errors import ActionFault, UnsupportedError, UsageError
from coc_core.execution import Listener, Machine, StepRecord
from coc_core.options import OUTPUT, File, Option, RunOptions, option, shared
from coc_core.plugin import DEFAULT_FORMAT, PlanFormatSpec, RunOptionsSpec, open_format
from coc_core.setting import configured_backend

if TYPE_CHECKING:
    from coc_core.domain import Translation


@frozen(kw_only=True, slots=False)
class RunCommand(RunOptions):
    """What `coc run` takes."""

    plan: Path | None = option(
        Option("Write the plan to this file; see --plan-format.", ("--plan",), File(), OUTPUT), None
    )
    plan_format: str | None = option(shared.PLAN_FORMAT, None, shown="that of the problem's language, otherwise text")


@command(RunCommand, more=RunOptionsSpec)
def run(options: RunCommand, *added: "api.RunAddition") -> int:
    """Solve one problem with a model in the loop.

    Every action is checked against the rules of the puzzle. The exit code is 0 if the plan reaches the goal.

    Examples:
        coc run -d hanoi -n 8
        coc run -d pancake -n 20 --memory tape --arith inline --seed 3
        coc run -d hanoi -n 12 --save twelve.run --plan moves.txt
        coc run --resume twelve.run
        coc run -d hanoi -n 64 --plan 64.plan --plan-format grammar
    """
    plan, plan_format = options.plan, options.plan_format
    drawn = next(filter(None, (each.draws for each in added)), "")
    if drawn and console.is_json():
        raise UsageError(f"{drawn} can't be combined with --json")
    registry = console.registry(options.plugins)
    form = None if plan_format is None else registry.find(PlanFormatSpec, plan_format)
    skipping = form is not None and form.writer is not None
    needs_every_step = next(filter(None, (each.needs_every_step for each in added)), None)
    if needs_every_step and skipping:
        raise UsageError(
            f"{needs_every_step} every step, and --plan-format {plan_format} skips them", remedy="leave one out"
        )
    if plan is None and plan_format is not None:
        raise UsageError("--plan-format needs --plan", remedy="name the plan's file with --plan FILE")
    _check_files(options, added)
    with ExitStack() as source:
        started, status = time.perf_counter(), console.status("loading the model")
        translation = next(filter(None, [each.problem(registry, options) for each in added]), None)
        if translation is not None and not translation.exact:
            if skipping:
                raise UsageError(f"this plan is checked action by action, and --plan-format {plan_format} skips them")
            needs_every_step = needs_every_step or "--pddl checks"
        if options.resume is None:
            job = new_job(
                registry,
                evolve(options, domain=translation.domain, problem=translation.problem) if translation else options,
                save=options.save,
                every_step=bool(needs_every_step) or (plan is not None and not skipping),
                loading=status,
            )
        else:
            found = resumed_job(registry, options, source, status, _verifying)
            if not isinstance(found, Job):
                return report_ended(registry, found)
            job = found
        if skipping:
            check_skips(job)
        for note in job.notes:
            console.warn(note)
        loading = time.perf_counter() - started
        size = job.setting.domain.size(job.problem)
        unseen = warn_outside(job.model, [size])
        listeners = _plan_listeners(job, options, translation)
        if translation is not None and (needs_every_step or not job.skips or (plan and not skipping)):
            listeners.append(partial(_checked, translation, job))
        listeners += [hears for each in added for hears in each.listeners(job)]
        domain, more = job.setting.domain, dict[str, Any]()
        if isinstance(domain, HasAnswer) and not drawn:
            drawn = "the answer"
            listeners += [] if console.is_json() else [partial(_printed, domain)]
        machine, outcome = job.perform(listeners, partial(_shown, job, bool(drawn)))
    if isinstance(domain, HasAnswer):
        more["answer"] = domain.answer(machine.state)
    result, *lines = summary(job, outcome, machine.skipped)
    if unseen and outcome.status in ("fault", "unsolved"):
        lines.append((unseen, REMARK))
    if job.runner.used != job.runner.name:
        lines.append(f"executor: {job.runner.used}, chosen by {job.runner.name}")
    if outcome.status == "interrupted":
        lines.append((_how_to_go_on(options, job), REMARK))
    console.report(
        lambda: fields_of(job, outcome, load_seconds=round(loading, 3), plan=str(plan) if plan else None, **more),
        [] if drawn else puzzle(machine.domain, machine.domain.initial(job.problem), machine.state),
        result,
        lines,
    )
    return exit_code(outcome)


def _how_to_go_on(options: RunCommand, job: Job) -> str:
    """Return the command that continues an interrupted run, or what it would have needed."""
    path = options.save or options.resume
    if path is None:
        return "nothing was recorded; a run with --save FILE can be continued"
    model = options.model if configured_backend(job.setting.registry, options.model) else None
    chosen = [("--resume", path), ("--model", model), ("--plan", options.plan), ("--plan-format", options.plan_format)]
    chosen += [("--plugin", file) for file in options.plugins]
    words = (word for flag, value in chosen if value is not None for word in (flag, str(value)))
    return f"to go on: {shlex.join(['coc', 'run', *words])}"


@contextmanager
def _checked(translation: "Translation", job: Job) -> Iterator[Listener]:
    """Refuses a problem in whose own words coc's plan is wrong, before the plan is there."""
    check = translation.check(job.setting.domain, job.problem)

    def listen(record: StepRecord) -> None:
        try:
            check(record)
        except ActionFault as fault:
            raise UnsupportedError(f"it is not a problem of {translation.domain}: {fault.message}") from None

    yield listen


@contextmanager
def _printed(domain: HasAnswer[Any, Any]) -> Iterator[Listener]:
    """Print the answer as it grows, and end its last line."""
    last = "\n"

    def listen(record: StepRecord) -> None:
        nonlocal last
        if record.actions and (text := domain.added(record.before, record.after)):
            console.put(text)
            last = text[-1]

    yield listen
    if last != "\n":
        console.put("\n")


def _check_files(options: RunCommand, added: "Sequence[api.RunAddition]") -> None:
    """Raise UsageError if what will be written is also something else that the command line names."""
    # Not Path.is_dir, since Path raises for a name that is too long.
    models = (options.model, options.arith_model)
    folders = [Path(name) for name in models if name is not None and os.path.isdir(name)]  # noqa: PTH112
    storage.check_distinct(
        {
            "--plan": [options.plan] if options.plan else [],
            "--save": runfile.run_files(options.save) if options.save else [],
        },
        {
            "--resume": runfile.run_files(options.resume) if options.resume else [],
            "--problem": [Path(options.problem)] if options.problem else [],
            **{name: files for each in added for name, files in each.reads().items()},
            "--plugin": options.plugins,
            "the model's folder": [file for folder in folders for file in folder.iterdir()],
        },
    )


def _verifying(replay: "runfile.Replay") -> AbstractContextManager[None]:
    return progress(console.err(), "replaying", lambda: replay.runfile.steps, lambda: replay.machine.steps)


def _plan_listeners(job: Job, options: RunCommand, translation: "Translation | None") -> "list[api.OpensListener]":
    """Return what writes the plan to a file, in the words of the problem if it was translated."""
    registry, domain = job.setting.registry, job.setting.domain
    listeners: list[api.OpensListener] = []
    if (plan := options.plan) is not None:
        name = options.plan_format or (translation.language if translation else DEFAULT_FORMAT)
        if (spec := registry.find(PlanFormatSpec, name)).writer is not None:
            writer = spec.writer
            listeners.append(lambda: registry.make(spec, writer, plan, domain, job.problem))
        else:
            form = open_format(registry, name, domain, job.problem, translation)
            listeners.append(lambda: api.plan_file(plan, form))
    return listeners


@contextmanager
def _shown(job: Job, drawn: bool, machine: Machine) -> Iterator[None]:
    """Show the progress while the block runs, unless a listener draws on the terminal; Ctrl-C ends the run."""
    expected, before = job.setting.convention.expect(job.problem), job.session.replayed if job.session else 0
    total = min(expected.steps, job.setting.limits.steps) if expected else None
    bar = progress(console.err(), "running", lambda: total, lambda: machine.steps, before=before)
    with nullcontext() if drawn else bar, interruptible(machine.interrupt):
        yield
