"""Scenes of every domain and of every kind: as text, and as pictures."""

from xml.etree import ElementTree

from hypothesis import given, strategies as st

from coc_core.domain import Column, Item, Scene
from coc_core.plugin import DomainSpec, Registry
from coc_problems import policy_actions
from coc_view.animation import Frame, animation
from coc_view.layout import MOST_PLACES, Stage, drawable
from tests.support.for_each import for_each

DOMAINS = sorted({spec.name for spec in Registry.installed().specs(DomainSpec)} - {"scheme"})  # which has no scene
KINDS = ("towers", "bars", "grid", "shaft", "graph")
LABELS = st.sampled_from(["", "a", "two words", "\"><script>alert(1)</script>&\x1b[2J\u202e\n'", "x" * 90])


@for_each("name", DOMAINS)
def test_every_domain_is_drawn_as_text_and_as_a_picture(name):
    domain = Registry.installed().create(DomainSpec, name)
    problem = domain.problem(2, seed=1)
    state = domain.initial(problem)
    frames = [Frame(drawable(domain, state))]
    for _, action in zip(range(3), policy_actions(domain, problem), strict=False):
        state = domain.apply(state, action)
        frames.append(Frame(drawable(domain, state), domain.actions.format(action)))
        assert all(domain.render(state, width).strip() for width in (1, 30, 100))
    ElementTree.fromstring(animation(name, frames))
    items = [item.name for column in frames[-1].scene.columns for item in column.items]
    assert len({*items}) == len(items)


@st.composite
def drawn_scenes(draw):
    """Scenes of one kind, with the same places."""
    kind, count, width = draw(st.sampled_from(KINDS)), draw(st.integers(1, 12)), draw(st.integers(1, 4))
    ways = draw(st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=3))
    looks = st.sampled_from(["", "given", "goal", "path", "wall"])
    found = []
    for _ in range(draw(st.integers(1, 3))):
        held = [(Item(f"{at}", draw(LABELS), kind=draw(LABELS)),) for at in range(count)]
        columns = tuple(Column(draw(LABELS), each * draw(st.booleans()), draw(looks)) for each in held)
        found.append(Scene(columns, text=draw(LABELS), kind=kind, width=width, ways=tuple(ways), box=(2, 2)))
    return found


@given(drawn_scenes())
def test_any_scene_is_drawn_and_nothing_in_it_is_markup(scenes):
    text = animation("x", [Frame(scene, scene.text) for scene in scenes])
    assert not any(each.tag.endswith("script") for each in ElementTree.fromstring(text).iter())
    assert text.isascii()
    stage = Stage()
    for scene in scenes:
        stage.add(scene)
        assert isinstance(scene.draw(20), str)
    layout = stage.layout()
    for at, most in enumerate(stage.most):
        for x, y in (layout.at(at, level) for level in range(most)):
            assert 0 <= x <= layout.width
            assert 0 <= y <= layout.height + 1


def test_a_grid_with_too_many_cells_is_a_text():
    domain = Registry.installed().create(DomainSpec, "maze")
    small, large = (drawable(domain, domain.initial(domain.problem(n))) for n in (40, 41))
    assert (len(small.columns), large.columns) == (MOST_PLACES, ())
    assert large.text.count("\n") == 40


@for_each(
    ("scene", "text"),
    [
        (Scene((Column("1", (Item("a", "A"), Item("b", "B"))), Column("2"))), "[B]\n[A]\n───  ───\n 1    2"),
        (Scene(tuple(Column("", (Item(f"{n}", f"{n}"),)) for n in range(3))), "[0]  [1]  [2]\n───  ───  ───"),
        (Scene((Column("7", look="given"), Column("", look="wall")) * 2, kind="grid", width=2), "7 #\n7 #"),
        (Scene(tuple(Column(f"{n}") for n in range(4)), kind="grid", width=2, box=(1, 1)), "0 | 1\n--+--\n2 | 3"),
        (
            Scene((Column("x", (Item("a", "A"),)), Column("yy")), kind="graph", ways=((0, 1),)),
            "x  : A → yy\nyy :  → x",
        ),
        (Scene((Column("1"), Column("2", (Item("a", "A"),))), kind="shaft", text="so"), "2 : A\n1 :\nso"),
        (
            Scene((Column("", (Item("a", "3", 1),)), Column("", (Item("b", "0", 0),))), kind="bars"),
            "a 3 " + "█" * 16 + "\nb 0",
        ),
    ],
)
def test_a_scene_of_each_kind_is_drawn_as_text(scene, text):
    assert scene.draw(20) == text
