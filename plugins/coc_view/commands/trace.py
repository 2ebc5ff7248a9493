"""`coc trace`: every prompt and target of a run, as the paper's appendix prints them."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from enum import StrEnum
from typing import Any

from attrs import frozen

from coc_core.api import new_job
from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.solve.report import complaint_of, exit_code, warn_outside
from coc_core.execution import StepRecord
from coc_core.options import OUTPUT, Choice, Flag, Option, SolveOptions, option, shared


class Format(StrEnum):
    """The form in which a trace is printed."""

    text = "text"
    jsonl = "jsonl"


@frozen(kw_only=True, slots=False)
class TraceCommand(SolveOptions):
    """What `coc trace` takes."""

    model: str = option(
        shared.CHECKPOINT,
        "reference",
        help="Choose the model: reference (the puzzle's own algorithm), a shipped checkpoint by name, or any checkpoint"
        " by folder.",
        shown=True,
    )
    form: Format = option(
        Option(
            "Print text as in the paper's appendix, or one JSON object per line.",
            ("--format",),
            Choice(annotation=Format),
            OUTPUT,
        ),
        Format.text,
    )
    distinct: bool = option(Option("Print each distinct prompt only once.", ("--distinct",), Flag(), OUTPUT), False)


@command(TraceCommand, reports=False)
def trace(options: TraceCommand) -> int:
    """Print the prompt and the target of each step.

    Examples:
        coc trace -d hanoi -n 3
        coc trace -d hanoi -n 3 --memory tape --arith inline --format jsonl
        coc trace -d pancake -n 6 --distinct
    """
    job = new_job(console.registry(options.plugins), options)
    unseen = warn_outside(job.model, [job.setting.domain.size(job.problem)])
    printer = _printer(options.form, job.setting.convention.source_of, options.distinct)
    _, outcome = job.perform([lambda: nullcontext(printer)])
    if complaint := complaint_of(outcome):
        console.error("; ".join(filter(None, (complaint, unseen))))
    return exit_code(outcome)


def _printer(form: Format, source_of: Callable[[Any], str], distinct: bool) -> Callable[[StepRecord], None]:
    seen: set[str] = set()

    def listen(record: StepRecord) -> None:
        if record.prompt in seen:
            return
        if distinct:
            seen.add(record.prompt)
        number, title = (len(seen), "Operation") if distinct else (record.step, "Step")
        source = source_of(record.window)
        if form is Format.jsonl:
            step = {"step": number, "prompt": record.prompt, "target": record.target}
            console.stream(json.dumps(step | ({"source": source} if source else {})))
        else:
            where = f"    {source}" if source else ""
            console.stream(f"{title} {number}{where}\n\nPrompt\n{record.prompt}\n\nTarget\n{record.target}\n")

    return listen
