"""Names that are likely meant: near ones are suggested, and no others."""

from hypothesis import given, strategies as st

from coc_core.text import nearest
from tests.support.for_each import for_each

NAMES = [
    "blocks",
    "exact-cover",
    "gripper",
    "hanoi",
    "hanoi-4",
    "pda",
    "river-crossing",
    "tape",
    "run",
    "Sums",
]


@for_each(
    ("word", "meant"),
    [
        ("hanio", "hanoi"),
        ("Hanoi", "hanoi"),
        ("hano", "hanoi"),
        ("tower-of-hanoi", "hanoi"),
        ("hanoi4", "hanoi-4"),
        ("river", "river-crossing"),
        ("pad", "pda"),
        ("rnu", "run"),
        ("tapes", "tape"),
        ("grippers", "gripper"),
        ("tape:k=3", "tape"),
        ("sum", "Sums"),
        ("stack", None),
        ("ladder", None),
        ("sudoku", None),
        ("grid", None),
        ("cross", None),
        ("", None),
        ("x", None),
    ],
)
def test_only_what_is_near_is_suggested(word, meant):
    assert nearest(word, NAMES) == meant


@given(st.sampled_from([name for name in NAMES if len(name) > 4]), st.data())
def test_one_mistake_is_near(name, data):
    place = data.draw(st.integers(0, len(name) - 2))
    swapped = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    left_out, added, wrong = (
        name[:place] + letter + name[end:] for letter, end in (("", place + 1), ("x", place), ("x", place + 1))
    )
    for word in (swapped, left_out, added, wrong):
        assert nearest(word, [name]) == name
