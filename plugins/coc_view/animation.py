"""A run as an animated picture: one SVG without scripts that plays by itself, for a README or a paper."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, Scene
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.text import escaped
from coc_view.layout import LETTER, LINE, Layout, Stage, drawable, fitting
from coc_view.page import part

MOST_FRAMES = 2_000
"""The most different pictures of one animation."""

_SECONDS, _REST = 0.7, 2.5  # for each picture, and at the end


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
        found = found or [Frame(drawable(domain, state))]
        for action in record.actions:
            state = domain.apply(state, action)
            found.append(Frame(drawable(domain, state), domain.actions.format(action)))
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
    parts, width, height = _scenes(shown) if drawn else _texts(shown)
    width = max(width, 20 + LETTER * min(50, max(len(frame.action) for frame in shown)))
    captions = [textwrap.wrap(escaped(frame.action), int((width - 20) / LETTER)) for frame in shown]
    parts += [  # an action is named while it is under way
        _during(at, len(shown), _lines(height + LINE, lines)) for at, lines in enumerate(captions[1:])
    ]
    high = height + LINE * (max(map(len, captions)) + 0.7)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {high:g}" width="{width:g}" role="img">'
        f"<title>{escape(title)}</title><style>{part('face.css')}{part('stage.css')}</style>\n"
        '<rect class="back" width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _scenes(shown: Sequence[Frame]) -> tuple[list[str], float, float]:
    """Return the elements of scenes with columns, and how wide and high they are."""
    stage = Stage()
    for frame in shown:
        stage.add(frame.scene)
    layout, hues = stage.layout(), stage.hues()
    lines = [
        (kind, f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#c9c9c2"/>')
        for x1, y1, x2, y2, kind in layout.lines
    ]
    parts = [line for kind, line in lines if kind != "box"]
    for at in range(len(layout.places)):
        columns = [frame.scene.columns[at : at + 1] for frame in shown]
        for first, last, (label, look) in _spans(
            [(each[0].label, each[0].look) if each else ("", "") for each in columns]
        ):
            parts.append(_while(first, last, len(shown), _box(layout, at, escaped(label), look)))
    parts += [line for kind, line in lines if kind == "box"]
    positions = _positions(stage.items, shown, layout)
    for name, item in stage.items.items():
        wide, high = layout.items[name]
        box = f'<rect x="{-wide / 2:g}" y="{-high:g}" width="{wide:g}" height="{high:g}" rx="{min(6, 0.3 * high):g}"'
        label = escaped(item.label)
        size, up = fitting(label, wide, high, layout.above)
        told = _text(0, -up, label, "above" * layout.above, size) if size else ""
        inside = f'{box} style="--hue:{hues[name]}" fill="hsl({hues[name]} 48% 68%)"/>{told}'
        parts.append(_moving(inside, positions[name], high if stage.scene.kind == "towers" else None))
    notes = [layout.note(frame.scene.text) for frame in shown]
    for first, last, note in _spans(notes):
        parts.append(_while(first, last, len(shown), _lines(layout.height + LINE, note)))
    width = max([layout.width + 4, *(20 + LETTER * len(line) for note in notes for line in note)])
    return parts, width, layout.height + LINE * max(map(len, notes))


def _box(layout: Layout, at: int, label: str, look: str) -> str:
    """Return the box of a place, if it has one, and its label."""
    place, box = layout.places[at], ""
    if place.box:
        where = 'x="{:g}" y="{:g}" width="{:g}" height="{:g}"'.format(*place.box)
        box = f'<rect class="{f"cell {look}".strip()}" {where} rx="2" fill="none"/>'
    return box + (_text(*place.label, label, f"place {look}", layout.font) if label else "")


def _while(first: int, last: int, count: int, inside: str) -> str:
    """Return elements that are seen from one frame to another, which may be all the time."""
    return inside if (first, last) == (0, count) or not inside else _during(first, count, inside, last)


def _texts(shown: Sequence[Frame]) -> tuple[list[str], float, float]:
    """Return the elements of scenes that are texts, and how wide and high they are."""
    pictures = [[escaped(line) for line in frame.scene.text.split("\n")] for frame in shown]
    parts = [_during(at, len(shown), _lines(LINE, lines)) for at, lines in enumerate(pictures)]
    widest = max(len(line) for lines in pictures for line in lines)
    return parts, 20 + LETTER * widest, LINE * (0.5 + max(map(len, pictures)))


Position = tuple[float, float] | None


def _positions(names: Iterable[str], shown: Sequence[Frame], layout: Layout) -> dict[str, list[Position]]:
    """Return where each item lies in each frame; None where it is gone."""
    found: dict[str, list[Position]] = {name: [None] * len(shown) for name in names}
    for number, frame in enumerate(shown):
        for at, column in enumerate(frame.scene.columns):
            for level, item in enumerate(column.items):
                found[item.name][number] = layout.at(at, level)
    return found


def _moving(inside: str, places: list[Position], top: float | None) -> str:
    """Return an item that moves from place to place; from tower to tower, it is lifted to the `top`."""
    known = [place for place in places if place]
    times, points = [0.0], [places[0] or known[0]]
    for at, (before, after) in enumerate(pairwise(places), 1):
        end = points[-1] if after is None else after
        start, way = points[-1], [end]
        if start == end:
            continue
        if top is not None and before and after and before[0] != after[0]:
            way = [(before[0], top), (after[0], top), end]
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


def _lines(y: float, lines: Sequence[str]) -> str:
    return "".join(_text(10, y + row * LINE, line) for row, line in enumerate(lines))


def _text(x: float, y: float, text: str, kind: str = "", size: float = 0) -> str:
    named = (f' class="{kind.strip()}"' if kind else "") + (f' style="font-size:{size:g}px"' if size else "")
    return f'<text x="{x:g}" y="{y:g}"{named} xml:space="preserve">{escape(text)}</text>'
