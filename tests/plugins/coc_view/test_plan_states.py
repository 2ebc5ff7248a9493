"""What actions move, in the pictures of a domain or, where these don't do, in the variables of its states."""

import pytest

from coc_certify.grammar import Grammar
from coc_certify.plan import GrammarPlan
from coc_core.domain import Column, Item, Scene
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Tower
from coc_pancake.domain import Pancake
from coc_view.plan_states import build_states

FIRST, SECOND = "Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"


class Drawn(Hanoi):
    """Hanoi whose states are drawn by a function of the picture that they would have."""

    def __init__(self, change):
        self._change = change

    def scene(self, state):
        return self._change(super().scene(state))


def states(domain, *texts):
    plan = GrammarPlan(domain, Tower(2), Grammar((texts,)))
    return build_states(plan, [(text, place) for place, text in enumerate(texts)])


def moved(scene):
    """Whether disk 1 is no longer where it was."""
    return len(scene.columns[0].items) < 2


SMALL, LARGE, STRANGE = Item("1", "1", 0.5), Item("2", "2"), Item("3", "3")
TEXT = lambda scene: Scene(text="no columns")  # noqa: E731
REVERSED = lambda scene: Scene((Column("a", (LARGE, SMALL) if moved(scene) else (SMALL, LARGE)),))  # noqa: E731
APPEARING = lambda scene: Scene((Column("a", (SMALL, STRANGE) if moved(scene) else (SMALL,)),))  # noqa: E731
VANISHING = lambda scene: Scene((Column("a", (SMALL,) if moved(scene) else (SMALL, LARGE)),))  # noqa: E731
RENAMED = lambda scene: Scene((Column("b" if moved(scene) else "a", (SMALL,)),))  # noqa: E731


@pytest.mark.parametrize("change", [TEXT, REVERSED, APPEARING, VANISHING, RENAMED])
def test_a_picture_that_does_more_than_move_items_to_the_top_is_not_drawn(change):
    assert states(Drawn(change), FIRST) == {
        "drawn": False,
        "posts": False,
        "items": [("1", 0), ("2", 0)],
        "places": ["1", "2"],
        "start": [(0, 0), (1, 0)],
        "effects": [[(0, 1)]],
    }


def test_several_items_may_be_moved_at_once():
    def pair(scene):
        both = (LARGE, SMALL)
        return Scene((Column("a"), Column("b", both)) if moved(scene) else (Column("a", both), Column("b")))

    assert states(Drawn(pair), FIRST)["effects"] == [[(0, 1), (1, 1)]]


@pytest.mark.parametrize("change", [TEXT, lambda scene: scene])
def test_an_action_that_is_not_legal_moves_nothing(change):
    assert states(Drawn(change), SECOND, FIRST)["effects"] == [[], []]


def test_other_domains_have_no_states():
    domain = Pancake()
    assert build_states(GrammarPlan(domain, domain.problem(2), Grammar(((),))), []) is None
