import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved import moments
from toys import Line, Queue

from coc_blocksworld.domain import SeveralTowers
from coc_blocksworld.towers import SEVERAL_TOWERS
from coc_blocksworld.world import placed
from coc_core.domain import Column, Item, Scene, scene_of
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Move, Tower
from coc_pancake.domain import Pancake

DRAWN = ("hanoi", "blocksworld", "blocksworld-extended", "pancake")


def names(scene):
    return [[item.name for item in column.items] for column in scene.columns]


def test_a_domain_that_is_not_drawn_is_shown_as_text():
    domain = Queue()
    assert scene_of(domain, domain.initial(Line((3, 1, 2)))) == Scene(text="[3, 1, 2]")


@given(st.sampled_from(DRAWN), st.integers(1, 5), st.integers(0, 50))
def test_each_item_stands_once_in_every_scene_of_a_run(domain, n, seed):
    subject, seen = moments(domain, n=n, seed=seed)
    scenes = [scene_of(subject, moment.after) for moment in seen]
    for scene in scenes:
        items = [item for column in scene.columns for item in column.items]
        assert len({item.name for item in items}) == len(items) == n
        assert set(items) == {item for column in scenes[0].columns for item in column.items}
        assert all(0 < item.size <= 1 for item in items)
        assert [column.label for column in scene.columns] == [column.label for column in scenes[0].columns]


def test_the_pegs_have_posts_and_the_widest_disk_lies_at_the_bottom():
    hanoi = Hanoi()
    scene = scene_of(hanoi, hanoi.apply(hanoi.initial(Tower(3)), Move(1, 1, 3)))
    assert scene.posts
    assert names(scene) == [["3", "2"], [], ["1"]]
    assert [column.label for column in scene.columns] == ["1", "2", "3"]
    assert scene.columns[0].items[0].size == 1


def test_a_tower_of_blocks_stands_where_its_lowest_block_has_its_place():
    scene = scene_of(SeveralTowers(), placed(SEVERAL_TOWERS.parse("[[B2, B1], [B4], [B3]]")))
    assert names(scene) == [[], ["B2", "B1"], ["B3"], ["B4"]]
    assert not scene.posts


def test_the_pancakes_are_one_pile():
    assert scene_of(Pancake(), (2, 1)) == Scene((Column("", (Item("P2", "P2", 0.625), Item("P1", "P1", 1))),))


@pytest.mark.parametrize("domain", DRAWN)
def test_equal_states_have_equal_scenes_and_other_pictures_other_scenes(domain):
    subject, seen = moments(domain, n=4, seed=3)
    pictures = {subject.render(moment.after, 400): scene_of(subject, moment.after) for moment in seen}
    assert len(set(pictures.values())) == len(pictures)
    for moment in seen:
        assert scene_of(subject, moment.after) == pictures[subject.render(moment.after, 400)]
