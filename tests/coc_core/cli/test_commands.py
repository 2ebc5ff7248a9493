"""Commands of plugins: listed, run and completed like coc's own, which they can't replace."""

import pytest
import typer

from coc_core.cli.app import app


@pytest.fixture(autouse=True)
def _plugin(with_plugins):
    with_plugins(("fakes", "tests.support.fake_commands"))


def test_it_is_listed_in_a_panel_of_its_own(coc):
    lines = coc("--help").out.splitlines()
    panel = next(place for place, line in enumerate(lines) if "From plugins" in line)
    assert any("greet" in line and "Greet somebody." in line for line in lines[panel:])
    assert not any("Take the place of another." in line for line in lines)


def test_it_runs_and_gives_its_exit_code(coc):
    assert coc("greet", "Ada").code == 0
    assert coc("greet", "twice").code == 1


def test_its_errors_are_one_line(refused):
    assert refused(2, "greet", "nobody") == "coc: error: nobody is there; name somebody\n"


def test_its_help_ends_with_its_examples(coc):
    done = coc("greet", "--help")
    assert (done.code, done.err) == (0, "")
    assert "Usage: coc greet" in done.out
    assert done.out.rstrip().endswith("coc greet Ada")


def test_it_can_not_take_the_place_of_one_that_coc_has(coc):
    assert coc("run", "-d", "hanoi", "-n", 2, "--model", "reference").code == 0


def test_one_that_can_not_be_imported_is_the_plugins_fault(refused):
    line = refused(4, "lost")
    assert "the plugin 'fakes' of" in line
    assert "can't provide tests.support.fake_commands:missing" in line


def test_they_are_looked_for_once():
    group = typer.main.get_command(app)
    assert "greet" in group.list_commands(None)
    assert group.get_command(None, "nothing") is None
    assert group.get_command(None, "greet").name == "greet"
