"""The figure of an evaluation: what it shows, that it is the same each time, and what is refused."""

from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.image import imread

from coc_core.errors import UsageError
from coc_core.evaluation import Curve, draw_curves, figure_format
from coc_core.evaluation import figure as module

SOLVED = Curve("problems solved", [(5, 10, 10), (6, 7, 10), (7, 0, 10)])
EXACT = Curve("prompts answered exactly", [(5, 100, 100), (6, 90, 100)], sampled=False)


def paths(svg, group):
    """How many elements of the kind `path` the groups have whose id begins so."""
    names = {"svg": "http://www.w3.org/2000/svg"}
    groups = ElementTree.fromstring(svg).iterfind(".//svg:g[@id]", names)
    return [len(each.findall(".//svg:path", names)) for each in groups if each.get("id").startswith(group)]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_the_same_results_give_the_same_bytes(form):
    drawn = {draw_curves([SOLVED, EXACT], "a title", range(1, 6), form) for _ in range(2)}
    assert len(drawn) == 1


@pytest.mark.parametrize("form", ["png", "svg"])
def test_another_result_gives_another_figure(form):
    other = Curve("problems solved", [(5, 10, 10), (6, 8, 10), (7, 0, 10)])
    assert draw_curves([SOLVED], "t", None, form) != draw_curves([other], "t", None, form)


def test_a_png_is_a_picture_of_the_stated_size(tmp_path):
    (tmp_path / "figure.png").write_bytes(draw_curves([SOLVED], "t", None, "png"))
    assert imread(tmp_path / "figure.png").shape[:2] == (540, 960)


def test_an_svg_names_no_date_and_no_program():
    text = draw_curves([SOLVED], "t", None, "svg").decode()
    assert "dc:date" not in text
    assert "Matplotlib v" not in text


def test_only_a_sample_has_intervals():
    assert len(paths(draw_curves([SOLVED], "t", None, "svg"), "FillBetweenPolyCollection")) == 1
    assert not paths(draw_curves([EXACT], "t", None, "svg"), "FillBetweenPolyCollection")


def test_the_largest_trained_size_is_marked():
    with_it, without = (draw_curves([SOLVED], "t", trained, "svg") for trained in (range(1, 7), None))
    assert len(paths(with_it, "line2d")) > len(paths(without, "line2d"))


def test_a_curve_without_points_is_left_out():
    empty = Curve("prompts answered exactly", [])
    assert draw_curves([SOLVED, empty], "t", None, "svg") == draw_curves([SOLVED], "t", None, "svg")


def test_nothing_measured_is_an_empty_figure():
    assert draw_curves([], "t", None, "svg").startswith(b"<?xml")


def test_settings_of_the_user_change_nothing():
    usual = draw_curves([SOLVED], "t", range(1, 6), "svg")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 10}):
        assert draw_curves([SOLVED], "t", range(1, 6), "svg") == usual
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize(("name", "form"), [("a.svg", "svg"), ("b/c.PNG", "png")])
def test_the_name_chooses_the_format(name, form):
    assert figure_format(Path(name)) == form


@pytest.mark.parametrize("name", ["a", "a.pdf", "svg", "a.svg/b", ".png"])
def test_any_other_name_is_refused(name):
    with pytest.raises(UsageError, match=r"must end in \.png or \.svg"):
        figure_format(Path(name))


def test_without_matplotlib_one_line_says_how_to_get_it(monkeypatch):
    def refuse(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(module, "import_module", refuse)
    with pytest.raises(UsageError, match="can't be imported") as caught:
        figure_format(Path("a.svg"))
    assert caught.value.remedy == "pip install 'chain-of-computation[plots]'"
