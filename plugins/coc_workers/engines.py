"""The engines: Python processes on this machine, and workers of Dask, on this machine or at an address."""

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.text import described

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that say how many threads a library for matrices uses."""

_TASKS = Path("/proc/self/task")
_ENDING = 30  # milliseconds
_PATIENCE = 4
"""Seconds for the scheduler to answer."""


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


@contextmanager
def dask(jobs: int, address: str | None = None) -> Iterator[Executor]:
    """Open a client of Dask, whose workers make one call at a time.

    Calls under way are cancelled at the end; a worker at an address finishes its call all the same.

    Args:
        jobs: The number of workers where there is no address.
        address: Of the scheduler: `tcp://10.0.0.5:8786`, or `tls://…` with the certificates of Dask's configuration.

    Raises:
        UsageError: Dask is not installed, or no scheduler answers at the address.
        BrokenExecutor: A worker of its own was lost while it started.
    """
    with needs_extra("dask", "the engine 'dask' needs the library distributed"):
        from distributed import Client, LocalCluster
    for name in ("distributed", "distributed.client", "distributed.worker", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost worker is the pool's affair
    cluster = None
    if address is None:
        try:
            cluster = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
                preload=[__name__],
            )
        except RuntimeError as error:  # Dask's, where a worker is lost while it starts
            raise BrokenExecutor(str(error)) from error
        client = Client(cluster)
    else:
        try:
            with ThreadPoolExecutor(1) as thread:  # a notebook's own has an event loop already
                thread.submit(asyncio.run, _greet(address)).result()
            client = Client(address, timeout=_PATIENCE)
        except (OSError, TypeError, ValueError) as error:  # a TypeError is Dask's, for what is not installed or set up
            raise UsageError(
                f"no Dask scheduler answers at {address!r:.200} ({described(error)})",
                remedy="start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`",
            ) from None
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
        if cluster is not None:
            with suppress(AssertionError):  # Dask's, where a worker is just about to be started again
                cluster.close()


async def _greet(address: str) -> None:
    """Shake hands with a scheduler, since the client waits for its hand without end."""
    from distributed.comm import connect
    from distributed.security import Security

    async with asyncio.timeout(_PATIENCE):
        comm = await connect(address, timeout=_PATIENCE, **Security().get_connection_args("client"))
        await comm.close()


def dask_setup(_worker: object) -> None:
    """Prepare a worker of a cluster on this machine, as Dask does in each: Ctrl-C is its parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
