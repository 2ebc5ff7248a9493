"""Commands of plugins: listed, run and completed like coc's own, which they can't replace."""

import pytest
import typer

from coc_core.cli.app import app
from tests.support.for_each import for_each


@pytest.fixture(autouse=True)
def _plugin(with_plugins):
    with_plugins(("fakes", "tests.support.fake_commands"))


def test_it_is_listed_in_a_panel_of_its_own(coc):
    lines = coc("--help").out.splitlines()
    panel = next(place for place, line in enumerate(lines) if "From plugins" in line)
    assert any("greet" in line and "Greet somebody." in line for line in lines[panel:])
    assert not any("Take the place of another." in line for line in lines)


def test_they_are_looked_for_once():
    group = typer.main.get_command(app)
    assert "greet" in group.list_commands(None)
    assert group.get_command(None, "nothing") is None
    assert group.get_command(None, "greet").name == "greet"


@for_each(
    ("code", "words", "told"),
    [
        (0, ["greet", "Ada"], "hello Ada\n"),
        (1, ["greet", "twice"], "hello twice\n"),
        (2, ["greet", "nobody"], "coc: error: nobody is there; name somebody\n"),
        (0, ["greet", "--help"], "Usage: coc greet"),
        (4, ["lost"], "the plugin 'fakes' of stranger can't provide tests.support.fake_commands:missing"),
        (0, ["run", "-d", "hanoi", "-n", "2", "--model", "reference"], "solved"),  # it can't take the place of ours
    ],
)
def test_it_runs_and_is_refused_and_explained_like_one_of_ours(coc, code, words, told):
    done = coc(*words)
    assert done.code == code
    assert told in done.out + done.err
    assert done.err.count("\n") == ("--help" not in words)
    assert "--help" not in words or done.out.rstrip().endswith("coc greet Ada")
