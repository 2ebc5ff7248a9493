"""Datasets that workers build: the files are those of one process, to the byte."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.errors import CocError, PluginError, WorkerError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, HoldOutBy, PairStream, PairWorkers, build_dataset, shards
from coc_learn.sources import open_pair_writer
from coc_workers import pool
from coc_workers.options import WorkerOptions
from coc_workers.pool import Pool
from tests.support.killed_workers import killing
from tests.support.plan_runs import SETTINGS, setting_of

_numbers = count()

FATAL = """
import os, signal, time
from coc_core.plugin import DomainSpec, hookimpl
from coc_puzzles.pancake.domain import Pancake


class Fatal(Pancake):
    name = "fatal"

    def start(self, problem):
        if len(problem.start) == 5:
            ACTION
        return super().start(problem)

    def is_goal(self, problem, state):
        return len(state) < 7 and super().is_goal(problem, state)


@hookimpl
def coc_domains():
    return [DomainSpec("fatal", f"{__name__}:Fatal", "pancakes")]
"""

Make = Callable[..., dict[str, bytes]]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def built(tmp_path: Path) -> Make:
    """Makes a dataset, by workers or without, and gives its files."""

    def make(
        setting: Setting,
        spec: DatasetSpec,
        jobs: int | None = None,
        engine: str | None = None,
        plugins: tuple[Path, ...] = (),
    ) -> dict[str, bytes]:
        folder = tmp_path / f"dataset {next(_numbers)}"
        with open_pair_writer(setting.registry, plugins, WorkerOptions(jobs=jobs, engine=engine)) as write:
            build_dataset(folder, setting, spec, PairStream(setting, spec), "coc data build", write)
        return files(folder)

    return make


@pytest.fixture
def fatal(tmp_path: Path) -> Any:
    """Makes a domain that does something at problems of size 5; gives its setting and the plugin."""

    def make(action: str) -> tuple[Setting, tuple[Path]]:
        file = tmp_path / f"fatal_{next(_numbers)}.py"
        file.write_text(FATAL.replace("ACTION", action))
        return Setting.of(Registry.installed([file]), "fatal", "tape", "inline"), (file,)

    return make


@pytest.mark.parametrize("names", [*SETTINGS, ("heap", "inline"), ("heap", "symbolic")])
@settings(max_examples=12)
@given(
    sizes=st.sets(st.integers(2, 5), min_size=1),
    instances=st.integers(1, 9),
    by=st.sampled_from(HoldOutBy),
    shard=st.integers(1, 4),
    seed=st.integers(0, 9),
)
def test_the_pairs_are_those_of_one_process_in_its_order(
    names: tuple[str, str], sizes: set[int], instances: int, by: HoldOutBy, shard: int, seed: int
) -> None:
    setting = setting_of("pancake", *names)
    spec = DatasetSpec(sizes, instances, by=by, holdout=0.3, seed=seed)
    alone, shared = PairStream(setting, spec), PairStream(setting, spec)
    with pytest.MonkeyPatch.context() as patch, Pool(ThreadPoolExecutor, 2) as threads:
        patch.setattr(shards, "SHARD", shard)
        patch.setattr(shards, "_BLOCK", shard)
        assert list(shared.written_by(PairWorkers(threads).pairs)) == list(alone)
    assert (shared.count, shared.held_out()) == (alone.count, alone.held_out())


@pytest.mark.slow
def test_workers_change_no_byte(built: Make) -> None:
    for setting, spec in (
        (setting_of("hanoi", "tape", "inline"), DatasetSpec(range(1, 9), holdout=0.4, seed=2)),
        (setting_of("pancake"), DatasetSpec(range(3, 7), 40, by=HoldOutBy.instances, near_goal=3)),
    ):
        assert built(setting, spec, 2, "processes") == built(setting, spec)


@pytest.mark.slow
def test_workers_that_are_killed_at_random_change_no_byte(built: Make, fatal: Any) -> None:
    """A shard is given up after nine losses only, more than there are."""
    setting, plugins = fatal("time.sleep(0.01)")
    spec = DatasetSpec(range(4, 7), 120, enumerated=30)
    with killing(lambda: [child.pid for child in active_children()], 4, 3, 0.3, 0.5) as killed:
        assert built(setting, spec, 2, None, plugins) == built(setting, spec)
    assert killed


@pytest.mark.slow
def test_problems_that_kill_their_workers_are_named(
    built: Make, fatal: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_LOST_TOGETHER", 0)
    monkeypatch.setattr(pool, "_LOST_ALONE", 1)
    setting, plugins = fatal("os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(WorkerError, match=r"no pairs of 3 problems, since .* lost, the first of them .*P5\b.*; choose"):
        built(setting, DatasetSpec(range(4, 7), 3), 2, None, plugins)
    assert list(tmp_path.glob("dataset*")) == []
    assert not active_children()


def test_what_is_wrong_without_workers_is_wrong_with_them(built: Make, fatal: Any) -> None:
    setting, plugins = fatal("pass")
    said = []
    for jobs in (None, 2):
        with pytest.raises(PluginError, match="the policy of fatal does not solve") as caught:
            built(setting, DatasetSpec(range(6, 9), 40), jobs, None, plugins)
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.slow
def test_an_exception_in_a_worker_is_the_plugins(built: Make, fatal: Any) -> None:
    setting, plugins = fatal("raise KeyError('lost')")
    with pytest.raises(PluginError, match=r"Fatal .fatal. raised KeyError in start at step 1: .lost.") as caught:
        built(setting, DatasetSpec(range(4, 7), 3), 2, None, plugins)
    assert caught.value.where.endswith("in start")


def test_an_engine_that_is_not_there_is_refused(built: Make) -> None:
    with pytest.raises(CocError, match="unknown engine 'dusk'"):
        built(setting_of("hanoi"), DatasetSpec(range(1, 3)), 2, "dusk")
