"""Processes as workers: they may die, and they end with their parent."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coc_workers import processes as module
from coc_workers.pool import Lost, Pool
from coc_workers.processes import processes
from tests.support import worker_functions


def interrupted(*words):
    """Runs `coc` until it has printed a line of progress, and then interrupts it and its workers.

    Gives its exit code, what it printed after that line, and how many seconds it still took.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", "coc_core", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        line = child.stderr.readline()
        assert ": " in line, child.communicate()
        started = time.monotonic()
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=180)
    finally:
        child.kill()
    return SimpleNamespace(code=child.returncode, out=out, err=err, seconds=time.monotonic() - started)


def test_they_do_the_work_and_are_gone_afterwards() -> None:
    with Pool(processes, 2) as pool:
        assert list(pool.map(worker_functions.square, range(20))) == [number * number for number in range(20)]
        assert active_children()
        with pytest.raises(ValueError, match="not 7"):
            list(pool.map(worker_functions.fail_at_seven, range(20)))
    assert not active_children()


def test_work_that_was_lost_is_done_again(tmp_path: Path) -> None:
    with Pool(processes, 3) as pool:
        assert list(pool.map(partial(worker_functions.die_once, str(tmp_path)), range(11))) == list(range(11))


def test_work_that_kills_every_worker_is_given_up() -> None:
    with Pool(processes, 2) as pool:
        results = list(pool.map(partial(worker_functions.die_at, 3), range(6)))
    assert results == [0, 1, 2, Lost(3), 4, 5]


def test_calls_under_way_and_those_that_wait_end_when_it_stops() -> None:
    started = time.monotonic()
    with Pool(processes, 2) as pool:
        assert list(pool.map(time.sleep, [600] * 5, lambda: time.monotonic() > started + 0.5)) == []
        assert list(pool.map(worker_functions.square, [3])) == [9]
    assert time.monotonic() < started + 60


def test_they_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with Pool(processes, 1) as pool:
        assert list(pool.map(worker_functions.threads, [0])) == [str(len(os.sched_getaffinity(0)))]
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    with Pool(processes, 1) as pool:
        assert list(pool.map(worker_functions.threads, [0])) == ["7"]


def test_a_worker_heeds_no_ctrl_c_and_no_parent_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker does at its start, in this process."""
    ended, reader, writer = threading.Event(), *os.pipe()
    monkeypatch.setattr(module, "parent_process", lambda: SimpleNamespace(sentinel=reader))
    monkeypatch.setattr(os, "_exit", lambda code: ended.set())
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before = signal.getsignal(signal.SIGINT)
    try:
        module._begin({"OMP_NUM_THREADS": "5"})
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert os.environ["OMP_NUM_THREADS"] == "5"
        assert not ended.wait(0.1)
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(writer)
    assert ended.wait(10)
    os.close(reader)


PARENT = """
import os, signal, time
from multiprocessing import active_children
from coc_workers.processes import may_fork, processes
from coc_workers.pool import Pool
from tests.support import worker_functions

if __name__ == "__main__":
    worker_functions.loaded.append(os.getpid())
    assert may_fork()
    with Pool(processes, 3) as pool:
        for _ in range(2):
            assert list(pool.map(worker_functions.what_is_loaded, range(5))) == [[os.getpid()]] * 5
            for child in active_children():
                os.kill(child.pid, signal.SIGKILL)
        print(list(pool.map(worker_functions.slow_square, range(7))))
    assert not active_children()
    worker_functions.start_thread()
    assert not may_fork()
    with Pool(processes, 1) as pool:
        print(list(pool.map(worker_functions.what_is_loaded, range(2))))
    pool = Pool(processes, 2)
    [pool.open().submit(time.sleep, 600) for _ in range(2)]
    print(*(child.pid for child in active_children()), flush=True)
    os.kill(os.getpid(), 9)
"""


def test_workers_share_what_is_loaded_while_there_is_one_thread_and_end_with_their_parent(tmp_path: Path) -> None:
    """Those that take the place of lost ones, too."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == -9
    assert "Traceback" not in done.stderr
    *results, pids = done.stdout.splitlines()
    assert results == ["[0, 1, 4, 9, 16, 25, 36]", "[[], []]"]
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids.split()):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("unpicklable", [worker_functions.return_lambda, worker_functions.raise_lambda])
def test_what_can_not_be_pickled_is_an_error_of_the_call(unpicklable: Any) -> None:
    with Pool(processes, 1) as pool:
        with pytest.raises(Exception, match="lambda"):
            list(pool.map(unpicklable, [0]))
        assert list(pool.map(worker_functions.square, [3])) == [9]


def test_ctrl_c_ends_workers_at_once() -> None:
    done = interrupted("eval", "-d", "hanoi", "-n", "1-24", "--executor", "lockstep", "--jobs", 2)
    assert done.code == 130
    assert "Traceback" not in done.err
    assert done.seconds < 60
