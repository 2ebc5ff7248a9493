"""Processes as workers: they may die, and they end with their parent."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coc_core.errors import UsageError
from coc_workers import processes
from coc_workers.pool import Lost, Pool
from coc_workers.processes import Processes, open_processes
from tests.support import worker_functions
from tests.support.killed_workers import killing


def test_they_do_the_work_and_are_gone_afterwards() -> None:
    with Pool(Processes, 2) as pool:
        assert list(pool.map(worker_functions.square, range(20))) == [number * number for number in range(20)]
        assert active_children()
    assert not active_children()


def test_an_exception_comes_back() -> None:
    with Pool(Processes, 2) as pool, pytest.raises(ValueError, match="not 7"):
        list(pool.map(worker_functions.fail_at_seven, range(20)))


def test_work_that_was_lost_is_done_again(tmp_path: Path) -> None:
    with Pool(Processes, 3) as pool:
        assert list(pool.map(partial(worker_functions.die_once, str(tmp_path)), range(11))) == list(range(11))


@pytest.mark.slow
def test_work_that_kills_every_worker_is_given_up() -> None:
    with Pool(Processes, 2) as pool:
        results = list(pool.map(partial(worker_functions.die_at, 3), range(6)))
    assert results == [0, 1, 2, Lost(3), 4, 5]


@pytest.mark.slow
def test_workers_that_are_killed_at_random_change_no_result() -> None:
    """From the first result on: a pool whose workers are lost before any has answered is given up."""
    with Pool(Processes, 3) as pool:
        results = pool.map(worker_functions.slow_square, range(60))
        found = [next(results)]
        with killing(lambda: [child.pid for child in active_children()], 6, 3, 0.2, 0.3) as killed:
            found += results
        assert found == [number * number for number in range(60)]
    assert killed


def test_a_worker_that_is_lost_takes_no_other_call_with_it(tmp_path: Path) -> None:
    executor = Processes(2)
    slow, lost = executor.submit(worker_functions.slow_square, 7), executor.submit(os._exit, 1)
    with pytest.raises(BrokenExecutor):
        lost.result()
    assert slow.result() == 49
    executor.shutdown()
    assert not active_children()


def test_calls_under_way_and_those_that_wait_end_with_it() -> None:
    executor = Processes(2)
    calls = [executor.submit(time.sleep, 600) for _ in range(5)]
    executor.shutdown(cancel_futures=True)
    assert [call.cancelled() for call in calls] == [False, False, True, True, True]
    assert all(isinstance(call.exception(), BrokenExecutor) for call in calls[:2])
    assert not active_children()


def test_calls_under_way_go_on_where_nobody_waits() -> None:
    executor = Processes(1)
    call = executor.submit(worker_functions.slow_square, 3)
    executor.shutdown(wait=False)
    assert call.result() == 9
    executor.shutdown()
    assert not active_children()


def test_they_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    with Pool(Processes, 1) as pool:
        assert list(pool.map(worker_functions.threads, [0])) == [str(len(os.sched_getaffinity(0)))]
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    with Pool(Processes, 1) as pool:
        assert list(pool.map(worker_functions.threads, [0])) == ["7"]


def test_a_worker_heeds_no_ctrl_c_and_no_parent_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker does at its start, in this process."""
    ended, reader, writer = threading.Event(), *os.pipe()
    monkeypatch.setattr(processes, "parent_process", lambda: SimpleNamespace(sentinel=reader))
    monkeypatch.setattr(os, "_exit", lambda code: ended.set())
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before = signal.getsignal(signal.SIGINT)
    try:
        processes._begin({"OMP_NUM_THREADS": "5"})
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert os.environ["OMP_NUM_THREADS"] == "5"
        assert not ended.wait(0.1)
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(writer)
    assert ended.wait(10)
    os.close(reader)


def test_a_process_without_a_parent_goes_on() -> None:
    processes._end_with_parent()


def test_they_have_no_address() -> None:
    with pytest.raises(UsageError, match="leave out --engine-address"):
        open_processes(2, "tcp://here:1")


def test_they_end_with_their_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, time\n"
        "from multiprocessing import active_children\n"
        "from coc_workers.processes import Processes\n"
        "if __name__ == '__main__':\n"
        "    pool = Processes(2)\n"
        "    [pool.submit(time.sleep, 600) for _ in range(2)]\n"
        "    time.sleep(1)\n"
        "    print(*(child.pid for child in active_children()), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, text=True, check=False, timeout=60)
    pids = [int(pid) for pid in parent.stdout.split()]
    assert len(pids) == 2
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.1)


FORKED = """
import os, signal, time
from multiprocessing import active_children
from coc_workers.pool import Pool
from coc_workers.processes import Processes, may_fork
from tests.support import worker_functions

if __name__ == "__main__":
    worker_functions.loaded.append(os.getpid())
    assert may_fork()
    with Pool(Processes, 3) as pool:
        for _ in range(2):
            assert list(pool.map(worker_functions.what_is_loaded, range(5))) == [[os.getpid()]] * 5
            for child in active_children():
                os.kill(child.pid, signal.SIGKILL)
        print(list(pool.map(worker_functions.slow_square, range(7))))
    assert not active_children()
    worker_functions.start_thread()
    assert not may_fork()
    with Pool(Processes, 1) as pool:
        print(list(pool.map(worker_functions.what_is_loaded, range(2))))
    left = Processes(2)  # ends with this process
"""


def test_workers_share_what_is_loaded_while_there_is_one_thread(tmp_path: Path) -> None:
    """Those that take the place of lost ones, too."""
    script = tmp_path / "forked.py"
    script.write_text(FORKED)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["[0, 1, 4, 9, 16, 25, 36]", "[[], []]"]


@pytest.mark.parametrize("unpicklable", [worker_functions.return_lambda, worker_functions.raise_lambda])
def test_what_can_not_be_pickled_is_an_error_of_the_call(unpicklable: Any) -> None:
    with Pool(Processes, 1) as pool:
        with pytest.raises(Exception, match="lambda"):
            list(pool.map(unpicklable, [0]))
        assert list(pool.map(worker_functions.square, [3])) == [9]
