"""The options that several verbs share."""

from pathlib import Path
from typing import Annotated

import typer

Domain = Annotated[str, typer.Option("--domain", "-d", help="The puzzle, such as hanoi.", show_default=False)]
Memory = Annotated[str, typer.Option("--memory", "-m", help="Where windows are kept: pda or tape.")]
Arith = Annotated[str, typer.Option("--arith", "-a", help="Who computes addresses: symbolic or inline.")]
Size = Annotated[int | None, typer.Option("--n", "-n", help="The problem size.", show_default="8")]
Seed = Annotated[int, typer.Option("--seed", help="Draws the problem, where there are several of size n.")]
Problem = Annotated[
    str | None, typer.Option("--problem", metavar="FILE|-", help="Read the problem, as text or JSON, instead of --n.")
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME|DIR", help="A model by name, or a checkpoint by its folder.")
]
Executor = Annotated[str, typer.Option("--executor", "-x", help="How the loop is run: cached or sequential.")]
MaxSteps = Annotated[int, typer.Option("--max-steps", min=1, help="Give up after this many steps.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
OutFile = Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Write the plan here, an action a line.")]

DEFAULT_SIZE = 8
