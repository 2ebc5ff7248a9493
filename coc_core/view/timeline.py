"""A film: the moments of a run as one compact JSON document.

A text is written once and named by its number from then on. A moment says what is different from the moment before:
how many windows of the memory stay, which are new, which items of the picture lie elsewhere. Whoever shows the film
makes the moments from that again.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from coc_core.domain import Domain, Item, Scene, scene_of
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.text import escaped

MOST_CHARACTERS = 32_000_000
"""Of all the different texts of one film."""

MOST_WINDOWS = 200_000_000
"""Of all the moments of one film together: each is looked at whole, however little has changed in it."""

_FEWER = "show fewer steps with --from and --to"


def build_timeline(domain: Domain[Any, Any, Any, Any], moments: Iterator[StepRecord]) -> dict[str, Any]:
    """The document of consecutive moments, of which there is at least one. UsageError if it would be far too large.

    `texts` and `items` (label, size) are the tables, `posts` says whether the items hang on any, `base` is the first
    moment in full, and `rows` are the moments: prompt, target, pointer, how many windows stay, the new ones, the
    actions, and what changed in the picture. That is None, the number of a text, or the labels of the columns (None if
    they are as before) with a flat list of item, column and level; the column is -1 for an item that is gone.
    """
    texts, stage = _Texts(), _Stage()

    def row(moment: StepRecord, stays: int) -> list[Any]:
        asked, said = texts.number(moment.prompt), texts.number(moment.target)
        new, actions = texts.each(moment.windows[stays:]), texts.each(map(domain.actions.format, moment.actions))
        change = stage.change(scene_of(domain, moment.after), texts)
        return [asked, said, moment.pointer, stays, new, actions, change]

    first = next(moments)
    windows = first.windows
    base = {"step": first.step, "windows": texts.each(windows), "pointer": first.pointer}
    rows, seen = [row(first, len(windows))], 0
    for moment in moments:
        seen += len(moment.windows)
        if seen > MOST_WINDOWS:
            raise UsageError("the memory is too large for so many steps", remedy=_FEWER)
        rows.append(row(moment, _common(windows, moment.windows)))
        windows = moment.windows
    return {"texts": texts.all, "items": stage.items, "posts": stage.posts, "base": base, "rows": rows}


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """How many windows at the beginning are the same."""
    if after[: len(before)] == before:  # the usual case on a tape, and quick
        return len(before)
    same = min(len(before), len(after))
    while before[:same] != after[:same]:  # on a stack the change is at its top
        same -= 1
    return same


class _Texts:
    """Each text once, made visible, with its number."""

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

    def each(self, texts: Iterable[str]) -> list[int]:
        return [self.number(text) for text in texts]


class _Stage:
    """Where the items lie, and what changes there."""

    def __init__(self) -> None:
        self.items: list[tuple[str, float]] = []
        self.posts = False
        self._numbers: dict[str, int] = {}
        self._labels: list[str] = []
        self._places: dict[int, tuple[int, int]] = {}
        self._scene: Scene | None = None

    def change(self, scene: Scene, texts: _Texts) -> Any:
        """What is to be done to the picture to make it `scene`; in the form that `build_timeline` describes."""
        if scene == self._scene:
            return None
        before, self._scene = self._scene, scene
        if not scene.columns:
            return texts.number(scene.text)
        self.posts |= scene.posts
        labels = [escaped(column.label) for column in scene.columns]
        places = {
            self._number(item): (at, level)
            for at, column in enumerate(scene.columns)
            for level, item in enumerate(column.items)
        }
        old = self._places if before is not None and before.columns else {}
        moved = [(item, *place) for item, place in places.items() if old.get(item) != place]
        gone = [(item, -1, 0) for item in self._places if item not in places]
        told = None if labels == self._labels and old else labels
        self._labels, self._places = labels, places
        return [told, [number for move in (*gone, *moved) for number in move]]

    def _number(self, item: Item) -> int:
        number = self._numbers.get(item.name)
        if number is None:
            number = self._numbers[item.name] = len(self.items)
            self.items.append((escaped(item.label), round(item.size, 4)))
        return number
