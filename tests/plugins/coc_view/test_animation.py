"""The animated picture of a run: well-formed, the same each time, and where each item is at each moment."""

import re
from xml.etree import ElementTree

import pytest

from coc_core.domain import Scene
from coc_view import animation as module
from coc_view.animation import Frame, animation
from tests.support.for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn(coc, tmp_path):
    """The animation of a run, as `coc view --svg` writes it."""

    def draw(domain, n, *more):
        run, out = tmp_path / f"{domain}-{n}.run", tmp_path / f"{domain}-{n}.svg"
        assert coc("run", "-d", domain, "-n", n, "--model", "reference", "--save", run).code == 0
        assert coc("view", run, "-o", out, "--svg", *more).code == 0
        return out.read_text()

    return draw


@for_each("domain", ["hanoi", "hanoi-4", "blocksworld", "blocks", "pancake", "river-crossing"])
def test_each_puzzle_is_drawn_without_scripts(drawn, domain):
    text = drawn(domain, 3)
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text.startswith(f"{domain}, ")
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        *("svg", "title", "style", "g", "line", "rect", "text", "animate", "animateTransform")
    }
    times = [float(part) for keys in re.findall('keyTimes="([^"]*)"', text) for part in keys.split(";")]
    assert min(times) == 0
    assert max(times) <= 1


def test_items_end_where_the_run_ends(drawn):
    root = ElementTree.fromstring(drawn("hanoi", 3))
    moves = list(root.iter(f"{SVG}animateTransform"))
    ends = {each.get("values").split(";")[-1].split(",")[0] for each in moves}
    assert len(moves) == 3
    assert ends == {"375"}  # the middle of the third peg


def test_each_action_is_named_once(drawn):
    root = ElementTree.fromstring(drawn("hanoi", 2))
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert [text for text in texts if text.startswith("Move")] == [
        "Move disk 1 from 1 to 2",
        "Move disk 2 from 1 to 3",
        "Move disk 1 from 2 to 3",
    ]


def test_a_part_of_a_run_begins_there(drawn):
    text = drawn("hanoi", 3, "--from", 5, "--to", 8)
    assert 0 < len(re.findall("Move disk", text)) < 7


def test_a_picture_may_be_a_text_with_marks():
    text = animation("<&>", [Frame(Scene(text="a <b>\nc")), Frame(Scene(text="d"), "e & f")])
    root = ElementTree.fromstring(text)
    assert [each.text for each in root.iter(f"{SVG}text")] == ["a <b>", "c", "d", "e & f"]


def test_too_many_pictures_are_refused(monkeypatch, coc, tmp_path, refused):
    monkeypatch.setattr(module, "MOST_FRAMES", 3)
    run = tmp_path / "a.run"
    assert coc("run", "-d", "hanoi", "-n", 2, "--model", "reference", "--save", run).code == 0
    line = refused(2, "view", run, "-o", tmp_path / "a.svg", "--svg")
    assert "more than 3 pictures are too many for an animation; show fewer steps with --from and --to" in line
    assert not (tmp_path / "a.svg").exists()
