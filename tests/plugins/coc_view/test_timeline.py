import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from coc_core.domain import Column, HasScenes, Item, Scene, scene_of
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.memories import Layout
from coc_view import page as module
from coc_view.page import build_timeline
from tests.support.saved_runs import moments
from tests.support.toy_parts import Line, Queue, Take


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
            for item, column, level in zip(*[iter(change[1])] * 3, strict=True):
                places.pop(item, None)
                if column >= 0:
                    places[item] = column, level
        lying = {place: document["items"][item] for item, place in places.items()}
        picture = texts[text] if text is not None else (labels, lying)
        prompt, target, actions = texts[row["prompt"]], texts[row["target"]], [texts[a] for a in row["actions"]]
        yield prompt, target, [texts[w] for w in windows], row["pointer"], actions, picture


def expected(domain, seen):
    for moment in seen:
        scene = scene_of(domain, moment.after)
        lying = {
            (at, level): (item.label, round(item.size, 4))
            for at, column in enumerate(scene.columns)
            for level, item in enumerate(column.items)
        }
        picture = ([column.label for column in scene.columns], lying) if scene.columns else scene.text
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


def test_posts_are_known_from_any_scene():
    empty = Scene((Column("1"),))
    assert not build_timeline(Things(), Layout(), iter([moment(0, (), empty)]))["posts"]
    assert build_timeline(Things(), Layout(), iter([moment(0, (), empty), moment(1, (), evolve(empty, posts=True))]))[
        "posts"
    ]


def test_too_many_characters_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHARACTERS", 10)
    build_timeline(Queue(), Layout(), iter([moment(0, ("12345",), Line((1,)).items)]))
    with pytest.raises(UsageError, match="show fewer steps with --from and --to"):
        build_timeline(Queue(), Layout(), iter([moment(0, ("123456789",), Line((1,)).items)]))
