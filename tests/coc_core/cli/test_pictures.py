"""Pictures are drawn only where all of them fits: in width, in height, on a terminal and in a pipe."""

import io
import json

import pytest
from rich.console import Console

from coc_core.cli import console
from coc_core.cli.pictures import picture, puzzle
from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from coc_view.terminal.frame import frame
from tests.support.for_each import for_each

REFERENCE = ("--model", "reference")


def drawn(n, width, height, *, terminal=False):
    """The lines of both pictures of a tower of Hanoi."""
    domain, file = Hanoi(), io.StringIO()
    screen = Console(file=file, width=width, height=height, force_terminal=terminal, no_color=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coc_core.cli.console.out", lambda: screen)
        console.show(puzzle(domain, domain.initial(Tower(n)), domain.initial(Tower(n))))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_they_stand_beside_each_other_or_one_above_the_other_or_nowhere():
    assert len(drawn(8, 100, 24)) == 12  # the picture of the README
    assert len(drawn(8, 68, 11)) == 12
    assert drawn(8, 68, 10) == []
    stacked = drawn(8, 30, 24)
    assert (stacked[0], stacked[11], len(stacked)) == ("before", "after", 23)
    assert drawn(8, 30, 21) == []
    assert drawn(8, 12, 24) == []
    assert drawn(3, 20, 24)
    assert drawn(1, 1, 1) == []
    assert len(drawn(8, 100, 18, terminal=True)) == 12  # there is room for what follows
    assert drawn(8, 100, 17, terminal=True) == []


def test_no_picture_is_wider_or_higher_than_it_may_be():
    domain, state = Hanoi(), Hanoi().initial(Tower(8))
    for width in range(-3, 50):
        for height in (None, 1, 9, 10, 30):
            found = picture(domain, state, width, height)
            assert found is None or max(map(len, found.splitlines())) <= width
            assert (found is None) == (width < 13 or (height or 99) < 10)


@for_each(
    ("terminal", "columns", "width"),
    [
        *((False, text, 80) for text in ("", "0", "-4", "x", "9" * 9)),
        (False, "100", 100),
        (True, "33", 33),
        (True, "0", 80),
    ],
)
def test_the_width_is_that_of_the_environment(monkeypatch, terminal, columns, width):
    file = io.StringIO()
    file.isatty = lambda: terminal
    monkeypatch.setattr("sys.stdout", file)
    monkeypatch.setenv("COLUMNS", columns)
    assert console.out().width == width
    assert terminal or console.out().height == console.PIPE_HEIGHT


COMMANDS = [
    ("--help",),
    ("run", "--help"),
    ("plugins",),
    ("run", "-d", "hanoi", *REFERENCE),
    ("run", "-d", "blocks", "-n", 9, *REFERENCE),
    ("eval", "-d", "hanoi", "-n", "1-3", *REFERENCE),
    ("check", "hanoi", "--only", "seeds_decide"),
    ("replay", "a.run", "--step", 3),
    ("diff", "a.run", "a.run"),
    ("plan", "a.plan", "--state", 3),
]


@pytest.mark.parametrize("columns", [1, 40])
def test_no_command_minds_a_narrow_terminal(coc, tmp_path, monkeypatch, columns):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert coc("run", "-d", "hanoi", *REFERENCE, "--save", "a.run").code == 0
    assert coc("run", "-d", "hanoi", *REFERENCE, "--plan", "a.plan", "--plan-format", "grammar").code == 0
    for command in COMMANDS:
        done = coc(*command)
        assert done.code == 0, (command, done.err)
        assert "Traceback" not in done.err


def test_a_recorded_step_is_drawn_without_a_picture_where_it_does_not_fit(coc, tmp_path, monkeypatch):
    path = tmp_path / "a.run"
    assert coc("run", "-d", "hanoi", *REFERENCE, "--save", path).code == 0
    monkeypatch.setenv("COLUMNS", "40")
    assert "███" in coc("replay", path).out
    monkeypatch.setenv("COLUMNS", "16")
    assert "│ too lar" in coc("replay", path).out
    tall = tmp_path / "b.run"
    assert coc("run", "-d", "pancake", "-n", 30, *REFERENCE, "--save", tall).code == 0
    monkeypatch.setenv("COLUMNS", "80")
    done = coc("replay", tall)
    assert "too large to draw" in done.out
    assert "█" in json.loads(coc("replay", tall, "--json").out)["picture"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_frame_is_no_higher_than_the_terminal(width):
    setting, lines = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic"), []

    def listen(record):
        file = io.StringIO()
        Console(file=file, width=width, height=24).print(frame(setting, record, width, 24))
        lines.append(file.getvalue().splitlines())

    Sequential().run([setting.machine(setting.domain.problem(4), [listen])], setting.model("reference"))
    assert max(map(len, lines)) <= 24
    assert max(len(line) for each in lines for line in each) <= width


def test_a_state_that_was_asked_for_is_drawn_at_any_height(coc, tmp_path, monkeypatch):
    path = tmp_path / "a.plan"
    words = ("run", "-d", "hanoi", "-n", 40, *REFERENCE, "--plan", path, "--plan-format", "grammar")
    assert coc(*words).code == 0
    monkeypatch.setenv("COLUMNS", "40")
    assert coc("plan", path, "--state", 1).out.count("\n") == 43
    assert coc("plan", path, "--state", 1, "-q").out.count("\n") == 42
    monkeypatch.setenv("COLUMNS", "9")
    told = coc("plan", path, "--state", 1).out
    assert told == "after 1 of 1,099,511,627,775 actions: too wide for 9 columns; use --json\n"
