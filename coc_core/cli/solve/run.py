"""`coc run`: solve one problem, and say how it went."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import frozen

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.cli.solve import show
from coc_core.cli.solve.plan import PlanFormat, plan_file
from coc_core.cli.solve.problem import check_length, choose_problem
from coc_core.cli.solve.record import begin, resumption, saved
from coc_core.cli.solve.report import exit_code, report, report_ended
from coc_core.cli.solve.watch import Watch
from coc_core.errors import UsageError
from coc_core.execution import Executor, Listener
from coc_core.models import Model
from coc_core.plugin import ExecutorSpec
from coc_core.runfile import Session
from coc_core.setting import Setting
from coc_core.types import Limits, Outcome

LONGEST_DELAY = 60.0  # seconds


@frozen
class Job:
    """What is to be run; `recording` is None if it leaves no run file."""

    setting: Setting
    problem: Any
    subject: Model
    executor: str
    seed: int
    recording: Session | None = None


def run(
    context: typer.Context,
    domain: options.DomainOrResume = None,
    memory: options.Memory = "pda",
    arith: options.Arith = "symbolic",
    arith_model: options.ArithModel = None,
    n: options.Size = None,
    seed: options.Seed = 0,
    problem: options.Problem = None,
    model: options.Model = None,
    device: options.Device = None,
    executor: options.Executor = "auto",
    plan: options.Plan = None,
    plan_format: Annotated[
        PlanFormat,
        typer.Option(
            "--plan-format",
            help="Write the actions' texts, or the physical moves that they make.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = PlanFormat.text,
    save: options.Save = None,
    resume: options.Resume = None,
    max_steps: options.MaxSteps = Limits().steps,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="Call the model with one prompt at a time, so that batching can't change how numbers are rounded.",
            rich_help_panel=options.ADVANCED,
        ),
    ] = False,
    plugins: options.Plugins = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Show the puzzle and the memory on the terminal, step by step.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    delay: Annotated[
        float,
        typer.Option(
            "--delay",
            parser=options.decimal(0, LONGEST_DELAY),
            metavar="SECONDS",
            help="With --watch: wait this long after each step, at most a minute.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = 0.4,
    as_json: options.Json = False,
) -> int:
    """Solve one problem with a model in the loop.

    Every action is validated as it is written. The exit code is 0 if the plan reaches the goal.

    Examples:
        coc run -d hanoi -n 8
        coc run -d pancake -n 20 --memory tape --arith inline --seed 3
        coc run -d hanoi -n 12 --save twelve.run --plan moves.txt
        coc run --resume twelve.run
    """
    if watch and as_json:
        raise UsageError("--watch can't be combined with --json")
    registry = console.registry(plugins)
    if plan is None and plan_format is not PlanFormat.text:
        raise UsageError("--plan-format needs --plan", remedy="name the plan's file with --plan FILE")
    with ExitStack() as source:
        started = time.perf_counter()
        if resume is not None:
            resumed = resumption(context, registry, resume, model, arith_model, source)
            if resumed.stage is None:
                return report_ended(resumed, as_json)
            stage = resumed.stage
            recording: Session | None = Session(resume, resumed.manifest, stage.setting, resumed.runfile)
            manifest = resumed.manifest
            job = Job(stage.setting, stage.problem, stage.subject, manifest.executor, manifest.seed, recording)
            check_length(job.setting, job.problem)
        else:
            if domain is None:
                raise UsageError("Missing option '--domain' / '-d'", remedy="`coc plugins` lists the domains")
            setting = Setting.of(registry, domain, memory, arith, Limits(steps=max_steps), arith_model)
            chosen = choose_problem(setting, n, seed, problem)
            check_length(setting, chosen)
            registry.find(ExecutorSpec, executor)
            with console.err().status("loading the model"):
                subject = setting.model(model)
            for called in (subject, setting.arith_model):
                if called is not None:
                    called.unbatched = deterministic
            recording = None
            if save is not None:
                recording = begin(save, setting, chosen, subject, executor, model, arith_model, seed)
            job = Job(setting, chosen, subject, executor, seed, recording)
        loading = time.perf_counter() - started
        runner: Executor = registry.create(ExecutorSpec, job.executor)
        drawn = (lambda: Watch(console.out(), job.setting, delay)) if watch else None
        before, after, outcome = _perform(job, runner, plan, plan_format, drawn)
    expected = job.setting.domain.expect(job.problem)
    if as_json:
        document = report(job.setting, job.problem, job.seed, runner, job.subject.describe(), outcome)
        document |= {"load_seconds": round(loading, 3), "plan": str(plan) if plan else None}
        typer.echo(json.dumps(document | (saved(job.recording) if job.recording else {})))
    else:
        if not watch:
            show.puzzle(console.out(), job.setting.domain, before, after)
        show.summary(console.out(), job.setting, job.problem, job.subject.describe(), outcome, expected)
        show.choice(console.out(), runner)
    return exit_code(outcome)


def _perform(
    job: Job, runner: Executor, plan: Path | None, form: PlanFormat, drawn: Callable[[], Watch] | None
) -> tuple[Any, Any, Outcome]:
    """Run it, and whatever hears of its steps; gives the first state, the last one, and the outcome."""
    setting, recording = job.setting, job.recording
    with ExitStack() as stack:
        listeners: list[Listener] = []
        if plan is not None:
            listeners.append(stack.enter_context(plan_file(plan, setting.domain, form)))
        if recording is not None:
            listeners.append(recording.open(stack))
        if drawn is not None:
            listeners.append(stack.enter_context(drawn()))
        machine = setting.machine(job.problem, listeners)
        before = machine.state
        if drawn is None:
            expected = setting.domain.expect(job.problem)
            total = expected.steps if expected else None
            stack.enter_context(progress(console.err(), "running", lambda: total, lambda: machine.steps))
        stack.enter_context(interruptible(machine))
        if recording is not None:
            recording.replay(machine, job.subject)
        (outcome,) = runner.run([machine], job.subject)
        if recording is not None:
            recording.finish(outcome, job.subject)
    return before, machine.state, outcome
