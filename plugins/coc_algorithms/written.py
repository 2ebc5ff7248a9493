"""Sudokus and mazes as people write them: the texts of coc's problems in lines of such files."""

import re
from collections.abc import Iterable, Iterator
from math import isqrt
from pathlib import Path
from typing import Any

from coc_algorithms.cover_problems import SYMBOLS
from coc_core.domain import numbered_lines
from coc_core.errors import ArtefactError
from coc_core.text import quoted

Lines = Iterable[tuple[int, str]]
"""Lines that are not blank, each after its number."""

_BETWEEN = re.compile(r"#.*|;.*|[-+=|: ]*[-+=][-+=|: ]*")  # lines between rows
_HEADING = re.compile(r"\[.*|grid\s+\d+", re.IGNORECASE)
_BLANKS = str.maketrans("0*_", "...")
_MAZE = {each: ours for ours, those in zip("SG.#", ("SA", "GEFB", ". _", "#X*+-|█"), strict=True) for each in those}
_GROUND = str.maketrans("GS@OTW", "..####")


def _cells(line: str) -> str | None:
    """Return the cells of a Sudoku in a line, `.` for a blank; None if it has something else.

    They are characters in any groups, or 10 numbers or more. What follows `#`, `,` or `;` is left out, and so is what
    follows a whole problem and a space.
    """
    words = re.split("[#,;]", line)[0].replace("|", " ").split()
    if words and len(words[0]) >= 36 and isqrt(len(words[0])) ** 2 == len(words[0]):
        words = words[:1]
    if len(words) >= 10 and all(
        len(word) == 1 or (word.isdecimal() and 1 <= int(word) <= len(SYMBOLS)) for word in words
    ):
        words = [SYMBOLS[int(word) - 1] if word.isdecimal() and int(word) else word for word in words]
    cells = "".join(words).translate(_BLANKS)
    return None if {*cells} - {".", *SYMBOLS} else cells


def sudokus(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the problems in a file: Sudokus on one line each or with a line for each row, and other exact covers.

    Comments, headings such as `Grid 01`, lines between boxes and, at the beginning, how many there are are left out.
    """
    block, ended, first = list[tuple[int, str]](), 0, True
    for number, line in lines:
        text = line.strip()
        if _BETWEEN.fullmatch(text):
            ended += number == ended + 1
            continue
        cells = "" if _HEADING.fullmatch(text) else _cells(text)
        alone = not cells or len(cells) >= 26
        if alone or number > ended + 1:
            yield from _rows(block, first, ended=False)
            first, block = first and not block, []
        ended = number
        if not alone:
            block.append((number, str(cells)))
        elif cells != "":
            yield number, cells or line
            first = False
    yield from _rows(block, first, ended=True)


def _rows(block: list[tuple[int, str]], first: bool, ended: bool) -> Iterator[tuple[int, str]]:
    """Yield the problems in lines of fewer than 26 cells: rows, unless each line can be one of few symbols.

    The first line of a file is left out if it only says how many there are, and more follows.
    """
    differ = len({len(cells) for _, cells in block[:2]}) == 2
    if first and block and block[0][1].isdecimal() and (differ or (len(block) == 1 and not ended)):
        del block[0]
    while block:
        number, cells = block[0]
        rows = [each for _, each in block[: len(cells)]]
        used = {*"".join(rows)} - {"."} or {*SYMBOLS}
        if (
            len(rows) == len(cells)
            and {*map(len, rows)} == {len(cells)}
            and not used <= {*SYMBOLS[: isqrt(len(cells))]}
        ):
            yield number, "".join(rows)
            del block[: len(cells)]
        else:
            yield number, cells
            del block[0]


def grid(text: str) -> str:
    """Return the problem that a maze of several lines is, with blanks, walls and ends as people write them."""
    rows = [row.rstrip("\r") for row in text.split("\n")]
    while rows and not rows[-1].strip():
        rows.pop()
    while rows and not rows[0].strip():
        del rows[0]
    if unknown := {*"".join(rows)} - {*_MAZE}:
        raise ValueError(
            f"a maze has no {quoted(min(unknown))}: the start is S or A, the goal G, E, F or B; dots, underscores and "
            "spaces are free; walls are #, X, *, +, -, | or full blocks; and coc's own form is 'grid [S.#, ..G]'"
        )
    width = max(map(len, rows), default=0)
    return f"grid [{', '.join(''.join(map(_MAZE.__getitem__, row.ljust(width))) for row in rows)}]"


def mazes(lines: Lines) -> Iterator[tuple[int, str]]:
    """Yield the problems in a file: one a line, or mazes of several lines with blank ones between."""
    block, begun = list[str](), 0
    for number, line in lines:
        alone = line.startswith(("grid ", "graph ", "{"))
        if block and (alone or number > begun + len(block)):
            yield begun, "".join(block)
            block = []
        if alone:
            yield number, line
        else:
            begun = begun if block else number
            block.append(line)
    if block:
        yield begun, "".join(block)


def scenarios(domain: Any, path: Path) -> Iterator[tuple[int, str]]:
    """Yield the problems in a file of MovingAI's scenarios, whose maps lie beside it or where it says."""
    maps = dict[str, list[str]]()
    for number, line in numbered_lines(path):
        if line.startswith("version"):
            continue
        words = line.split("\t" if "\t" in line else None)
        try:
            name, (left, top, right, bottom) = words[1], map(int, words[4:8])
            if name not in maps:
                maps[name] = _map(
                    next(each for each in (path.parent / name, path.parent / Path(name).name) if each.is_file())
                )
            rows = [*maps[name]]
            for x, y, end in ((left, top, "S"), (right, bottom, "G")):
                if min(x, y) < 0 or rows[y][x] != ".":
                    raise ValueError(f"{x}, {y} is not free")
                rows[y] = f"{rows[y][:x]}{end}{rows[y][x + 1 :]}"
        except (IndexError, StopIteration, ValueError, OSError) as error:
            raise ArtefactError(f"{path}, line {number}: no scenario on a map that is there: {error}") from None
        yield number, f"grid [{', '.join(rows)}]"


def _map(path: Path) -> list[str]:
    """Return the rows of one of MovingAI's maps: swamp is free, water and trees are not."""
    rows = path.read_text("ascii").splitlines()
    rows = rows[rows.index("map") + 1 :]
    return [row.translate(_GROUND) for row in rows]
