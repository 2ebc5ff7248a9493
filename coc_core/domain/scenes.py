"""Scenes: a state as places with things in them, from which it is drawn everywhere; and how it is drawn as text."""

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import chain, zip_longest
from typing import Generic, Literal, TypeVar

from attrs import frozen

StateT = TypeVar("StateT")

_GAP = "  "
_MARKS = {"": ".", "goal": "*", "path": "o", "wall": "#"}


@frozen
class Item:
    """A thing. `name` is unique within a run; `size` is its width, or the height of a bar, as a share of the largest
    one's, 0 to 1. Things of one `kind` have one colour.
    """

    name: str
    label: str
    size: float = 1.0
    kind: str = ""


@frozen
class Column:
    """A place, with its items from the bottom up, or from left to right; `look` is how it differs from others."""

    label: str
    items: tuple[Item, ...] = ()
    look: Literal["", "given", "goal", "path", "wall"] = ""


@frozen
class Scene:
    """A state: its columns, or lines of text if there are none.

    Attributes:
        columns: The places.
        posts: Whether each of the `towers` has a post that its items are put on, as in the Tower of Hanoi.
        text: What else there is to say; it is written below the columns.
        kind: How the places are drawn: `towers`, with items on top of one another; `bars`, with an item each; a `grid`,
            row by row from the top; a `shaft`, floor by floor from the bottom; a `graph`, whose places hold any items.
        width: How many places are in a row of a grid.
        box: How many rows and columns of a grid are a box, as in a Sudoku.
        ways: The places of a graph that are joined: pairs of their numbers, from 0.
    """

    columns: tuple[Column, ...] = ()
    posts: bool = False
    text: str = ""
    kind: Literal["towers", "bars", "grid", "shaft", "graph"] = "towers"
    width: int = 1
    box: tuple[int, int] | None = None
    ways: tuple[tuple[int, int], ...] = ()

    def draw(self, width: int) -> str:
        """Return the scene as lines of text, at most `width` characters wide if possible."""
        lines = _DRAWINGS[self.kind](self, width) if self.columns else ()
        told = self.text.split("\n") if self.text else ()
        wrapped = (textwrap.wrap(line, max(width, 20), break_on_hyphens=False) or [""] for line in told)
        return "\n".join((*(line.rstrip() for line in lines), *chain.from_iterable(wrapped)))


class HasScenes(ABC, Generic[StateT]):
    """A domain whose states can be drawn: as text, as a picture, and on a page.

    Items have names, so that a viewer can show which item moves from one scene to the next.
    """

    @abstractmethod
    def scene(self, state: StateT) -> Scene:
        """Return the scene of a state. Each item is in it once; all scenes of a run should have the same columns."""


def _labels(column: Column) -> str:
    return " ".join(item.label for item in column.items)


def _towers(scene: Scene, width: int) -> Iterator[str]:
    """Draw bars whose widths are in the order of the sizes, if these are different; otherwise labels in brackets."""
    columns = [each for each in scene.columns if each.items or each.label or scene.posts] or scene.columns[:1]
    items = [item for each in columns for item in each.items]
    sizes = sorted({item.size for item in items})
    drawings: list[Callable[[Item], str]] = []
    if len(sizes) == len(items) and (scene.posts or len(items) > 1):
        drawings.append(lambda item: _bar(sizes.index(item.size) + 1))
    longest = max((len(item.label) for item in items), default=0)
    drawings.append(lambda item: f"[{item.label:^{longest}}]")
    for drawing in drawings:
        cell = max(1, *(len(drawing(item)) for item in items), *(len(each.label) for each in columns))
        if len(columns) * (cell + len(_GAP)) - len(_GAP) <= width:
            piles = ([drawing(item) for item in each.items] for each in columns)
            levels = [*zip_longest(*piles, fillvalue="│" if scene.posts else "")]
            if scene.posts:
                levels += [("│",) * len(columns)] * (len(items) - len(levels))
            rows = [*reversed(levels), ["─" * cell] * len(columns), [each.label for each in columns]]
            yield from (_GAP.join(part.center(cell) for part in row) for row in rows if any(row))
            return
    yield from (" ".join(filter(None, (each.label, _labels(each)))) for each in columns)


def _bar(width: int) -> str:
    """Return a bar, with half columns at both ends if its width is even."""
    return "█" * width if width % 2 else f"▐{'█' * (width - 1)}▌"


def _bars(scene: Scene, width: int) -> Iterator[str]:
    items = [item for column in scene.columns for item in column.items]
    name = max((len(item.name) for item in items), default=0)
    label = max((len(item.label) for item in items), default=0)
    for item in items:
        start = f"{item.name:<{name}} {item.label:>{label}} "
        yield start + "█" * int(item.size * (width - len(start)) + 1e-9)


def _grid(scene: Scene, width: int) -> Iterator[str]:
    cells = [_labels(each) or each.label or _MARKS.get(each.look, ".") for each in scene.columns]
    longest = max(map(len, cells))
    narrow = longest == 1 and 2 * scene.width > width + 1
    high, wide = scene.box or (len(cells), scene.width)
    for row, start in enumerate(range(0, len(cells), scene.width)):
        line = [cell.rjust(longest) for cell in cells[start : start + scene.width]]
        boxes = [("" if narrow else " ").join(line[at : at + wide]) for at in range(0, len(line), wide)]
        if row and row % high == 0:
            yield "-+-".join("-" * len(box) for box in boxes)
        yield " | ".join(boxes)


def _places(scene: Scene, width: int) -> Iterator[str]:
    """Draw a line for each place: its label, its items, and where ways lead to."""
    lines, longest = list[str](), max(len(each.label) for each in scene.columns)
    for number, column in enumerate(scene.columns):
        ends = [scene.columns[sum(way) - number].label for way in scene.ways if number in way]
        to = f" → {' '.join(ends)}" if ends else ""
        lines.append(f"{column.label:<{longest}} : {_labels(column)}{to}")
    for line in reversed(lines) if scene.kind == "shaft" else lines:
        yield from textwrap.wrap(line, max(width, 20), subsequent_indent=" " * min(longest + 3, width // 2))


_DRAWINGS: dict[str, Callable[[Scene, int], Iterator[str]]] = {
    "towers": _towers,
    "bars": _bars,
    "grid": _grid,
    "shaft": _places,
    "graph": _places,
}
