"""The pool that `--jobs` opens: it says when one process would be faster."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from coc_core.plugin import EngineSpec
from coc_workers import options
from coc_workers.options import WorkerOptions, open_pool
from coc_workers.shards import not_working


class Slow(ThreadPoolExecutor):
    """Threads that take a while to start."""

    def __init__(self, pause: float, jobs: int, address: str | None) -> None:
        time.sleep(pause)
        super().__init__(jobs)


def noted(monkeypatch: pytest.MonkeyPatch, pause: float, work: float, shards: int, cores: int) -> list[str]:
    monkeypatch.setattr(options, "usable_cores", lambda: cores)
    spec, notes = EngineSpec("slow", factory="x:y", summary="starts slowly"), list[str]()
    registry: Any = SimpleNamespace(find=lambda *_: spec, make=lambda _spec, _factory, *rest: Slow(pause, *rest))
    with open_pool(registry, WorkerOptions(jobs=2), notes.append) as pool:
        assert pool is not None
        list(pool.map(partial(worked, work), range(shards)))
    return notes


def worked(seconds: float, _shard: int) -> None:
    with not_working():
        time.sleep(0.02)
    time.sleep(seconds)


@pytest.mark.parametrize(
    ("pause", "work", "shards", "cores", "said"),
    [
        pytest.param(0.3, 0.01, 4, 2, True, id="the workers start slowly"),
        pytest.param(0.0, 0.1, 4, 2, False, id="there is work for both"),
        pytest.param(0.0, 0.1, 1, 2, True, id="one of them works"),
        pytest.param(0.0, 0.1, 4, 1, True, id="they share a core"),
        pytest.param(0.1, 0.0, 0, 2, False, id="there is no work"),
    ],
)
def test_it_says_when_one_process_would_be_faster(
    monkeypatch: pytest.MonkeyPatch, pause: float, work: float, shards: int, cores: int, *, said: bool
) -> None:
    notes = noted(monkeypatch, pause, work, shards, cores)
    assert len(notes) == said
    assert all(note.startswith("one process would be faster, without --jobs: ") for note in notes)
