"""`coc trace`: every prompt and target of a run, as the paper's appendix prints them."""

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from coc_core.api import check_length, choose_problem
from coc_core.cli import complete, console, options
from coc_core.cli.solve import trained
from coc_core.cli.solve.report import exit_code
from coc_core.cli.solve.show import complaint_of
from coc_core.execution import Executor, StepRecord
from coc_core.plugin import ExecutorSpec
from coc_core.setting import Setting
from coc_core.types import Limits


class Format(StrEnum):
    """The form in which a trace is printed."""

    text = "text"
    jsonl = "jsonl"


def trace(
    domain: options.Domain,
    memory: options.Memory = None,
    arith: options.Arith = "symbolic",
    arith_model: options.ArithModel = None,
    n: options.Size = None,
    seed: options.Seed = 0,
    problem: options.Problem = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME|DIR",
            help="Choose the model: reference (the puzzle's own algorithm), a shipped checkpoint by name, or any"
            " checkpoint by folder.",
            autocompletion=complete.models,
            rich_help_panel=options.MODEL,
        ),
    ] = "reference",
    device: options.Device = None,
    executor: options.Executor = "auto",
    max_steps: Annotated[int | None, options.max_steps(f"{Limits().steps:,}")] = None,
    plugins: options.Plugins = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Print text as in the paper's appendix, or one JSON object per line.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = Format.text,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="Print each distinct prompt only once.", rich_help_panel=options.OUTPUT)
    ] = False,
) -> int:
    """Print the prompt and the target of each step.

    Examples:
        coc trace -d hanoi -n 3
        coc trace -d hanoi -n 3 --memory tape --arith inline --format jsonl
        coc trace -d pancake -n 6 --distinct
    """
    registry = console.registry(plugins)
    limits = Limits() if max_steps is None else Limits(steps=max_steps)
    setting = Setting.of(registry, domain, memory, arith, limits, arith_model)
    chosen = choose_problem(setting.domain, n, seed, None if problem is None else Path(problem))
    if max_steps is None:
        check_length(setting, chosen)
    runner: Executor = registry.create(ExecutorSpec, executor)
    subject = setting.model(model)
    unseen = trained.warn_outside(subject, [setting.domain.size(chosen)])
    printed = _as_json if form is Format.jsonl else _as_paper
    machine = setting.machine(chosen, [_printer(printed, distinct)])
    (outcome,) = runner.run([machine], subject)
    if (complaint := complaint_of(outcome)) is not None:
        console.complain("; ".join(filter(None, (complaint, unseen))))
    return exit_code(outcome)


def _printer(printed: Callable[[int, str, StepRecord], str], distinct: bool) -> Callable[[StepRecord], None]:
    seen: set[str] = set()

    def listen(record: StepRecord) -> None:
        if not distinct:
            console.stream(printed(record.step, "Step", record))
        elif record.prompt not in seen:
            seen.add(record.prompt)
            console.stream(printed(len(seen), "Operation", record))

    return listen


def _as_json(number: int, _: str, record: StepRecord) -> str:
    return json.dumps({"step": number, "prompt": record.prompt, "target": record.target})


def _as_paper(number: int, title: str, record: StepRecord) -> str:
    return f"{title} {number}\n\nPrompt\n{record.prompt}\n\nTarget\n{record.target}\n"
