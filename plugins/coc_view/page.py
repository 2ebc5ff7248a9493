"""The page: one HTML file that contains a document and everything needed to show it, and loads nothing else.

The document is the timeline: the steps of a run, compactly. Each text is stored once and named by its number. A row
says what differs from the row before it: which windows of the memory are new, which items of the picture lie elsewhere.
The page rebuilds the steps from the rows.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from coc_core.domain import Domain, Scene
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.memories import Layout
from coc_core.text import escaped
from coc_view.layout import Stage, drawable, fitting

MOST_STEPS = 20_000
"""The most steps of one timeline."""

MOST_CHARACTERS = 32_000_000
"""The most characters of all its distinct texts."""

COLUMNS = ("prompt", "target", "actions", "pointer", "windows", "changes", "registers", "waiting", "picture")
"""What a row holds, in this order."""

_SCRIPTS = ("stage.js", "states.js", "drawing.js", "player.js")
_CHUNK = 512  # windows that are compared at once
_FEWER = "show fewer steps with --from and --to"


def build_timeline(domain: Domain[Any, Any, Any, Any], layout: Layout, records: Iterable[StepRecord]) -> dict[str, Any]:
    """Build the timeline of consecutive steps.

    Args:
        domain: The domain of the run, which draws its states.
        layout: How its memory is shown.
        records: At least one record with its memory and its states. Each is read as soon as it comes, so its memory
            may change afterwards.

    Returns:
        The document. `texts` and `items` are tables; `stage` has the layout of the scenes, and tables of `marks` (label
        and look of a place) and `notes` (lines); `first_step` is the first record's step, `columns` names the parts of
        a row, and `rows` has a row for each record. In a row, a text is a number of `texts`, and

        - `windows` is how many windows there are, `changes` a flat list of index and text of those that are new or
          different;
        - `registers` are the values of the layout's registers;
        - `waiting` is None, or the range of the windows still to be run, as its first index and the one after its last;
        - `picture` is None if it has not changed, the number of a text, or the numbers of the marks of the columns and
          of the note (None if they have not changed) with a flat list of item, column and level of each item that
          moved; column -1 means gone.

    Raises:
        UsageError: The timeline would be far too large.
    """
    texts, pictures = _Texts(), _Pictures()
    rows: list[list[Any]] = []
    before: Sequence[str] = ()
    first_step = 0
    for record in records:
        windows = record.windows
        if not rows:
            first_step = record.step
        check_length(len(rows))
        waiting = layout.waiting_windows(windows, record.pointer)
        rows.append(
            [
                texts.number(record.prompt),
                texts.number(record.target),
                [texts.number(domain.actions.format(action)) for action in record.actions],
                record.pointer,
                len(windows),
                [part for index in _changed(before, windows) for part in (index, texts.number(windows[index]))],
                layout.register_values(windows, record.pointer),
                None if waiting is None else (waiting.start, waiting.stop),
                pictures.change(drawable(domain, record.after), texts),
            ]
        )
        before = windows
    return {
        "texts": texts.all,
        **pictures.document(),
        "first_step": first_step,
        "columns": COLUMNS,
        "rows": rows,
    }


def check_length(steps: int) -> None:
    """Raise UsageError for a timeline of more than `MOST_STEPS` steps."""
    if steps > MOST_STEPS:
        raise UsageError(f"{steps:,} steps are too many for a page, the most is {MOST_STEPS:,}", remedy=_FEWER)


def _changed(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield the indices at which `after` has another window than `before`, or one where that has none."""
    common = min(len(before), len(after))
    for start in range(0, common, _CHUNK):
        end = min(start + _CHUNK, common)
        if before[start:end] != after[start:end]:
            yield from (index for index in range(start, end) if before[index] != after[index])
    yield from range(common, len(after))


class _Texts:
    """Each text once, escaped, with its number."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers: dict[str, int] = {}
        self._characters = 0

    def number(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.all)
            self.all.append(escaped(text))
            self._characters += len(self.all[-1])
            if self._characters > MOST_CHARACTERS:
                raise UsageError(
                    f"the texts of these steps have more than {MOST_CHARACTERS:,} characters, too many for a page",
                    remedy=_FEWER,
                )
        return number


class _Pictures:
    """Where the items lie, and what changes from one picture to the next."""

    def __init__(self) -> None:
        self._stage = Stage()
        self._marks: dict[tuple[str, str], int] = {}
        self._notes: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._labels: list[int] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._scene: Scene | None = None

    def change(self, scene: Scene, texts: _Texts) -> Any:
        """Return what turns the picture before into `scene`, in the form that `build_timeline` describes."""
        if scene == self._scene:
            return None
        before, self._scene = self._scene, scene
        if not scene.columns:
            return texts.number(scene.text)
        self._stage.add(scene)
        labels = [self._marks.setdefault((each.label, each.look), len(self._marks)) for each in scene.columns]
        labels.append(self._notes.setdefault(scene.text, len(self._notes)))
        places = {
            self._numbers.setdefault(item.name, len(self._numbers)): (at, level)
            for at, column in enumerate(scene.columns)
            for level, item in enumerate(column.items)
        }
        old = self._places if before is not None and before.columns else {}
        moved = [(item, *place) for item, place in places.items() if old.get(item) != place]
        gone = [(item, -1, 0) for item in self._places if item not in places]
        new_labels = None if labels == self._labels and old else labels
        self._labels, self._places = labels, places
        return [new_labels, [number for move in (*gone, *moved) for number in move]]

    def document(self) -> dict[str, Any]:
        """Return the table of the items, and the stage; None without columns."""
        if not self._labels:
            return {"items": [], "stage": None}
        layout, hues = self._stage.layout(), self._stage.hues()
        items = []
        for name, item in self._stage.items.items():
            label, size = escaped(item.label), layout.items[name]
            items.append((label, *_rounded(*size), hues[name], *_rounded(*fitting(label, *size, layout.above))))
        stage = {
            "kind": self._stage.scene.kind,
            "size": _rounded(layout.width, layout.height),
            "step": _rounded(*layout.step),
            "font": round(layout.font, 1),
            "above": layout.above,
            "places": [_rounded(each.x, each.y, each.across, *each.label, *(each.box or ())) for each in layout.places],
            "lines": [(*_rounded(*line[:4]), line[4]) for line in layout.lines],
            "marks": [(escaped(label), look) for label, look in self._marks],
            "notes": [*map(layout.note, self._notes)],
        }
        return {"items": items, "stage": stage}


def _rounded(*numbers: float) -> list[float]:
    return [round(number, 1) for number in numbers]


def render_page(document: Mapping[str, Any]) -> str:
    """Render the page that shows `document`, to be written in UTF-8: a timeline, as `build_timeline` returns it, with
    `title`, `problem`, `outcome`, the number of `steps` of the whole run, the `memory` (`name`, `newest_first`, the
    names of the `registers`), `facts` (pairs of texts) and `fault` (its `step`, `kind`, `message` and `text`, or None).
    No text in it can become markup or code: the page's content security policy allows the one script and the one style
    that are part of it, by their digests, and nothing else.
    """
    title = f"{document['title']}: {document['problem']}"
    return fill("page.html", title, document, scripts=("page.js",))


def fill(
    frame: str, title: str, document: Mapping[str, Any], styles: Iterable[str] = (), scripts: Iterable[str] = ()
) -> str:
    """Fill in the frame of a page, a file, with a document, and with styles and scripts after those of all pages."""
    style, script = ("".join(map(part, names)) for names in (("page.css", *styles), (*_SCRIPTS, *scripts)))
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'"
    return Template(part(frame)).substitute(
        policy=f"{policy}; form-action 'none'",
        title=escape(escaped(title)),
        style=style,
        script=script,
        data=_inert(document),
    )


def part(name: str) -> str:
    """Return a part of a page by the name of its file, with the parts that it imports."""
    text = files(__package__).joinpath(name).read_text("utf-8")
    return re.sub('@import "(.*)";\n', lambda found: part(found[1]), text)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _inert(document: Mapping[str, Any]) -> str:
    """JSON without any character that has a meaning in HTML."""
    text = json.dumps(document, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
