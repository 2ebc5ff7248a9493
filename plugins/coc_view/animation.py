"""A run as an animated picture: one SVG without scripts that plays by itself, for a README or a paper."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, Scene, scene_of
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.text import escaped

MOST_FRAMES = 2_000
"""The most different pictures of one animation."""

_SECONDS, _REST = 0.7, 2.5  # for each picture, and at the end
_COLUMN, _TALLEST, _STAGE = 180, 34, 340  # pixels: the width of a column, the height of an item, of all of them
_FONT, _LINE = 15, 20
_STYLE = (
    "text{font:15px ui-monospace,monospace;fill:#666a73}.item text{font-weight:600;fill:#101218;"
    "text-anchor:middle;dominant-baseline:central}.place{text-anchor:middle}"
    "line{stroke:#c9c9c2;stroke-width:4;stroke-linecap:round}"
)


@frozen
class Frame:
    """A picture, and the action that led to it from the one before."""

    scene: Scene
    action: str = ""


def frames(domain: Domain[Any, Any, Any, Any], records: Iterable[StepRecord]) -> list[Frame]:
    """Return the picture before the actions of consecutive steps, and after each; UsageError beyond `MOST_FRAMES`."""
    found: list[Frame] = []
    for record in records:
        state = record.before
        found = found or [Frame(scene_of(domain, state))]
        for action in record.actions:
            state = domain.apply(state, action)
            found.append(Frame(scene_of(domain, state), escaped(domain.actions.format(action))))
        if len(found) > MOST_FRAMES:
            raise UsageError(
                f"more than {MOST_FRAMES:,} pictures are too many for an animation",
                remedy="show fewer steps with --from and --to",
            )
    return found


def animation(title: str, shown: Sequence[Frame]) -> str:
    """Return the animation of at least one frame, as the text of an SVG file; equal frames give equal texts.

    Where the scenes have columns, their items move; otherwise one text follows the other.
    """
    drawn = all(frame.scene.columns for frame in shown)
    parts, width, height = _columns(shown) if drawn else _texts(shown)
    width = max(width, 20 + 9.1 * max(len(frame.action) for frame in shown))
    parts += [  # an action is named while it is under way
        _during(at, len(shown), _text(10, height + _LINE, frame.action)) for at, frame in enumerate(shown[1:])
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height + 2 * _LINE:g}" width="{width:g}"'
        f' role="img"><title>{escape(title)}</title><style>{_STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _columns(shown: Sequence[Frame]) -> tuple[list[str], float, float]:
    """Return the elements of scenes with columns, and how wide and high they are."""
    columns = max(len(frame.scene.columns) for frame in shown)
    levels = max(len(column.items) for frame in shown for column in frame.scene.columns) or 1
    level = min(_TALLEST, _STAGE / levels)
    floor = level * (levels + 1.4)
    items = {item.name: item for frame in shown for column in frame.scene.columns for item in column.items}
    sizes = sorted({item.size for item in items.values()}, reverse=True)
    posts = any(frame.scene.posts for frame in shown)
    parts = []
    for at in range(columns):
        middle, half = (at + 0.5) * _COLUMN, 0.46 * _COLUMN
        if posts:
            parts.append(f'<line x1="{middle:g}" x2="{middle:g}" y1="{0.9 * level:g}" y2="{floor:g}"/>')
        parts.append(f'<line x1="{middle - half:g}" x2="{middle + half:g}" y1="{floor + 2:g}" y2="{floor + 2:g}"/>')
        labels = [escaped(frame.scene.columns[at].label) if at < len(frame.scene.columns) else "" for frame in shown]
        for first, last, label in _spans(labels):
            text = _text(middle, floor + _LINE, label, "place")
            parts.append(text if (first, last) == (0, len(shown)) else _during(first, len(shown), text, last))
    for number, (name, item) in enumerate(items.items()):
        shade, shades = (sizes.index(item.size), len(sizes)) if len(sizes) > 1 else (number, len(items))
        hue = round(255 + 190 * shade / max(shades - 1, 1)) % 360
        wide = 0.94 * _COLUMN * item.size
        box = f'<rect x="{-wide / 2:g}" width="{wide:g}" height="{level:g}" rx="{0.3 * level:g}"'
        label = escaped(item.label)
        told = _text(0, level / 2, label) if min(level, wide / (0.65 * len(label) or 1)) > 0.6 * _FONT else ""
        parts.append(_moving(f'{box} fill="hsl({hue} 48% 68%)"/>{told}', _places(name, shown, level, floor)))
    return parts, columns * _COLUMN, floor + 1.5 * _LINE


def _texts(shown: Sequence[Frame]) -> tuple[list[str], float, float]:
    """Return the elements of scenes that are texts, and how wide and high they are."""
    pictures = [[escaped(line) for line in frame.scene.text.split("\n")] for frame in shown]
    parts = []
    for at, lines in enumerate(pictures):
        texts = (_text(10, (row + 1) * _LINE, line) for row, line in enumerate(lines))
        parts.append(_during(at, len(shown), "".join(texts)))
    widest = max(len(line) for lines in pictures for line in lines)
    return parts, 20 + 9.1 * widest, _LINE * (0.5 + max(map(len, pictures)))


Place = tuple[float, float] | None


def _places(name: str, shown: Sequence[Frame], level: float, floor: float) -> list[Place]:
    """Return where an item lies in each frame; None where it is gone."""
    found: list[Place] = []
    for frame in shown:
        found.append(None)
        for at, column in enumerate(frame.scene.columns):
            for height, item in enumerate(column.items):
                if item.name == name:
                    found[-1] = ((at + 0.5) * _COLUMN, floor - (height + 1) * level)
    return found


def _moving(inside: str, places: list[Place]) -> str:
    """Return an item that moves from place to place: from one column to another it is lifted over all others."""
    known = [place for place in places if place]
    times, points = [0.0], [places[0] or known[0]]
    for at, (before, after) in enumerate(pairwise(places), 1):
        end = points[-1] if after is None else after
        start, way = points[-1], [end]
        if start == end:
            continue
        if before and after and before[0] != after[0]:
            way = [(before[0], 0.0), (after[0], 0.0), end]
        begin = (at - 1) * _SECONDS + 0.15 * _SECONDS
        times += [begin, *(begin + 0.8 * _SECONDS * part / len(way) for part in range(1, len(way) + 1))]
        points += [start, *way]
    total = _total(len(places))
    moves = ""
    if len(points) > 1:
        keys = ";".join(f"{time / total:.5f}" for time in [*times, total])
        values = ";".join(f"{x:g},{y:g}" for x, y in [*points, points[-1]])
        moves = (
            f'<animateTransform attributeName="transform" type="translate" dur="{total:g}s" repeatCount="indefinite"'
            f' keyTimes="{keys}" values="{values}"/>'
        )
    gone = "".join(
        _shown(first, len(places), last)
        for first, last, there in _spans([place is not None for place in places])
        if there and (first, last) != (0, len(places))
    )
    x, y = points[0]
    return f'<g class="item" transform="translate({x:g},{y:g})">{inside}{moves}{gone}</g>'


def _spans(values: Sequence[Any]) -> Iterator[tuple[int, int, Any]]:
    """Give the spans of equal values: the first, the one after the last, and the value."""
    first = 0
    for at in range(1, len(values) + 1):
        if at == len(values) or values[at] != values[first]:
            yield first, at, values[first]
            first = at


def _total(count: int) -> float:
    return round(count * _SECONDS + _REST, 4)


def _during(first: int, count: int, inside: str, last: int | None = None) -> str:
    """Elements that are seen from one frame up to another, by default the next."""
    return f'<g visibility="hidden">{inside}{_shown(first, count, last)}</g>'


def _shown(first: int, count: int, last: int | None = None) -> str:
    total, end = _total(count), first + 1 if last is None else last
    until = 1.0 if end == count else end * _SECONDS / total
    times, values = [0.0, first * _SECONDS / total, until], ["hidden", "visible", "hidden"]
    if first == 0:
        times, values = times[1:], values[1:]
    if until == 1.0:
        times, values = times[:-1], values[:-1]
    keys = ";".join(f"{time:.5f}" for time in times)
    return (
        f'<animate attributeName="visibility" dur="{total:g}s" repeatCount="indefinite" calcMode="discrete"'
        f' keyTimes="{keys}" values="{";".join(values)}"/>'
    )


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{named} xml:space="preserve">{escape(text)}</text>'
