import io
import json
import re

import pytest
from rich.console import Console

from coc_core.cli import console
from coc_core.plugin import Registry
from coc_core.runfile import RunFile
from coc_view.commands import replay as module
from coc_view.recorded_run import RecordedRun
from coc_view.terminal import player as keys
from coc_view.terminal.player import Player, play
from tests.support.for_each import for_each
from tests.support.saved_runs import saved

HOSTILE = "OUTPUT \x1b[2J</script>\u202e\x07"


@pytest.fixture
def run(tmp_path):
    return lambda name="a", **options: saved(tmp_path / name, **options)


@pytest.fixture
def recorded(tmp_path):
    """The places of a run that is made as `saved` makes it."""
    opened = []

    def make(**options):
        opened.append(RunFile.open(saved(tmp_path / str(len(opened)), **options)))
        return RecordedRun(Registry.installed(), opened[-1])

    yield make
    for runfile in opened:
        runfile.close()


def drawn(renderable, width=100, height=40):
    file = io.StringIO()
    Console(file=file, width=width, height=height).print(renderable)
    return file.getvalue()


def test_a_pipe_gets_one_step(coc, run):
    done = coc("replay", run(), "--step", 4)
    assert done.code == 0
    assert done.out.startswith(
        "hanoi · n=3 src=1 dst=3 · pda · symbolic · reference\nstep 4 of 10, solved, as recorded\n"
    )
    assert "INSTR MOVE d=2 src=1 dst=2" in done.out
    assert "actions: Move disk 2 from 1 to 2" in done.out
    assert "pda, pointer at 2" in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "step 0 of 10, solved"),
        (("--step", 1), "tape, pointer at 3, NEXT_ID=4"),
        (("--end",), "step 10 of 10, solved"),
        (("--end",), "tape, halted, NEXT_ID=10"),
    ],
)
def test_where_to_look(coc, run, options, words):
    assert words in coc("replay", run(memory="tape"), *options).out


def test_a_fault_is_shown_at_its_step_with_the_text(coc, run):
    done = coc("replay", run(at=5, text=HOSTILE), "--end")
    assert done.code == 0
    assert "the fault at step 5" in done.out
    assert "CALL n=1 src=3 dst=2 aux=1" in done.out
    assert "protocol fault at step 5" in done.out
    assert "\\x1b[2J</script>\\u202e\\x07" in done.out
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.out)
    assert "step 4 of 4, fault, as recorded\n" in coc("replay", run("b", at=5, text=HOSTILE), "--step", 4).out


def test_a_document_of_a_step(coc, run):
    path = run(memory="tape")
    found = json.loads(coc("replay", path, "--step", 1, "--json").out)
    assert "▐█▌" in found["picture"]
    named = {"run": str(path), "steps": 10, "outcome": "solved", "reason": None, "verified": False, "fault": None}
    step = {"step": 1, "prompt": "INSTR CALL n=3 src=1 dst=3 aux=2 prev=prev", "actions": [], "pointer": 3}
    assert (named | step).items() <= found.items()
    assert found["target"].endswith("\nPTR=NEXT_ID+2 NEXT_ID=NEXT_ID+3")
    assert found["written"] == ["CALL n=2 src=2 dst=3 aux=1", "MOVE d=3 src=1 dst=3", "CALL n=2 src=1 dst=2 aux=3"]
    assert found["windows"][2:] == ["MOVE d=3 src=1 dst=3 prev=1", "CALL n=2 src=1 dst=2 aux=3 prev=2"]


def test_a_document_of_the_fault(coc, run):
    found = json.loads(coc("replay", run(at=5, text=HOSTILE), "--end", "--json").out)
    assert (found["step"], found["outcome"], found["prompt"]) == (5, "fault", None)
    assert found["target"] == found["fault"]["text"] == HOSTILE
    assert found["fault"]["kind"] == "protocol"
    assert found["written"] == []


def test_a_run_without_a_step(coc, run):
    done = coc("replay", run(at=-1), "--end")
    assert done.code == 0
    assert "step 0 of 0, unfinished" in done.out
    found = json.loads(coc("replay", run("b", at=-1), "--json").out)
    assert (found["outcome"], found["steps"], found["step"], found["target"]) == (None, 0, 0, "")


# ---- the player


def test_the_keys_move_about(recorded):
    player = Player(recorded(n=6), 0)
    places = []
    for key in ["right", "n", " ", "left", "p", "down", ">", "<", "up", "end", "right", "x", "home", "left"]:
        assert player.press(key)
        places.append(player.place)
    assert places == [1, 2, 3, 2, 1, 11, 94, 0, 0, 94, 94, 94, 0, 0]
    assert not player.press("q")


def test_the_fault_is_one_place_after_the_last_step(recorded):
    player = Player(recorded(at=5, text=HOSTILE), 0)
    player.press("end")
    assert player.place == 5
    screen = drawn(player.draw(100, 40))
    assert "the fault at step 5" in screen
    assert "\\x1b[2J" in screen
    player.press("left")
    assert "step 4 of 4" in drawn(player.draw(100, 40))


@for_each("memory", ["pda", "tape"])
@for_each(("width", "height"), [(100, 30), (60, 30), (100, 20), (20, 5)])
def test_the_window_at_the_pointer_is_on_the_screen(recorded, memory, width, height):
    player = Player(recorded(n=5, memory=memory), 9)
    screen = drawn(player.draw(width, height), width).splitlines()
    assert any("▶" in line for line in screen[: max(height, 25)]) or height < 20


def test_the_run_is_played_on_a_screen_of_its_own(recorded):
    file = io.StringIO()
    certain_prompts = iter([["right"], ["right", "right"], ["n", "q", "n"]])
    player = Player(recorded(), 0)
    play(Console(file=file, force_terminal=True, width=100, height=40), player, lambda: next(certain_prompts))
    assert player.place == 4
    screen = file.getvalue()
    assert screen.startswith("\x1b[?1049h")
    assert "\x1b[?1049l" in screen
    for step in (0, 1, 3):
        assert f"step {step} of 10" in screen


def test_a_terminal_gets_the_player(coc, run, monkeypatch):
    screen = Console(file=io.StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr(console, "out", lambda: screen)
    monkeypatch.setattr(module.sys, "stdin", io.StringIO())
    monkeypatch.setattr(module.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(module, "play", lambda _, player: seen.append(player.place))
    seen = []
    assert coc("replay", run(), "--step", 7).code == 0
    assert seen == [7]


def test_keys_are_read_one_press_at_a_time(monkeypatch):
    monkeypatch.setattr(keys.typer, "getchar", lambda: "\x1b[H\x1bOD\x1b[6~n")
    assert keys.pressed() == ["home", "left", "down", "n"]

    def over():
        raise EOFError

    monkeypatch.setattr(keys.typer, "getchar", over)
    assert keys.pressed() == ["q"]


def test_votes_are_shown(coc, tmp_path):
    path, votes = tmp_path / "a", "first to lead by 1: 15 responses for 15 decisions, 0 dropped, 0 outvoted"
    coc("run", "-d", "hanoi", "-n", 4, "--model", "reference", "-x", "vote:k=3", "--save", path)
    assert coc("replay", path, "--end").out.splitlines()[2].startswith(votes)
    assert json.loads(coc("replay", path, "--json").out)["votes"]["decisions"] == 15
    with RunFile.open(path) as runfile:
        player = Player(RecordedRun(Registry.installed(), runfile), 9)
        assert votes in drawn(player.draw(100, 40))
