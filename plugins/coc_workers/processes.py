"""The engine `processes`: workers on this machine."""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import ProcessPoolExecutor
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from coc_core.errors import UsageError
from coc_workers.cores import usable_cores

Parameters = ParamSpec("Parameters")
ResultT = TypeVar("ResultT")

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that say how many threads a library for matrices uses."""


def open_processes(jobs: int, address: str | None) -> "Processes":
    """The executor of the engine; UsageError if there is an address."""
    if address is not None:
        raise UsageError("the engine 'processes' has its workers on this machine", remedy="leave out --engine-address")
    return Processes(jobs)


class Processes(Executor):
    """Python processes that are started afresh, so that nothing of this one's state reaches them.

    They share the cores: unless the environment says how many threads a library for matrices uses, each worker's uses
    the cores divided by the workers. Shutting it down with `cancel_futures` ends the calls under way, too.

    A thread for each process waits for its call, so that a process that is lost takes no other call with it.

    Args:
        jobs: The number of processes.
    """

    def __init__(self, jobs: int) -> None:
        threads = str(max(1, usable_cores() // jobs))
        environment = {name: threads for name in _THREADS if name not in os.environ}
        self._context = _Context()
        self._workers = [ProcessPoolExecutor(1, self._context, _begin, (environment,)) for _ in range(jobs)]
        self._free = SimpleQueue[ProcessPoolExecutor]()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(jobs)
        self._calls = set[Future[Any]]()

    def submit(
        self, fn: Callable[Parameters, ResultT], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[ResultT]:
        """Call a function in a worker; if that is lost, the result is BrokenProcessPool."""
        future = self._threads.submit(self._call, fn, *args, **kwargs)
        self._calls.add(future)
        future.add_done_callback(self._calls.discard)
        return future

    def _call(
        self, fn: Callable[Parameters, ResultT], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> ResultT:
        worker = self._free.get()
        try:
            return worker.submit(fn, *args, **kwargs).result()
        finally:
            self._free.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=False, cancel_futures=cancel_futures)
        while cancel_futures and not all(map(Future.done, list(self._calls))):
            for process in list(self._context.processes):
                if process.is_alive():
                    process.kill()
            time.sleep(0.001)
        if wait:
            self._threads.shutdown()
            for worker in self._workers:
                worker.shutdown()


class _Context(SpawnContext):
    """Starts processes, and keeps them."""

    def __init__(self) -> None:
        self.processes: list[BaseProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> BaseProcess:  # type: ignore[override]
        self.processes.append(super().Process(*args, **kwargs))
        return self.processes[-1]


def _begin(environment: Mapping[str, str]) -> None:
    """Prepare a worker: Ctrl-C is its parent's affair, and where the parent is gone, nobody waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(environment)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
