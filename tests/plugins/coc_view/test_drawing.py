"""The names of figures' files, and what is said without matplotlib."""

from pathlib import Path

import pytest

from coc_core.errors import UsageError
from coc_core.extras import install_command
from coc_view import drawing
from coc_view.drawing import figure_format


def test_the_name_chooses_the_format():
    assert [figure_format(Path(name)) for name in ("a.svg", "b/c.PNG")] == ["svg", "png"]
    for name in ("a", "a.pdf", "svg", "a.svg/b", ".png"):
        with pytest.raises(UsageError, match=r"must end in \.png or \.svg"):
            figure_format(Path(name))


def test_without_matplotlib_one_line_says_how_to_get_it(monkeypatch):
    def refuse(name):
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(drawing, "import_module", refuse)
    with pytest.raises(UsageError, match="a figure needs matplotlib") as caught:
        figure_format(Path("a.svg"))
    assert caught.value.remedy == install_command("plots")
