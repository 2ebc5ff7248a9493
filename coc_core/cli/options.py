"""The options that several commands share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from coc_core.cli import complete
from coc_core.domain import MOST_PROBLEMS
from coc_core.models import on_device
from coc_core.text import quoted
from coc_core.types import DEFAULT_SIZE, Limits

PROBLEM = "Problem"
MACHINE = "Machine"
MODEL = "Model"
OUTPUT = "Output"
ADVANCED = "Advanced"
"""The panels that options stand in."""


def whole_number(text: str | int) -> int:
    """A number as Python prints it, unlike `int`, which also reads `1_0`, `007` and other scripts' digits."""
    text = str(text)  # typer hands over defaults too
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text):
        raise typer.BadParameter(f"{quoted(text, 24)} is not a whole number.")
    return int(text)


def large_number(text: str | int) -> int:
    """A whole number of at most 60 digits, as Python prints it, that is not negative."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,59}", str(text)):
        raise typer.BadParameter(f"{quoted(str(text), 24)} is not a whole number.")
    return int(text)


def whole(least: int, most: int | None = None) -> Callable[[str | int], int]:
    """Reads a whole number from `least` to `most`."""

    def read(text: str | int) -> int:
        number = whole_number(text)
        if number < least or (most is not None and number > most):
            raise typer.BadParameter(
                f"it must be {_range(f'{least:,}', None if most is None else f'{most:,}')}, not {number:,}."
            )
        return number

    return read


def decimal(least: float, most: float) -> Callable[[str | float], float]:
    """Reads a number from `least` to `most` in plain decimal notation: no exponent, no leading zero, no `nan`."""

    def read(text: str | float) -> float:
        text = str(text)
        if not re.fullmatch(r"(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", text):
            raise typer.BadParameter(f"{quoted(text, 24)} is not a number such as 0.5.")
        if not least <= float(text) <= most:
            raise typer.BadParameter(f"it must be {_range(f'{least:g}', f'{most:g}')}, not {text}.")
        return float(text)

    return read


def _range(least: str, most: str | None) -> str:
    return f"at least {least}" if most is None else f"from {least} to {most}"


def _on_device(context: typer.Context, name: str | None) -> None:
    if name is not None:
        context.with_resource(on_device(name))


def _part(flag: str, short: str | None, names: Callable[[str], complete.Pairs], panel: str) -> Callable[..., Any]:
    """Makes options that name an installed part: the same flags and completions, with a help of their own."""
    flags = (flag,) if short is None else (flag, short)

    def option(text: str, show_default: str | bool = True) -> Any:
        return typer.Option(
            *flags,
            metavar="NAME",
            help=text,
            show_default=show_default,
            autocompletion=names,
            rich_help_panel=panel,
        )

    return option


domain = _part("--domain", "-d", complete.domains, PROBLEM)
memory = _part("--memory", "-m", complete.memories, MACHINE)
arith = _part("--arith", "-a", complete.arithmetics, MACHINE)
executor = _part("--executor", "-x", complete.executors, MACHINE)
engine = _part("--engine", None, complete.engines, ADVANCED)

Domain = Annotated[str, domain("Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles.")]
DomainOrResume = Annotated[
    str | None,
    domain("Choose the puzzle, such as hanoi. `coc plugins` lists all puzzles. Required without --resume."),
]
Memory = Annotated[
    str | None,
    memory("Choose the memory: pda (a stack), tape, or one from a plugin.", "the puzzle's own, usually pda"),
]
Arith = Annotated[
    str,
    arith("Choose what computes addresses: symbolic (exactly), learned (a second model) or inline (the model itself)."),
]
ArithModel = Annotated[
    str | None,
    typer.Option(
        "--arith-model",
        metavar="NAME|DIR",
        help="With --arith learned: choose the model that computes addresses, by name or by folder.",
        show_default="the shipped model",
        autocompletion=complete.checkpoints,
        rich_help_panel=MODEL,
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--n",
        "-n",
        parser=whole_number,
        metavar="N",
        help="Set the problem size, such as the number of disks.",
        show_default=str(DEFAULT_SIZE),
        rich_help_panel=PROBLEM,
    ),
]


def sizes(show_default: str | bool = True) -> Any:
    """The option `--n` of commands that take several sizes."""
    return typer.Option(
        "--n",
        "-n",
        metavar="SIZES",
        help="Set the problem sizes as numbers and ranges, such as 8, 1-20 or 1-3,5.",
        show_default=show_default,
        rich_help_panel=PROBLEM,
    )


def instances(default: int) -> Any:
    """The option `--instances` of commands that draw problems of several sizes."""
    return typer.Option(
        "--instances",
        parser=whole(1, MOST_PROBLEMS),
        metavar="K",
        help="Draw K problems of each size (one if the size has only one).",
        show_default=str(default),
        rich_help_panel=PROBLEM,
    )


def seed(text: str) -> Any:
    """The option `--seed` of commands that draw problems."""
    return typer.Option("--seed", parser=whole_number, metavar="N", help=text, rich_help_panel=PROBLEM)


def step(flag: str, text: str, show_default: str) -> Any:
    """An option that names a step of a recorded run."""
    return typer.Option(
        flag, parser=whole_number, metavar="K", help=text, show_default=show_default, rich_help_panel=OUTPUT
    )


def out(metavar: str, text: str, show_default: str | bool = False) -> Any:
    """The option `--out`."""
    return typer.Option("--out", "-o", metavar=metavar, help=text, show_default=show_default, rich_help_panel=OUTPUT)


def plot(shown: str) -> Any:
    """The option `--plot`, whose file `coc_core.evaluation.check_figure` checks."""
    text = f"Draw {shown} to this file, an .svg or a .png."
    return typer.Option("--plot", metavar="FILE", help=text, rich_help_panel=OUTPUT)


def csv(written: str) -> Any:
    """The option `--csv`, whose file `coc_core.storage.check_table` checks."""
    text = f"Write {written} to this file, as comma-separated values."
    return typer.Option("--csv", metavar="FILE", help=text, rich_help_panel=OUTPUT)


def plan_format(text: str, show_default: str | bool = True) -> Any:
    """The option `--plan-format`."""
    return typer.Option(
        "--plan-format",
        metavar="NAME",
        help=f"{text}: text, physical, json, or a format from a plugin.",
        show_default=show_default,
        autocompletion=complete.plan_formats,
        rich_help_panel=OUTPUT,
    )


Sizes = Annotated[str, sizes()]
Seed = Annotated[int, seed("Random seed that selects the problem (no effect if the size has only one).")]
Seeds = Annotated[int, seed("Random seed that selects the problems (no effect for a size with only one).")]
RecordedRun = Annotated[
    Path, typer.Argument(metavar="RUN", help="The recorded run: a file written by `coc run --save`.")
]
Problem = Annotated[
    str | None,
    typer.Option(
        "--problem",
        metavar="FILE|-",
        help="Read the problem, as text or JSON, from a file or (-) from standard input, instead of drawing one.",
        rich_help_panel=PROBLEM,
    ),
]
Pddl = Annotated[
    tuple[Path, Path] | None,
    typer.Option(
        "--pddl",
        metavar="DOMAIN PROBLEM",
        help="Read the problem from two PDDL files. Its domain is recognised, or is the one that --domain names; it may"
        " use other names than coc.",
        rich_help_panel=PROBLEM,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|DIR",
        help="Choose the model: a shipped checkpoint by name, any checkpoint by folder, or reference (the puzzle's own"
        " algorithm).",
        show_default="the checkpoint that ships for these choices",
        autocompletion=complete.models,
        rich_help_panel=MODEL,
    ),
]


def device(default: str) -> Any:
    """The option `--device`; what it chooses is found by `coc_core.models.requested_device`."""
    return typer.Option(
        "--device",
        metavar="NAME",
        help="Run the model on this device: cpu, cuda, cuda:1 and so on.",
        show_default=f"the variable COC_DEVICE, or {default}",
        callback=_on_device,
        expose_value=False,
        rich_help_panel=MODEL,
    )


Device = Annotated[str | None, device("cpu")]
Executor = Annotated[
    str,
    executor(
        "Choose how the loop runs: auto (picks one), cached, lockstep, sequential, speculative, summary, vote, or one"
        " from a plugin."
    ),
]


def max_steps(show_default: str) -> Any:
    """The option `--max-steps`."""
    return typer.Option(
        "--max-steps",
        parser=whole(1),
        metavar="N",
        help="Stop a run after N steps.",
        show_default=show_default,
        rich_help_panel=MACHINE,
    )


MaxSteps = Annotated[int, max_steps(f"{Limits().steps:,}")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=whole_number,
        metavar="N",
        help="Use N worker processes. Results do not depend on N.",
        show_default="1; with --engine, the number of cores",
        rich_help_panel=ADVANCED,
    ),
]
Engine = Annotated[
    str | None,
    engine("Choose where workers run: processes (on this machine), or an engine from a plugin.", "processes"),
]
EngineAddress = Annotated[
    str | None,
    typer.Option(
        "--engine-address",
        metavar="ADDRESS",
        help="Set the address at which the engine finds its workers, if it needs one.",
        rich_help_panel=ADVANCED,
    ),
]
Plan = Annotated[
    Path | None,
    typer.Option(
        "--plan", metavar="FILE", help="Write the plan to this file; see --plan-format.", rich_help_panel=OUTPUT
    ),
]
PddlOut = Annotated[
    Path | None,
    typer.Option(
        "--pddl-out",
        metavar="DIR",
        help="Write the domain, the problem and the plan to this folder, in PDDL.",
        rich_help_panel=OUTPUT,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="RUN",
        help="Record every step in this new file, so that the run can be resumed after a crash; see --resume.",
        rich_help_panel=OUTPUT,
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume",
        metavar="RUN",
        help="Continue the run recorded in this file. All other options are taken from it, except --plan.",
        rich_help_panel=PROBLEM,
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON document, also for an error.", rich_help_panel=OUTPUT),
]
Plugins = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        metavar="FILE",
        help="Load the plugin in this Python file, too. Repeatable.",
        rich_help_panel=ADVANCED,
    ),
]
