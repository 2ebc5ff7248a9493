"""What commands take that look at recorded runs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from coc_core.cli.options import typer_option
from coc_core.options import OUTPUT, Option, Whole

RecordedRun = Annotated[
    Path, typer.Argument(metavar="RUN", help="The recorded run: a file written by `coc run --save`.")
]


def step(flag: str, words: str, show_default: str) -> Any:
    """An option that names a step of a recorded run."""
    return typer_option(Option(words, (flag,), Whole(metavar="K"), OUTPUT, show_default))
