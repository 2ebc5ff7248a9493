"""`coc run`: solve one problem, and say how it went."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from attrs import asdict, frozen
from rich.markup import escape

from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.cli.solve import show
from coc_core.cli.solve.plan import PlanFormat, plan_file
from coc_core.cli.solve.record import Resumption, begin, ended_report, resumption, saved
from coc_core.cli.solve.watch import Watch
from coc_core.domain import read_problem
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, FAULT_KINDS, StepFault, UsageError
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
    executor: options.Executor = "cached",
    plan: options.OutFile = None,
    plan_format: Annotated[
        PlanFormat, typer.Option("--plan-format", help="The actions' texts, or the physical moves they make.")
    ] = PlanFormat.text,
    save: options.Save = None,
    resume: options.Resume = None,
    max_steps: options.MaxSteps = Limits().steps,
    deterministic: Annotated[
        bool,
        typer.Option("--deterministic", help="Ask each prompt by itself, so that rounding can't make a difference."),
    ] = False,
    plugins: options.Plugins = None,
    watch: Annotated[bool, typer.Option("--watch", help="Animate the puzzle and the memory, step by step.")] = False,
    delay: Annotated[float, typer.Option("--delay", help="With --watch: seconds between two steps.")] = 0.4,
    as_json: options.Json = False,
) -> int:
    """Solve a problem with a model in the loop, validating every action as it streams."""
    if watch and (as_json or not 0 <= delay <= LONGEST_DELAY):
        raise UsageError(f"--watch can't go with {'--json' if as_json else f'a delay of {delay} s'}")
    registry = console.registry(plugins)
    if plan is None and plan_format is not PlanFormat.text:
        raise UsageError("--plan-format needs a plan to write", remedy="name its file with --plan FILE")
    with ExitStack() as source:
        started = time.perf_counter()
        if resume is not None:
            resumed = resumption(context, registry, resume, model, arith_model, source)
            if resumed.stage is None:
                return _tell(resumed, as_json)
            stage = resumed.stage
            recording: Session | None = Session(resume, resumed.manifest, stage.setting, resumed.runfile)
            manifest = resumed.manifest
            job = Job(stage.setting, stage.problem, stage.subject, manifest.executor, manifest.seed, recording)
            check_length(job.setting, job.problem)
        else:
            if domain is None:
                raise UsageError("Missing option '--domain' / '-d'", remedy="coc plugins lists what there is")
            setting = Setting.of(registry, domain, memory, arith, Limits(steps=max_steps), arith_model)
            chosen = choose_problem(setting, n, seed, problem)
            check_length(setting, chosen)
            registry.find(ExecutorSpec, executor)
            with console.err().status("loading the model"):
                subject = setting.model(model)
            for asked in (subject, setting.arith_model):
                if asked is not None:
                    asked.unbatched = deterministic
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
        document = report(job.setting, job.problem, job.seed, job.executor, job.subject.describe(), outcome)
        document |= {"load_seconds": round(loading, 3), "plan": str(plan) if plan else None}
        typer.echo(json.dumps(document | (saved(job.recording) if job.recording else {})))
    else:
        if not watch:
            show.puzzle(console.out(), job.setting.domain, before, after)
        show.summary(console.out(), job.setting, job.problem, job.subject.describe(), outcome, expected)
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


def _tell(resumed: Resumption, as_json: bool) -> int:
    """Say how a run ended that has nothing more to do."""
    outcome = resumed.runfile.outcome
    assert outcome is not None
    if as_json:
        typer.echo(json.dumps(ended_report(resumed, outcome)))
    else:
        console.out().print(
            f"[bold]{outcome.status}[/]  {escape(str(resumed.runfile.path))} has ended already:"
            f" {outcome.steps:,} steps, {outcome.actions:,} actions",
            soft_wrap=True,
        )
        if outcome.fault is not None:
            console.out().print(f"  [red]{escape(show.fault_line(outcome.fault))}[/]", soft_wrap=True)
    return exit_code(outcome)


def choose_problem(setting: Setting, n: int | None, seed: int, source: str | None) -> Any:
    """The problem that the options ask for."""
    if source is None:
        return setting.domain.problem(options.DEFAULT_SIZE if n is None else n, seed)
    if n is not None:
        raise UsageError("--n and --problem both name a problem", remedy="give one of them")
    return read_problem(setting.domain, source)


def check_length(setting: Setting, problem: Any) -> None:
    """UsageError for a run that is known to need more steps than its limit."""
    expected = setting.domain.expect(problem)
    if expected is not None and expected.steps > setting.limits.steps:
        raise UsageError(
            f"this problem takes {expected.steps:,} steps, the limit is {setting.limits.steps:,}",
            remedy="choose a smaller n, or raise --max-steps",
        )


def report(setting: Setting, problem: Any, seed: int, executor: str, model: str, outcome: Outcome) -> dict[str, Any]:
    """A run as a JSON document."""
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "executor": executor,
        "model": model,
        "n": setting.domain.size(problem),
        "seed": seed,
        "problem": setting.domain.problems.format(problem),
        "outcome": outcome.status,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
        "arith_model": setting.arith_model.describe() if setting.arith_model else None,
        "arith_calls": setting.arith_model.calls if setting.arith_model else 0,
        "arith_mistakes": list(setting.arithmetic.mistakes),
        "seconds": round(outcome.seconds, 6),
    }


def exit_code(outcome: Outcome) -> int:
    """The exit code that tells how a run ended."""
    if outcome.fault is not None:
        return FAULT_KINDS.get(outcome.fault.kind, StepFault).exit_code
    return {"solved": EXIT_SOLVED, "interrupted": EXIT_INTERRUPTED}.get(outcome.status, EXIT_NOT_SOLVED)
