"""Replay: at each step, the machine is as it was then."""

from contextlib import ExitStack

import pytest

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, Replay, RunFile
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
def travel(registry, recordings):
    """Replays a recorded run of 22 steps."""
    with ExitStack() as stack:

        def make(place=PLACES[0]):
            runfile = stack.enter_context(RunFile.open(recordings / "-".join(place)))
            return Replay(registry, runfile)

        yield make


@pytest.mark.parametrize("place", PLACES, ids="-".join)
def test_a_step_is_the_same_wherever_one_comes_from(expected, travel, place):
    found = travel(place)
    for step in (0, 0, 1, 4, 5, 8, 8, 9, 22):
        assert shown(found.seek(step)) == shown(expected[place][step])
    found.verify()


def test_a_run_is_verified_at_its_end_only(travel):
    found = travel()
    for step in (0, 4, 21):
        found.seek(step)
        assert found.verified is False
    found.seek(22)
    assert found.verified is True


def test_only_steps_that_are_to_come_can_be_sought(travel):
    found = travel()
    found.seek(3)
    for wrong in (-1, 0, 2, 23):
        with pytest.raises(ValueError, match="of a run with 22"):
            found.seek(wrong)


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
