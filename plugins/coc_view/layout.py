"""Where the places and the things of a run's scenes are drawn, in an animation as on a page.

All scenes of a run are looked at first, so that no place has to grow, and nothing jumps.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from math import ceil, cos, pi, sin
from typing import Any, Literal

from attrs import frozen

from coc_core.domain import TEXT_WIDTH, Domain, Item, Scene, scene_of
from coc_core.text import escaped

_WIDTH, _HEIGHT = 640, 340
LETTER, LINE = 9.1, 20
"""How wide a letter is, and how high a line, of what is written below."""
_GAP, _LETTER, _ITEM, _SMALLEST = 6, 8.2, 28, 6.5
MOST_PLACES = 1_600
"""The most places of a grid, a shaft or a graph that are drawn; a scene with more is a text."""


Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""The left and the top end, the width and the height."""


def drawable(domain: Domain[Any, Any, Any, Any], state: Any) -> Scene:
    """Return the scene of a state, as a text if it has too many places."""
    scene = scene_of(domain, state)
    crowded = scene.kind in ("grid", "shaft", "graph") and len(scene.columns) > MOST_PLACES
    return Scene(text=scene.draw(TEXT_WIDTH)) if crowded else scene


def fitting(label: str, wide: float, high: float, above: bool) -> tuple[float, float]:
    """Return the size of a label that fits a thing, 0 if none does, and how far above its foot it is written."""
    most = 15 if above else min(0.58 * high, 16)
    size = round(min(most, 1.45 * wide / max(len(label), 1)), 1)
    return (size if size >= _SMALLEST else 0), high + 0.7 * size if above else high / 2


@frozen
class Place:
    """Where things are put: where the first one's foot is, and how many are beside each other; a box, if it has one;
    and its label.
    """

    x: float
    y: float
    label: Point
    across: int = 1
    box: Box | None = None


@frozen
class Layout:
    """A picture of scenes.

    Attributes:
        width: Its width and its height, without what is written below it.
        height: See `width`.
        places: The places.
        step: From one thing in a place to the next one beside it, and to the one above or below it.
        items: The width and the height of each thing, by name.
        lines: The lines: their ends, and what they are.
        above: Whether the labels of things are above them.
        font: The size of the labels of places.
    """

    width: float
    height: float
    places: Sequence[Place]
    step: tuple[float, float]
    items: Mapping[str, tuple[float, float]]
    lines: Sequence[tuple[float, float, float, float, Literal["post", "ground", "way", "box"]]] = ()
    above: bool = False
    font: float = 13

    def at(self, place: int, level: int) -> tuple[float, float]:
        """Return where the foot of a thing is."""
        row, column = divmod(level, self.places[place].across)
        return self.places[place].x + column * self.step[0], self.places[place].y + row * self.step[1]

    def note(self, text: str) -> list[str]:
        """Return the lines of what is written below."""
        width = int(max(self.width - 20, 320) / LETTER)
        lines = escaped(text).split("\n")
        return [part for line in lines for part in textwrap.wrap(line, width, break_on_hyphens=False)]


class Stage:
    """What the scenes of a run have in common: places, the most things in each, and the longest labels."""

    def __init__(self) -> None:
        self.items: dict[str, Item] = {}
        self.scene = Scene()
        self.most: list[int] = []
        self.labels: list[int] = []

    def add(self, scene: Scene) -> None:
        """Take a scene into account."""
        if len(scene.columns) > len(self.scene.columns):
            self.scene = scene
            self.most += [0] * (len(scene.columns) - len(self.most))
            self.labels += [0] * (len(scene.columns) - len(self.labels))
        for at, column in enumerate(scene.columns):
            self.most[at] = max(self.most[at], len(column.items))
            self.labels[at] = max(self.labels[at], len(column.label))
            self.items |= {item.name: item for item in column.items if item.name not in self.items}

    def layout(self) -> Layout:
        """Return where everything is drawn."""
        return _LAYOUTS[self.scene.kind](self)

    def hues(self) -> dict[str, int]:
        """Return the colour of each thing: by its kind or, without kinds, by its size, or its own."""
        several = len({item.size for item in self.items.values()}) > 1
        keys = {
            name: (item.kind, 0.0, "") if item.kind else ("", -item.size, "" if several else name)
            for name, item in self.items.items()
        }
        order = sorted({*keys.values()})
        return {name: round(255 + 190 * order.index(key) / max(len(order) - 1, 1)) % 360 for name, key in keys.items()}


def _towers(stage: Stage) -> Layout:
    count, levels = len(stage.most), max(*stage.most, 1)
    column, level = min(150, max(34, 0.75 * _WIDTH / count)), min(34, max(7, 0.8 * _HEIGHT / levels))
    floor = level * (levels + 1.4)
    middles = [(at + 0.5) * column for at in range(count)]
    lines: list[Any] = [(x, 0.9 * level, x, floor, "post") for x in middles if stage.scene.posts]
    lines += [(x - 0.43 * column, floor + 2, x + 0.43 * column, floor + 2, "ground") for x in middles]
    return Layout(
        width=column * count,
        height=floor + (LINE + 6 if any(stage.labels) else 6),
        places=[Place(x, floor, (x, floor + LINE - 3)) for x in middles],
        step=(0, -level),
        items={item.name: (0.84 * column * item.size, level) for item in stage.items.values()},
        lines=lines,
    )


def _bars(stage: Stage) -> Layout:
    column, floor = min(64, max(8, _WIDTH / len(stage.most))), 280
    middles = [(at + 0.5) * column for at in range(len(stage.most))]
    return Layout(
        width=column * len(middles),
        height=floor + LINE,
        places=[Place(x, floor, (x, floor + LINE - 5)) for x in middles],
        step=(0, 0),
        items={item.name: (0.8 * column, max(3, 250 * item.size)) for item in stage.items.values()},
        lines=[(0, floor + 2, column * len(middles), floor + 2, "ground")],
        above=True,
        font=min(13, column * 1.4 / max(*stage.labels, 1)),
    )


def _grid(stage: Stage) -> Layout:
    wide = stage.scene.width
    high = ceil(len(stage.most) / wide)
    cell = min(56, max(14, min(_WIDTH / wide, 1.4 * _HEIGHT / high)))
    font = min(20, 0.5 * cell, 1.3 * cell / max(*stage.labels, 1))
    inset = 0.14 * cell if stage.scene.ways else 0
    places = []
    for at in range(len(stage.most)):
        row, column = divmod(at, wide)
        x, y = (column + 0.5) * cell, (row + 0.5) * cell
        box = (column * cell + inset, row * cell + inset, cell - 2 * inset, cell - 2 * inset)
        places.append(Place(x, y + 0.36 * cell, (x, y + 0.35 * font), box=box))
    lines: list[Any] = []
    if stage.scene.box:
        down, across = stage.scene.box
        lines += [(0, row * cell, wide * cell, row * cell, "box") for row in range(0, high + 1, down)]
        lines += [(column * cell, 0, column * cell, high * cell, "box") for column in range(0, wide + 1, across)]
    item = 0.72 * cell
    return Layout(
        width=wide * cell,
        height=high * cell,
        places=places,
        step=(0.2 * cell, -0.2 * cell),
        items=dict.fromkeys(stage.items, (item, item)),
        lines=[*_ways(stage, [(each.label[0], each.label[1] - 0.35 * font) for each in places]), *lines],
        font=font,
    )


def _graph(stage: Stage) -> Layout:
    """Put the places side by side or, if ways join more than neighbours, round a circle."""
    most, count = max(*stage.most, 1), len(stage.most)
    joined = any(other - one > 1 for one, other in stage.scene.ways)
    choices = [
        _boxed(stage, _round(stage, across) if joined else _rows(stage, across, columns), across)
        for across in range(1, min(most, 8) + 1)
        for columns in range(1, 2 if joined else min(count, 12) + 1)
    ]
    return max(choices, key=lambda each: min(_WIDTH / each.width, 1.2 * _HEIGHT / each.height))


def _sizes(stage: Stage, across: int) -> tuple[float, list[float]]:
    """Return the width of all boxes, and the height of each."""
    wide = max(across * (_item(stage) + _GAP) + _GAP, _LETTER * max(stage.labels) + 2 * _GAP)
    return wide, [LINE + _GAP + max(1, ceil(most / across)) * (_ITEM + _GAP) for most in stage.most]


def _rows(stage: Stage, across: int, columns: int) -> list[Box]:
    wide, highs = _sizes(stage, across)
    boxes, top = list[Box](), 2.0
    for start in range(0, len(highs), columns):
        row = highs[start : start + columns]
        boxes += [(2 + at * (wide + 2 * _GAP), top, wide, max(row)) for at in range(len(row))]
        top += max(row) + 2 * _GAP
    return boxes


def _round(stage: Stage, across: int) -> list[Box]:
    wide, highs = _sizes(stage, across)
    turns = [2 * pi * at / len(highs) - pi / 2 for at in range(len(highs))]
    reach_x, reach_y = (max(1, 1.3 * len(highs) / 2 / pi) * (each + 3 * _GAP) for each in (wide, max(highs)))
    return [
        (2 + reach_x * (1 + cos(turn)), 2 + reach_y * (1 + sin(turn)), wide, high)
        for turn, high in zip(turns, highs, strict=True)
    ]


def _shaft(stage: Stage) -> Layout:
    across = max(1, min(max(stage.most), int(_WIDTH / 2 / (_item(stage) + _GAP))))
    left, wide = _LETTER * max(stage.labels) + _GAP, max(4, across) * (_item(stage) + _GAP) + _GAP
    highs = [max(1, ceil(most / across)) * (_ITEM + _GAP) + _GAP for most in stage.most]
    boxes = [(left, 2 + sum(highs[at + 1 :]), wide, high) for at, high in enumerate(highs)]
    return _boxed(stage, boxes, across, [(left / 2, top + high / 2 + 5) for _, top, _, high in boxes])


def _boxed(stage: Stage, boxes: Sequence[Box], across: int, labels: Sequence[Point] = ()) -> Layout:
    """Lay out boxes with a label at the top, or where there shall be one, and things below it from left to right."""
    item, head = _item(stage), _GAP if labels else LINE
    labels = labels or [(left + wide / 2, top + LINE - 4) for left, top, wide, _ in boxes]
    places = [
        Place(box[0] + _GAP + item / 2, box[1] + head + _ITEM, label, across, box)
        for box, label in zip(boxes, labels, strict=True)
    ]
    return Layout(
        width=max(left + wide for left, _, wide, _ in boxes) + 2,
        height=max(top + high for _, top, _, high in boxes) + 2,
        places=places,
        step=(item + _GAP, _ITEM + _GAP),
        items=dict.fromkeys(stage.items, (item, _ITEM)),
        lines=_ways(stage, [(left + wide / 2, top + high / 2) for left, top, wide, high in boxes]),
    )


def _item(stage: Stage) -> float:
    """Return how wide the things of a graph are."""
    return _LETTER * max((len(each.label) for each in stage.items.values()), default=1) + 12


def _ways(stage: Stage, middles: Sequence[tuple[float, float]]) -> list[Any]:
    return [(*middles[one], *middles[other], "way") for one, other in stage.scene.ways]


_LAYOUTS: Mapping[str, Callable[[Stage], Layout]] = {
    "towers": _towers,
    "bars": _bars,
    "grid": _grid,
    "shaft": _shaft,
    "graph": _graph,
}
