"""Time travel: whatever way one comes to a step, the machine is as it was then."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saved import beginning
from taped import stage, tape

from coc_core.arithmetic import Inexact, Learned
from coc_core.errors import ArtefactError
from coc_core.execution import Cached
from coc_core.plugin import Registry
from coc_core.runfile import Replay, RunFile, replay

PLACES = [("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"), ("tape", "learned")]


def moments(memory, arith):
    """All moments of a run, from the machine itself."""
    setting, problem = stage(memory, arith)
    found = []
    machine = setting.machine(problem, [lambda record: found.append(record.detached())])
    found.append(beginning(machine))
    Cached().run([machine], setting.model("reference"))
    return found


@pytest.fixture(scope="module")
def expected():
    return {place: moments(*place) for place in PLACES}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for place in PLACES:
        tape(folder / "-".join(place), *place)
    return folder


@pytest.mark.slow
@settings(max_examples=30)
@given(
    place=st.sampled_from(PLACES), path=st.lists(st.integers(0, 22), max_size=12), apart=st.sampled_from([1, 5, 4096])
)
def test_every_path_to_a_step_gives_the_same_record(expected, recordings, place, path, apart):
    with pytest.MonkeyPatch.context() as patch, RunFile.open(recordings / "-".join(place)) as runfile:
        patch.setattr(replay, "SNAPSHOT_INTERVAL", apart)
        travel = Replay(Registry.installed(), runfile)
        for step in path:
            assert travel.seek(step) == expected[place][step]
        travel.verify()


def test_only_steps_that_are_there_can_be_sought(recordings):
    with RunFile.open(recordings / "pda-symbolic") as runfile:
        for wrong in (-1, 23):
            with pytest.raises(ValueError, match="of a run with 22"):
                Replay(Registry.installed(), runfile).seek(wrong)


def test_a_run_that_is_not_over_replays_as_far_as_it_got(tmp_path):
    tape(tmp_path / "run", stop=9, ends=False)
    with RunFile.open(tmp_path / "run") as runfile:
        travel = Replay(Registry.installed(), runfile)
        travel.verify()
        assert travel.seek(9).step == 9


def test_wrong_numbers_of_a_model_are_replayed_as_they_were(tmp_path, monkeypatch):
    right, asked = Learned._resolve, []

    def wrong_once(self, expressions, registers):
        """Goes unnoticed for long: a wrong `prev` is written into a window."""
        numbers = right(self, expressions, registers)
        asked.append(numbers)
        if len(asked) != 3:
            return numbers
        return Inexact.of((numbers[0], -1, *numbers[2:]), "so")

    with monkeypatch.context() as patch:
        patch.setattr(Learned, "_resolve", wrong_once)
        outcome = tape(tmp_path / "run", "tape", "learned")
    assert (outcome.status, outcome.fault) == ("unsolved", None)
    monkeypatch.setattr(Learned, "_resolve", None)
    with RunFile.open(tmp_path / "run") as runfile:
        travel = Replay(Registry.installed(), runfile)
        travel.verify()
        assert any(window.endswith("prev=-1") for window in travel.seek(runfile.steps).windows[1:])
        assert [record.step for record in runfile.records() if record.numbers] == [3]


def test_a_run_of_a_domain_that_is_not_here_says_so(recordings):
    empty = Registry.of([])
    with (
        RunFile.open(recordings / "pda-symbolic") as runfile,
        pytest.raises(ArtefactError, match="can't be replayed here: unknown domain 'hanoi'"),
    ):
        Replay(empty, runfile)
