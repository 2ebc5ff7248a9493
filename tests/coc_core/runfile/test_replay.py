"""Time travel: whatever way one comes to a step, the machine is as it was then."""

from contextlib import ExitStack

import pytest

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Replay, RunFile, replay
from coc_core.runfile.playback import Playback
from coc_core.runfile.writer import Recorder
from tests.support.recorded_runs import stage, tape
from tests.support.saved_runs import moments, shown
from tests.support.toy_parts import Nondeterministic

PLACES = [("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"), ("tape", "learned")]


@pytest.fixture(scope="module")
def expected():
    return {place: moments("hanoi", *place, n=4)[1] for place in PLACES}


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for place in PLACES:
        tape(folder / "-".join(place), *place)
    return folder


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


@pytest.fixture
def travel(registry, recordings, monkeypatch):
    """Replays a recorded run of 22 steps with a snapshot after every `apart` steps."""
    with ExitStack() as stack:

        def make(apart, place=PLACES[0]):
            monkeypatch.setattr(replay, "SNAPSHOT_INTERVAL", apart)
            runfile = stack.enter_context(RunFile.open(recordings / "-".join(place)))
            return Replay(registry, runfile)

        yield make


@pytest.fixture
def taken(monkeypatch):
    """A list with an item for each step that a replay has taken."""
    found, real = [], Playback.target_for
    monkeypatch.setattr(Playback, "target_for", lambda self, *arguments: found.append(None) or real(self, *arguments))
    return found


@pytest.mark.parametrize("place", PLACES, ids="-".join)
def test_a_step_is_the_same_wherever_one_comes_from(expected, travel, place):
    found = travel(4, place)
    for step in (0, 22, 0, 4, 5, 8, 8, 7, 9, 12, 11, 22, 20, 16, 1):
        assert shown(found.seek(step)) == shown(expected[place][step])
    found.verify()


@pytest.mark.parametrize("apart", [1, 4, 11, 22, 23])
def test_going_back_starts_at_the_nearest_snapshot(travel, taken, apart):
    found = travel(apart)
    for step in (2, 22, 21, 12, 9, 8, 5, 4, 22, 1):
        before = found.steps
        del taken[:]
        found.seek(step)
        start = before if before < step else (step - 1) // apart * apart
        assert len(taken) == step - start


def test_a_run_is_verified_at_its_end_only(travel):
    found = travel(4)
    for step in (0, 4, 21, 20):
        found.seek(step)
        assert found.verified is False
    found.seek(22)
    assert found.verified is True
    found.seek(3)
    assert found.verified is True


def test_only_steps_that_are_there_can_be_sought(recordings):
    with RunFile.open(recordings / "pda-symbolic") as runfile:
        for wrong in (-1, 23):
            with pytest.raises(ValueError, match="of a run with 22"):
                Replay(Registry.installed(), runfile).seek(wrong)


def test_a_run_that_is_not_over_replays_as_far_as_it_got(tmp_path):
    tape(tmp_path / "run", stop=9, ends=False)
    with RunFile.open(tmp_path / "run") as runfile:
        travel = Replay(Registry.installed(), runfile)
        assert travel.seek(8).step == 8
        assert travel.verified is False
        travel.verify()
        assert travel.verified is True
        assert travel.seek(9).step == 9


def test_what_would_be_a_loop_of_another_model_is_replayed(tmp_path):
    setting, problem = stage(n=3)
    stays = "PUSH CALL n=3 src=1 dst=3 aux=2"
    subject = Nondeterministic(*[stays] * 9, then=setting.convention.target_for)
    manifest = Manifest.of(setting, problem, subject, executor="sequential")
    with Recorder.create(tmp_path / "run", setting.domain, manifest) as recorder:
        (outcome,) = Sequential().run([setting.machine(problem, [recorder.listen])], subject)
        recorder.finish(outcome)
    assert (outcome.status, outcome.fault) == ("solved", None)
    with RunFile.open(tmp_path / "run") as runfile:
        Replay(Registry.installed(), runfile).verify()
