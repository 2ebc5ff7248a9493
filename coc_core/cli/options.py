"""The options that several verbs share."""

import re
from pathlib import Path
from typing import Annotated

import typer

from coc_core.text import quoted


def whole_number(text: str | int) -> int:
    """A number in plain decimal digits, unlike `int`, which also reads `1_0` and other scripts' digits."""
    text = str(text)  # typer hands over defaults too
    if not re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII):
        raise typer.BadParameter(f"{quoted(text, 24)} is not a whole number.")
    return int(text)


Domain = Annotated[str, typer.Option("--domain", "-d", help="The puzzle, such as hanoi.", show_default=False)]
DomainOrResume = Annotated[
    str | None, typer.Option("--domain", "-d", help="The puzzle, such as hanoi. Needed, but with --resume.")
]
Memory = Annotated[str, typer.Option("--memory", "-m", help="Where windows are kept: pda or tape.")]
Arith = Annotated[str, typer.Option("--arith", "-a", help="Who computes addresses: symbolic, learned or inline.")]
ArithModel = Annotated[
    str | None,
    typer.Option(
        "--arith-model", metavar="NAME|DIR", help="With --arith learned: the model that does, as for --model."
    ),
]
Size = Annotated[
    int | None,
    typer.Option("--n", "-n", parser=whole_number, metavar="N", help="The problem size.", show_default="8"),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", parser=whole_number, metavar="N", help="Draws the problem, where there are several of size n."
    ),
]
Problem = Annotated[
    str | None, typer.Option("--problem", metavar="FILE|-", help="Read the problem, as text or JSON, instead of --n.")
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME|DIR", help="A model by name, or a checkpoint by its folder.")
]
Executor = Annotated[
    str, typer.Option("--executor", "-x", help="How the loop is run: cached, lockstep, sequential or speculative.")
]
Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", metavar="FILE", help="Load a plugin from this Python file, too; repeatable."),
]
MaxSteps = Annotated[int, typer.Option("--max-steps", min=1, help="Give up after this many steps.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
OutFile = Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Write the plan here, an action a line.")]
Save = Annotated[
    Path | None, typer.Option("--save", metavar="RUN", help="Record every step in this new file, safe against crashes.")
]
Resume = Annotated[
    Path | None,
    typer.Option(
        "--resume", metavar="RUN", help="Go on with the run in this file; it knows the other options, all but --plan."
    ),
]

DEFAULT_SIZE = 8
