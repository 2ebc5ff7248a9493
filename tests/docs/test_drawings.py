"""Each drawing is what its script draws from the code as it stands."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
SCRIPTS = [path for path in sorted(ROOT.glob("docs/drawings/*.py")) if path.name != "svg.py"]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_drawing_is_up_to_date(script):
    drawn = subprocess.run(
        [sys.executable, "-X", "utf8", str(script)], capture_output=True, encoding="utf-8", check=True
    ).stdout
    again = f"run: python docs/drawings/{script.name} > docs/drawings/{script.stem}.svg"
    assert script.with_suffix(".svg").read_text("utf-8") == drawn, again


@for_each("drawing", sorted(ROOT.glob("docs/**/*.svg")))
def test_a_drawing_loads_nothing_and_is_shown_somewhere(drawing):
    tree = ElementTree.fromstring(drawing.read_text("utf-8"))
    assert not [node.tag for node in tree.iter() if node.tag.endswith(("script", "image", "foreignObject"))]
    assert any(
        (drawing.name if page.parent == drawing.parent else f"{drawing.parent.name}/{drawing.name}")
        in page.read_text("utf-8")
        for page in PAGES
    )


def test_the_packages_are_found_where_the_drawing_says():
    drawn = (ROOT / "docs/drawings/packages.svg").read_text("utf-8")
    for what in (
        "a new memory",
        "fault is reported",
        "coc certify",
        "pair format",
        "schema",
        "draft is checked",
        "learned arith",
    ):
        assert what in drawn
