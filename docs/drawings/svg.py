"""A small canvas for the drawings of the documentation: boxes, lines and text, in light and in dark.

Coordinates are in pixels, from the top left corner. The output depends on the calls alone, so that a drawing made again
is the same to the last byte.
"""

from collections.abc import Sequence
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

_STYLE = """\
:root { --back: #ffffff; --card: #f3f5f9; --edge: #b9c2d0; --ink: #1c2330; --soft: #566173; --blue: #1d5fd1;
  --blue-card: #e6eefc; --warm: #b4480f; --warm-card: #fdeee2; --green: #157347; --green-card: #e3f4ea; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171c; --card: #20252d; --edge: #47515f; --ink: #e8ebf0; --soft: #a3adbb; --blue: #82adff;
    --blue-card: #1b2a47; --warm: #ffab76; --warm-card: #3d2617; --green: #76d39a; --green-card: #17331f; } }
text { font: 14px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink); }
.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 13px; }
.small { font-size: 12px; }
.title { font-size: 15px; font-weight: 600; }
.soft { fill: var(--soft); }
.blue { fill: var(--blue); }
.warm { fill: var(--warm); }
.green { fill: var(--green); }
.bold { font-weight: 600; }
.box { fill: var(--card); stroke: var(--edge); }
.blue-box { fill: var(--blue-card); stroke: var(--blue); }
.warm-box { fill: var(--warm-card); stroke: var(--warm); }
.green-box { fill: var(--green-card); stroke: var(--green); }
.faint-box { fill: none; stroke: var(--edge); stroke-dasharray: 4 4; }
.band { fill: var(--card); }
.dot { fill: var(--blue); }
.line { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.blue-line { fill: none; stroke: var(--blue); stroke-width: 1.5; }
.warm-line { fill: none; stroke: var(--warm); stroke-width: 1.5; stroke-dasharray: 5 4; }
.grid { stroke: var(--edge); stroke-width: 0.5; }
"""


class Canvas:
    """Collects shapes and writes them as one SVG document."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width, self.height = width, height
        self._title, self._description = title, description
        self._shapes: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, kind: str = "box", radius: float = 8) -> None:
        """A rectangle; `kind` is a class of the style sheet."""
        self._add(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" class="{kind}"/>')

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: Anchor = "start", turn: float = 0) -> None:
        """One line of text whose baseline is at y, rotated by `turn` degrees around its anchor."""
        rotation = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
        start = (
            f'<text x="{x:g}" y="{y:g}" class={quoteattr(kind)} text-anchor="{anchor}"{rotation} xml:space="preserve">'
        )
        self._add(f"{start}{escape(text)}</text>")

    def lines(self, x: float, y: float, texts: Sequence[str], kind: str = "", step: float = 18) -> None:
        """Lines of text below each other."""
        for number, text in enumerate(texts):
            self.text(x, y + number * step, text, kind)

    def arrow(self, *points: Point, kind: str = "line", head: bool = True) -> None:
        """A line through the points, with an arrowhead at the last one."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        end = f' marker-end="url(#{kind})"' if head else ""
        self._add(f'<path d="{path}" class="{kind}"{end}/>')

    def dot(self, x: float, y: float, radius: float = 4, tip: str = "") -> None:
        """A filled circle, with a tooltip."""
        inside = f"<title>{escape(tip)}</title>" if tip else ""
        self._add(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="dot">{inside}</circle>')

    def line(self, start: Point, end: Point) -> None:
        """A thin line of a grid."""
        (x1, y1), (x2, y2) = start, end
        self._add(f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="grid"/>')

    def document(self) -> str:
        """The whole drawing as SVG text."""
        heads = "".join(
            f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" style="fill: var(--{colour})"/></marker>\n'
            for kind, colour in (("line", "soft"), ("blue-line", "blue"), ("warm-line", "warm"))
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'width="{self.width:g}" height="{self.height:g}" role="img">\n'
            f"<title>{escape(self._title)}</title>\n<desc>{escape(self._description)}</desc>\n"
            f"<style>\n{_STYLE}</style>\n<defs>\n{heads}</defs>\n"
            f'<rect width="100%" height="100%" rx="10" style="fill: var(--back)"/>\n'
            + "\n".join(self._shapes)
            + "\n</svg>\n"
        )

    def _add(self, shape: str) -> None:
        self._shapes.append(shape)
