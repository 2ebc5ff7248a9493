"""The page: its parts, and the timeline in it."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from coc_core.domain import Column, HasScenes, Item, Scene, scene_of
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.memories import Layout
from coc_view import page as module
from coc_view.page import build_timeline, render_page
from tests.support.for_each import for_each
from tests.support.saved_runs import moments
from tests.support.toy_parts import Line, Queue, Take

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>&lt;&amp;",
    '"><img src=x onerror=alert(1)>',
    "\u202eright\u2066to\u2069left\u200f",
    "\x1b[31m\x00\x07\x85\u2028\u2029\ufeff",
    "\ud800",
    "$data ${script} %s {0}",
]


def document(**changes):
    domain, seen = moments(n=3)
    about = {"title": "hanoi", "problem": "n=3", "outcome": "solved", "steps": 10}
    about |= {"memory": {"name": "pda", "newest_first": True, "registers": []}}
    about |= {"facts": [("model", "reference")], "fault": None}
    return {**about, **build_timeline(domain, Layout(), seen), **changes}


class Parts(HTMLParser):
    """The scripts, styles, policies and outside addresses of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.scripts, self.styles, self.metas, self.asked, self.tags, self._into = [], [], {}, [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.asked += [given[name] for name in ("src", "href", "action", "srcset", "data", "style") if name in given]
        assert not [name for name in given if name.startswith("on")]
        if tag == "meta":
            self.metas[given.get("http-equiv") or given.get("name") or "charset"] = given.get("content")
        if tag == "script":
            self._into = self.scripts
            self._into.append([given.get("type"), ""])
        if tag == "style":
            self._into = self.styles
            self._into.append([None, ""])

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._into = None

    def handle_data(self, data):
        if self._into is not None:
            self._into[-1][1] += data


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_a_page_allows_its_own_script_and_style_and_nothing_else():
    parts = Parts(render_page(document()))
    (_, data), (_, script) = parts.scripts
    ((_, style),) = parts.styles
    rules = dict(rule.split(" ", 1) for rule in parts.metas["Content-Security-Policy"].split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": digest(script),
        "style-src": digest(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert parts.asked == []
    assert json.loads(data) == json.loads(json.dumps(document()))


@for_each("text", HOSTILE)
def test_no_text_becomes_markup_or_code(text):
    clean = Parts(render_page(document()))
    fault = {"step": 11, "kind": "protocol", "message": text, "text": text}
    bad = document(title=text, problem=text, facts=[(text, text)], fault=fault, texts=[text] * 99)
    parts = Parts(render_page(bad))
    assert parts.tags == clean.tags
    assert parts.styles == clean.styles
    assert parts.scripts[1] == clean.scripts[1]
    assert json.loads(parts.scripts[0][1])["fault"]["text"] == text
    assert parts.metas == clean.metas


def test_the_script_never_makes_markup_of_a_text():
    script = Parts(render_page(document())).scripts[1][1]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|setTimeout|fetch\(|import", script
    )
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


def test_every_control_has_a_name():
    text = render_page(document())
    for button in re.findall(r"<button[^>]*>.*?</button>", text, re.DOTALL):
        assert "aria-label=" in button or re.search(r">[A-Za-z ]+</button>", button), button
    assert 'aria-live="polite"' in text
    assert ":focus-visible" in text
    assert "prefers-reduced-motion" in text
    assert "prefers-color-scheme: dark" in text
    assert set(re.findall(r'\$\("([a-z-]+)"\)', text)) <= set(re.findall(r'id="([a-z-]+)"', text))


def shown(document):
    """The steps that a timeline shows, rebuilt as the page does: texts, windows, pointer, actions and picture."""
    texts, windows, places, labels, text = document["texts"], [], {}, [], None
    for values in document["rows"]:
        row = dict(zip(document["columns"], values, strict=True))
        windows = windows[: row["windows"]]
        for index, number in zip(*[iter(row["changes"])] * 2, strict=True):
            windows[index : index + 1] = [number]
        assert len(windows) == row["windows"]
        change = row["picture"]
        if isinstance(change, int):
            text = change
        elif change is not None:
            text, labels = None, labels if change[0] is None else change[0]
            marks = [document["stage"]["marks"][number] for number in labels[:-1]]
            note = document["stage"]["notes"][labels[-1]]
            for item, column, level in zip(*[iter(change[1])] * 3, strict=True):
                places.pop(item, None)
                if column >= 0:
                    places[item] = column, level
        lying = {place: document["items"][item][0] for item, place in places.items()}
        picture = texts[text] if text is not None else (marks, note, lying)
        prompt, target, actions = texts[row["prompt"]], texts[row["target"]], [texts[a] for a in row["actions"]]
        yield prompt, target, [texts[w] for w in windows], row["pointer"], actions, picture


def expected(domain, seen):
    for moment in seen:
        scene = scene_of(domain, moment.after)
        lying = {
            (at, level): item.label
            for at, column in enumerate(scene.columns)
            for level, item in enumerate(column.items)
        }
        marks = [(column.label, column.look) for column in scene.columns]
        picture = (marks, scene.text.split("\n") if scene.text else [], lying) if marks else scene.text
        actions = [domain.actions.format(action) for action in moment.actions]
        yield moment.prompt, moment.target, list(moment.windows), moment.pointer, actions, picture


@given(
    st.sampled_from(["hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake"]),
    st.sampled_from([("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline")]),
    st.integers(1, 5),
    st.integers(0, 20),
    st.integers(0, 6),
)
def test_a_timeline_shows_each_step_as_it_was(domain, kept, n, seed, first):
    subject, seen = moments(domain, *kept, n=n, seed=seed)
    seen = seen[min(first, len(seen) - 1) :]
    document = build_timeline(subject, Layout(), iter(seen))
    assert document["first_step"] == seen[0].step
    assert list(shown(document)) == list(expected(subject, seen))
    assert len(set(document["texts"])) == len(document["texts"])


class Shown:
    """Holds its windows."""

    def windows(self, contents):
        return contents


def moment(step, windows, state, actions=()):
    at = len(windows) - 1
    return StepRecord(step, "", "", actions, at, None, None, state, state, Shown(), tuple(windows))


@frozen
class Things(HasScenes):
    """A domain whose scenes are its states."""

    actions = Queue.actions

    def scene(self, state):
        return state


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), min_size=1, max_size=8))
def test_any_change_of_the_memory_can_be_shown(memories):
    seen = [moment(step, tuple(windows), (1, step)) for step, windows in enumerate(memories)]
    assert list(shown(build_timeline(Queue(), Layout(), iter(seen)))) == list(expected(Queue(), seen))


ITEMS = [Item(name, name.upper(), size) for name, size in (("a", 0.5), ("b", 0.75), ("c", 1.0))]
LINES = st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(0, 2)), unique_by=lambda pair: pair[0].name)


@given(st.lists(st.one_of(LINES, st.text("xy", min_size=1)), min_size=1, max_size=8), st.integers(1, 3))
def test_any_change_of_the_picture_can_be_shown(pictures, width):
    def scene(picture):
        if isinstance(picture, str):
            return Scene(text=picture)
        rows = [tuple(item for item, at in picture if at == column) for column in range(3)]
        return Scene(tuple(Column(f"{width}{at}", row) for at, row in enumerate(rows)))

    seen = [moment(step, (), scene(picture)) for step, picture in enumerate(pictures)]
    assert list(shown(build_timeline(Things(), Layout(), iter(seen)))) == list(expected(Things(), seen))


def test_deceptive_characters_are_escaped():
    seen = [moment(0, ("\x1b[31m\u202eabc\x00\n<b>",), Scene(text="\u2028"), (Take(7),))]
    texts = build_timeline(Things(), Layout(), iter(seen))["texts"]
    assert "\\x1b[31m\\u202eabc\\x00\n<b>" in texts
    assert "\\u2028" in texts
    assert "Take 7" in texts


def test_places_have_room_for_all_that_comes_into_them():
    grid = Scene((Column("1"), Column("2")), kind="graph")
    full = evolve(grid, columns=(Column("1", tuple(Item(f"{n}", f"{n}") for n in range(30))), Column("2")))
    stage = build_timeline(Things(), Layout(), iter([moment(0, (), grid), moment(1, (), full)]))["stage"]
    (x, y, across, *_, left, top, width, height), _ = stage["places"]
    assert left < x < left + width
    assert y + (30 // across - 1) * stage["step"][1] <= top + height


def test_too_many_characters_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHARACTERS", 10)
    build_timeline(Queue(), Layout(), iter([moment(0, ("12345",), Line((1,)).items)]))
    with pytest.raises(UsageError, match="show fewer steps with --from and --to"):
        build_timeline(Queue(), Layout(), iter([moment(0, ("123456789",), Line((1,)).items)]))
