"""The options of many problems: which they are, and their sizes, single ones and ranges as in `1-3,5`."""

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from coc_core.domain import Translation
from coc_core.errors import UsageError
from coc_core.options import PROBLEM, Choice, Flag, Name, Option, PathLike, Whole, option
from coc_core.text import quoted
from coc_core.types import DEFAULT_SIZE
from coc_problems.sampling import MOST_PROBLEMS, Split

Sizes = int | str | Iterable[int]

MOST_SIZES = 10_000

_SIZE = r"(0|[1-9][0-9]{0,17})"
_SIZES = re.compile(rf"{_SIZE}(-{_SIZE})?(,{_SIZE}(-{_SIZE})?)*")
_LONGEST = 4_096  # characters


def whole(option: str, value: Any) -> int:
    """Return the whole number that `value` is; UsageError, naming the option, for anything else."""
    try:
        return Whole().check(value)
    except ValueError as error:
        raise UsageError(f"Invalid value for '{option}': {error}") from None


def sizes_of(sizes: Sizes) -> tuple[int, ...]:
    """Return problem sizes, in ascending order, each once: a number, several, or a text such as `1-3,5`.

    UsageError if there are none, too many, or if one is not a whole number.
    """
    if isinstance(sizes, str):
        return parse_sizes(sizes)
    several = sizes if isinstance(sizes, Iterable) else [sizes]
    found = sorted({whole("--n", size) for _, size in zip(range(MOST_SIZES + 1), several, strict=False)})
    if not found:
        raise UsageError(f"the range of sizes {quoted(repr(sizes), 40)[1:-1]!r} is empty")
    if len(found) > MOST_SIZES:
        raise UsageError(f"{quoted(repr(sizes), 40)} names more than {MOST_SIZES:,} sizes", remedy="choose fewer")
    return tuple(found)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that a text such as `8`, `1-20` or `1-3,5` names, in ascending order, each once.

    UsageError for another form, an empty range, or more than `MOST_SIZES` sizes.
    """
    if len(text) > _LONGEST or not _SIZES.fullmatch(text):
        raise UsageError(f"{quoted(text, 40)} is not a list of sizes", remedy="write it like 8, 1-20 or 1-3,5")
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        sizes = range(int(first), int(last or first) + 1)
        if not sizes:
            raise UsageError(f"the range of sizes {part!r} is empty")
        if len(found) + len(sizes) > MOST_SIZES:
            raise UsageError(f"{quoted(text, 40)} names more than {MOST_SIZES:,} sizes", remedy="choose fewer")
        found.update(sizes)
    return tuple(sorted(found))


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
