"""The options of many problems: which they are."""

from collections.abc import Iterable

from attrs import frozen

from coc_core.domain import Split, Translation
from coc_core.options import PROBLEM, Choice, Flag, Option, PathLike, Sizes, Whole, option, shared
from coc_core.types import DEFAULT_SIZE, MOST_PROBLEMS

DEFAULT_INSTANCES = 50
"""How many problems of each size are drawn for an evaluation or for tests by default."""


@frozen
class Texts:
    """Problems as texts or translations, each after where it is, such as `mine.jsonl:17`; and where all are from."""

    origin: str
    each: tuple[tuple[str, str | Translation], ...]


@frozen(kw_only=True, slots=False)
class ManyProblems:
    """Problems of several sizes, or the user's."""

    sizes: Sizes | None = option(shared.SIZES, None, shown=str(DEFAULT_SIZE))
    instances: int | None = option(shared.INSTANCES, None, shown=str(DEFAULT_INSTANCES))
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
    exhaustive: bool = option(shared.EXHAUSTIVE, False)
    problems: PathLike | Iterable[str] | Texts | None = option(shared.PROBLEMS, None)
    skip_unsupported: bool = option(
        Option(
            "With --problems: leave out problems that coc has no domain for, and say how many.",
            ("--skip-unsupported",),
            Flag(),
            PROBLEM,
        ),
        False,
    )
    seed: int = option(shared.SEEDS, 0)
