"""The workers: Python processes on this machine."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that say how many threads a library for matrices uses."""

_TASKS = Path("/proc/self/task")
_ENDING = 30  # milliseconds


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Open Python processes that are forked from this one where that is safe, so that they share what it has loaded.

    Elsewhere they are started afresh. They share the cores: unless the environment says how many threads a library for
    matrices uses, each worker's uses the cores divided by the workers. At the end, calls under way end, too.
    """
    threads = str(max(1, usable_cores() // jobs))
    environment = {name: threads for name in _THREADS if name not in os.environ}
    context = multiprocessing.get_context("fork" if may_fork() else "spawn")
    executor = ProcessPoolExecutor(jobs, context, _begin, (environment,))
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the workers say otherwise
        try:
            for _ in range(jobs):  # each starts one
                executor.submit(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        yield executor
    finally:
        for process in list((executor._processes or {}).values()):  # `kill_workers`, from Python 3.14 on
            process.kill()
        executor.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """Return the processors that this process may use, where the system says so; else all of the machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def may_fork() -> bool:
    """Return whether this process can be forked safely: on Linux, and with no thread that may hold a lock.

    Libraries for matrices and devices have threads as soon as they have computed something.
    """
    if not (sys.platform == "linux" and hasattr(os, "fork") and _TASKS.is_dir()):
        return False
    for _ in range(_ENDING):  # a thread that has been joined may take a moment to leave
        if len(list(_TASKS.iterdir())) == 1:
            return True
        time.sleep(0.001)
    return False


def _begin(environment: Mapping[str, str]) -> None:
    """Prepare a worker: Ctrl-C is its parent's affair, and where the parent is gone, nobody waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.environ.update(environment)
    torch: Any = sys.modules.get("torch")
    if torch is not None and (threads := environment.get(_THREADS[0])):
        torch.set_num_threads(int(threads))  # it has read the environment before
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
