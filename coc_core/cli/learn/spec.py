"""The options that training and datasets share."""

from typing import Annotated

import typer

from coc_core.api import DEFAULT_HOLDOUT
from coc_core.cli import options
from coc_core.datasets import HoldOutBy
from coc_core.domain import MOST_PROBLEMS

Memories = Annotated[
    list[str] | None,
    options.memory("Choose the memory: pda (a stack) or tape. Repeatable.", "the puzzle's own, usually pda"),
]
Ariths = Annotated[
    list[str] | None,
    options.arith("Choose what computes addresses: symbolic or inline. Repeatable.", "symbolic"),
]
TrainingDevice = Annotated[str | None, options.device("a GPU if there is one")]
Instances = Annotated[
    int | None,
    options.instances(1),
]
Enumerated = Annotated[
    int | None,
    typer.Option(
        "--enumerated",
        parser=options.whole(0, MOST_PROBLEMS),
        metavar="K",
        help="Add the first K problems of each size, in enumeration order.",
        show_default="0",
        rich_help_panel=options.PROBLEM,
    ),
]
NearGoal = Annotated[
    int | None,
    typer.Option(
        "--near-goal",
        parser=options.whole(0, MOST_PROBLEMS),
        metavar="K",
        help="Add K near-goal problems of each size: problems that a few actions solve.",
        show_default="0",
        rich_help_panel=options.PROBLEM,
    ),
]
HoldOut = Annotated[
    float | None,
    typer.Option(
        "--holdout",
        parser=options.decimal(0, 1),
        metavar="FRACTION",
        help="Hold out this fraction for testing, from 0 to less than 1.",
        show_default=str(DEFAULT_HOLDOUT),
        rich_help_panel=options.PROBLEM,
    ),
]
HeldOutUnit = Annotated[
    HoldOutBy | None,
    typer.Option(
        "--holdout-by",
        help="Hold out steps, the same in all dialects and under all names; single pairs of each dialect; or whole"
        " problems with all pairs that occur in no other problem.",
        show_default="steps",
        rich_help_panel=options.PROBLEM,
    ),
]
