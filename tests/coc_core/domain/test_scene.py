import pytest
from hypothesis import given
from hypothesis import strategies as st

from coc_blocksworld.domain import SeveralTowers
from coc_blocksworld.towers import SEVERAL_TOWERS
from coc_blocksworld.world import placed
from coc_core.domain import Column, Item, Scene, scene_of
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Move, Tower
from coc_pancake.domain import Pancake
from tests.support.saved_runs import moments
from tests.support.toy_parts import Line, Queue

WITH_SCENES = ("hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake")


def names(scene):
    return [[item.name for item in column.items] for column in scene.columns]


def test_a_domain_without_scenes_is_shown_as_text():
    domain = Queue()
    assert scene_of(domain, domain.initial(Line((3, 1, 2)))) == Scene(text="[3, 1, 2]")


@given(st.sampled_from(WITH_SCENES), st.integers(1, 5), st.integers(0, 50))
def test_each_item_appears_once_in_every_scene_of_a_run(domain, n, seed):
    subject, records = moments(domain, n=n, seed=seed)
    scenes = [scene_of(subject, record.after) for record in records]
    for scene in scenes:
        items = [item for column in scene.columns for item in column.items]
        assert len({item.name for item in items}) == len(items) == n
        assert set(items) == {item for column in scenes[0].columns for item in column.items}
        assert all(0 < item.size <= 1 for item in items)
        assert [column.label for column in scene.columns] == [column.label for column in scenes[0].columns]


def test_the_pegs_have_posts_and_the_widest_disk_is_at_the_bottom():
    hanoi = Hanoi()
    scene = scene_of(hanoi, hanoi.apply(hanoi.initial(Tower(3)), Move(1, 1, 3)))
    assert scene.posts
    assert names(scene) == [["3", "2"], [], ["1"]]
    assert [column.label for column in scene.columns] == ["1", "2", "3"]
    assert scene.columns[0].items[0].size == 1


def test_a_tower_of_blocks_is_in_the_column_of_its_lowest_block():
    scene = scene_of(SeveralTowers(), placed(SEVERAL_TOWERS.parse("[[B2, B1], [B4], [B3]]")))
    assert names(scene) == [[], ["B2", "B1"], ["B3"], ["B4"]]
    assert not scene.posts


def test_pancakes_are_one_pile():
    assert scene_of(Pancake(), (2, 1)) == Scene((Column("", (Item("P2", "P2", 0.625), Item("P1", "P1", 1))),))


@pytest.mark.parametrize("domain", WITH_SCENES)
def test_equal_pictures_have_equal_scenes_and_different_ones_different_scenes(domain):
    subject, records = moments(domain, n=4, seed=3)
    pictures = {subject.render(record.after, 400): scene_of(subject, record.after) for record in records}
    assert len(set(pictures.values())) == len(pictures)
    for record in records:
        assert scene_of(subject, record.after) == pictures[subject.render(record.after, 400)]
