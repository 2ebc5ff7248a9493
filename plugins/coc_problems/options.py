"""The options of many problems: which they are."""

from collections.abc import Iterable

from attrs import frozen

from coc_core.domain import Translation
from coc_core.options import PROBLEM, Choice, Flag, Name, Option, PathLike, Whole, option
from coc_core.types import DEFAULT_SIZE
from coc_problems.sampling import MOST_PROBLEMS, Split
from coc_problems.sizes import Sizes

DEFAULT_INSTANCES = 50
"""How many problems of each size are drawn for an evaluation or for tests by default."""


SIZES = Option(
    "Set the problem sizes as numbers and ranges, such as 8, 1-20 or 1-3,5.", ("--n", "-n"), Name("SIZES"), PROBLEM
)
INSTANCES = Option(
    "Draw K problems of each size (one if the size has only one).",
    ("--instances",),
    Whole(1, MOST_PROBLEMS, "K"),
    PROBLEM,
)
SEEDS = Option(
    "Random seed that selects the problems (no effect for a size with only one).", ("--seed",), Whole(), PROBLEM
)


@frozen
class Texts:
    """Problems as texts or translations, each after where it is, such as `mine.jsonl:17`; and where all are from."""

    origin: str
    each: tuple[tuple[str, str | Translation], ...]


@frozen(kw_only=True, slots=False)
class ManyProblems:
    """Problems of several sizes, or the user's."""

    sizes: Sizes | None = option(SIZES, None, shown=str(DEFAULT_SIZE))
    instances: int | None = option(INSTANCES, None, shown=str(DEFAULT_INSTANCES))
    near_goal: int | None = option(
        Option(
            "Draw K near-goal problems of each size instead: problems that a few actions solve.",
            ("--near-goal",),
            Whole(1, MOST_PROBLEMS, "K"),
            PROBLEM,
        ),
        None,
    )
    split: Split | None = option(
        Option(
            "Draw problems from this split, or from all problems.",
            ("--split",),
            Choice(annotation=Split),
            PROBLEM,
            shown="test",
        ),
        None,
    )
    exhaustive: bool = option(Option("Take every problem of each size.", ("--exhaustive",), Flag(), PROBLEM), False)
    problems: PathLike | Iterable[str] | Texts | None = option(
        Option(
            "Use your own problems instead: from a .txt or .jsonl file with one problem per line, from the files in a"
            " folder, or from the files that match a pattern such as `'mine/*.json'`.",
            ("--problems",),
            Name("FILE|DIR|PATTERN"),
            PROBLEM,
        ),
        None,
    )
    skip_unsupported: bool = option(
        Option(
            "With --problems: leave out problems that coc has no domain for, and say how many.",
            ("--skip-unsupported",),
            Flag(),
            PROBLEM,
        ),
        False,
    )
    seed: int = option(SEEDS, 0)
