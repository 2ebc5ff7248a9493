"""The paper's protocol in pieces: they go on to the same bits, wherever they are cut off, from small states."""

import signal
import threading

import numpy as np
import pytest

import coc_core as coc
from coc_core.errors import UsageError
from coc_learn.metrics import METRICS
from coc_paper.work import CHECKPOINT, Done, protocol
from coc_paper.work.protocol import STATE, rate, train

SMALL = {
    "domain": "hanoi",
    "memory": "tape",
    "arith": "inline",
    "sizes": "1-3",
    "holdout": 0.1,
    "holdout_by": "pairs",
    "preset": "paper",
    "hyperparameters": {"d_model": 16, "layers": 1, "heads": 2, "steps": 40, "batch_size": 4, "warmup": 5},
}


def made(folder):
    folder.mkdir()
    return folder


@pytest.fixture
def first(tmp_path):
    """The piece of the first 20 steps."""
    folder = made(tmp_path / "first")
    return Done(train(folder, {}, until=20, **SMALL), folder)


def arrays(folder):
    with np.load(folder / STATE) as file:
        return {name: file[name] for name in file.files if name not in ("metrics", "progress")}


def test_the_last_piece_leaves_a_checkpoint(first, tmp_path):
    folder = made(tmp_path / "last")
    result = train(folder, {"before": first}, until=40, **SMALL)
    assert (first.result["step"], result["step"]) == (20, 40)
    assert [step for step, _ in first.result["losses"]] == [10, 20]
    assert [step for step, _ in result["losses"]] == [30, 40]
    assert first.result["bytes"] == (first.folder / STATE).stat().st_size
    assert [path.name for path in first.folder.iterdir()] == [STATE]
    lines = (folder / CHECKPOINT / METRICS).read_text().splitlines()
    assert ["step" in line for line in lines] == [True] * len(lines)
    assert coc.evaluate("hanoi", 1, memory="tape", arith="inline", model=str(folder / CHECKPOINT)).rows
    whole = coc.train(**SMALL, out=tmp_path / "whole")
    assert whole.report.heldout_pairs == result["heldout_pairs"]
    losses = protocol._curves(tmp_path / "whole" / METRICS, 0)["losses"]
    assert losses[:2] == first.result["losses"]
    assert losses[2:] == pytest.approx(np.array(result["losses"]), rel=1e-3)  # moments were rounded in between


def test_a_piece_that_is_cut_off_goes_on_to_the_same_bits(first, tmp_path, monkeypatch):
    whole = {**SMALL, "hyperparameters": {**SMALL["hyperparameters"], "steps": 60}}
    before = Done(train(made(tmp_path / "before"), {}, until=10, **whole), tmp_path / "before")
    folders = [made(tmp_path / name) for name in ("at once", "cut off")]
    train(folders[0], {"before": before}, until=30, **whole)
    with monkeypatch.context() as patch:
        patch.setattr(protocol._Stop, "__call__", lambda *_: signal.raise_signal(signal.SIGTERM))
        with pytest.raises(KeyboardInterrupt):
            train(folders[1], {"before": before}, until=30, **whole)
    assert not (folders[1] / STATE).exists()
    result = train(folders[1], {"before": before}, until=30, **whole)
    assert result["step"] == 30
    expected, found = map(arrays, folders)
    assert all(np.array_equal(expected[name], found[name]) for name in expected | found)


def test_a_piece_that_ended_before_its_state_was_kept_makes_no_step_more(first, tmp_path, monkeypatch):
    folder = made(tmp_path / "again")
    with monkeypatch.context() as patch:
        patch.delattr(protocol, "_pack")
        with pytest.raises(NameError):
            train(folder, {}, until=20, **SMALL)
    assert train(folder, {}, until=20, **SMALL)["step"] == 20
    expected, found = arrays(first.folder), arrays(folder)
    assert all(np.array_equal(expected[name], found[name]) for name in expected | found)


def test_weights_are_kept_as_they_are_and_moments_to_six_bits():
    values = np.random.default_rng(0).standard_normal((3, 5)).astype(np.float32)
    exact, rounded = (protocol._tensor(protocol._planes(values, rounded=each)).numpy() for each in (False, True))
    assert np.array_equal(exact, values)
    assert rounded == pytest.approx(values, rel=2**-6)
    assert not np.array_equal(rounded, values)
    assert not (rounded.view(np.uint32) & 0x3FFFF).any()


def test_a_piece_needs_the_main_thread(tmp_path):
    found = []

    def attempt():
        try:
            train(tmp_path, {}, until=20, **SMALL)
        except UsageError as error:
            found.append(str(error))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert found == ["a piece of a training needs a process of its own; choose --engine processes"]


def test_steps_are_timed_and_nothing_is_kept(tmp_path):
    found = rate(tmp_path, {}, limit=0.01, **SMALL)
    assert found["seconds"] * found["steps"] >= 0.01
    assert found["threads"] >= 1
    assert list(tmp_path.iterdir()) == []
