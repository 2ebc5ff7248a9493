"""`coc run`: solve one problem, and say how it went."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from coc_core.api import Job, PlanFormat, check_skips, grammar_file, new_job, plan_file, resumed_job
from coc_core.cli import console, options
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.cli.solve import show, trained
from coc_core.cli.solve.record import given, saved
from coc_core.cli.solve.report import exit_code, report, report_ended
from coc_core.cli.solve.watch import Watch
from coc_core.errors import UsageError
from coc_core.execution import Listener, Machine, Summary
from coc_core.runfile import Replay, RunFile, run_files
from coc_core.storage import check_distinct
from coc_core.types import Limits, Outcome

LONGEST_DELAY = 60.0  # seconds


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
            help="Write the actions' texts, the physical moves that they make, or a grammar; see `coc plan`.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = PlanFormat.text,
    save: options.Save = None,
    resume: options.Resume = None,
    max_steps: Annotated[
        int | None, options.max_steps(f"{Limits().steps:,}, and no limit where steps are skipped")
    ] = None,
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
        coc run -d hanoi -n 64 --plan 64.plan --plan-format grammar
    """
    if watch and plan_format is PlanFormat.grammar:
        raise UsageError("--watch shows every step, and --plan-format grammar skips them", remedy="leave one out")
    if watch and as_json:
        raise UsageError("--watch can't be combined with --json")
    registry = console.registry(plugins)
    if plan is None and plan_format is not PlanFormat.text:
        raise UsageError("--plan-format needs --plan", remedy="name the plan's file with --plan FILE")
    _check_files(plan, save, resume, problem, plugins or [], [model, arith_model])
    with ExitStack() as source:
        started, status = time.perf_counter(), console.status("loading the model")
        if resume is None:
            job = new_job(
                registry,
                domain,
                n,
                memory=memory,
                arith=arith,
                arith_model=arith_model,
                model=model,
                executor=executor,
                seed=seed,
                problem=None if problem is None else Path(problem),
                max_steps=max_steps,
                deterministic=deterministic,
                save=save,
                every_step=watch or (plan is not None and plan_format is not PlanFormat.grammar),
                loading=status,
            )
        else:
            found = resumed_job(registry, resume, given(context), source, status, _verifying)
            if isinstance(found, RunFile):
                return report_ended(found, as_json)
            job = found
        if plan_format is PlanFormat.grammar:
            check_skips(job)
        for note in job.notes:
            console.warn(note)
        loading = time.perf_counter() - started
        size = job.setting.domain.size(job.problem)
        unseen = trained.warn_outside(job.model, [size])
        machine, outcome = _perform(job, plan, plan_format, Watch(console.out(), job.setting, delay) if watch else None)
    if as_json:
        document = report(job, outcome) | trained.document(job.model, [size])
        document |= {"load_seconds": round(loading, 3), "plan": str(plan) if plan else None}
        console.document(document | (saved(job.session) if job.session else {}))
    else:
        if not watch:
            show.puzzle(console.out(), machine.domain, machine.domain.initial(job.problem), machine.state)
        expected = machine.convention.expect(job.problem)
        composed = job.runner.used == Summary.name
        show.summary(console.out(), job.setting, job.problem, job.model.describe(), outcome, expected, composed)
        for remark in job.runner.remarks:
            show.remark(console.out(), remark)
        if unseen and outcome.status in ("fault", "unsolved"):
            show.remark(console.out(), unseen)
        show.choice(console.out(), job.runner)
    return exit_code(outcome)


def _check_files(
    plan: Path | None,
    save: Path | None,
    resume: Path | None,
    problem: str | None,
    plugins: Sequence[Path],
    models: Sequence[str | None],
) -> None:
    """UsageError if what will be written is also something else that the command line names."""
    folders = [Path(name) for name in models if name is not None]
    check_distinct(
        {"--plan": [plan] if plan else [], "--save": run_files(save) if save else []},
        {
            "--resume": run_files(resume) if resume else [],
            "--problem": [Path(problem)] if problem else [],
            "--plugin": plugins,
            "the model's folder": [file for folder in folders if folder.is_dir() for file in folder.iterdir()],
        },
    )


def _verifying(replay: Replay) -> AbstractContextManager[None]:
    return progress(console.err(), "replaying", lambda: replay.runfile.steps, lambda: replay.steps)


def _perform(job: Job, plan: Path | None, form: PlanFormat, watch: Watch | None) -> tuple[Machine, Outcome]:
    """Run it, and whatever hears of its steps."""
    listeners: list[Callable[[], AbstractContextManager[Listener]]] = []
    if plan is not None:
        domain = job.setting.domain
        if form is PlanFormat.grammar:
            listeners.append(lambda: grammar_file(plan, domain, job.problem))
        else:
            listeners.append(lambda: plan_file(plan, domain, form))
    if watch is not None:
        listeners.append(lambda: watch)
    expected = job.setting.convention.expect(job.problem)
    total = expected.steps if expected else None

    @contextmanager
    def shown(machine: Machine) -> Iterator[None]:
        bar = progress(console.err(), "running", lambda: total, lambda: machine.steps)
        with nullcontext() if watch else bar, interruptible(machine):
            yield

    return job.perform(listeners, shown)
