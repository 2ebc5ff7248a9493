"""`coc replay`, `coc trace` and `coc view`, and what they take that look at recorded runs."""

from typing import Any

from coc_core.options import OUTPUT, File, Option, Whole, option

RUN = Option("The recorded run: a file written by `coc run --save`.", (), File("RUN"))


def step(flag: str, words: str, shown: str) -> Any:
    """Return an option that names a step of a recorded run."""
    return option(Option(words, (flag,), Whole(metavar="K"), OUTPUT, shown), None)
