"""The engine `processes`: workers on this machine."""

import atexit
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from coc_core.errors import UsageError
from coc_workers.cores import usable_cores

Parameters = ParamSpec("Parameters")
ResultT = TypeVar("ResultT")

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that say how many threads a library for matrices uses."""

_TASKS = Path("/proc/self/task")
_ENDING = 30  # milliseconds


def open_processes(jobs: int, address: str | None) -> "Processes":
    """The executor of the engine; UsageError if there is an address."""
    if address is not None:
        raise UsageError("the engine 'processes' has its workers on this machine", remedy="leave out --engine-address")
    return Processes(jobs)


class Processes(Executor):
    """Python processes that are forked from this one where that is safe, so that they share what it has loaded.

    Elsewhere they are started afresh. They share the cores: unless the environment says how many threads a library for
    matrices uses, each worker's uses the cores divided by the workers. Shutting it down with `cancel_futures` ends the
    calls under way, too.

    A thread for each process waits for its call, so that a process that is lost takes no other call with it.

    Args:
        jobs: The number of processes.
    """

    def __init__(self, jobs: int) -> None:
        threads = max(1, usable_cores() // jobs)
        environment = {name: str(threads) for name in _THREADS if name not in os.environ}
        start = "fork" if may_fork() else "spawn"
        with _interrupts_held():  # before there are threads
            self._workers = [_Worker(start, environment) for _ in range(jobs)]
        self._free = SimpleQueue[_Worker]()
        for worker in self._workers:
            self._free.put(worker)
        self._threads = ThreadPoolExecutor(jobs)
        atexit.register(self.shutdown)

    def submit(
        self, fn: Callable[Parameters, ResultT], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[ResultT]:
        """Call a function in a worker; if that is lost, the result is BrokenExecutor."""
        return self._threads.submit(self._call, fn, *args, **kwargs)

    def _call(
        self, fn: Callable[Parameters, ResultT], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> ResultT:
        worker = self._free.get()
        try:
            result: ResultT = worker.call(fn, args, kwargs)
            return result
        finally:
            self._free.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=False, cancel_futures=cancel_futures)
        if cancel_futures:
            for worker in self._workers:
                worker.process.kill()
        if wait:
            self._threads.shutdown()
            for worker in self._workers:
                worker.end()
            atexit.unregister(self.shutdown)


class _Worker:
    """A process that makes one call at a time."""

    def __init__(self, start: str, environment: Mapping[str, str]) -> None:
        context: Any = get_context(start)
        self._calls, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, environment))
        self.process.start()
        theirs.close()  # or else its end would not be noticed

    def call(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """What the function returns or raises there; BrokenExecutor if the process is lost."""
        message = pickle.dumps((function, args, kwargs))
        try:
            self._calls.send_bytes(message)
            answer = self._calls.recv_bytes()
        except (EOFError, OSError) as error:
            raise BrokenExecutor("the process is gone") from error
        result, raised = pickle.loads(answer)
        if raised is not None:
            raise raised
        return result

    def end(self) -> None:
        """End the process, which has no call."""
        with suppress(OSError):  # it is gone
            self._calls.send_bytes(b"")
        self.process.join()
        self._calls.close()


def may_fork() -> bool:
    """Whether this process can be forked safely: on Linux, and with no thread that may hold a lock.

    Libraries for matrices and devices have threads as soon as they have computed something.
    """
    if not (sys.platform == "linux" and hasattr(os, "fork") and _TASKS.is_dir()):
        return False
    for _ in range(_ENDING):  # a thread that has been joined may take a moment to leave
        if len(list(_TASKS.iterdir())) == 1:
            return True
        time.sleep(0.001)
    return False


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C while the block runs. A process that starts meanwhile delays it until it says otherwise."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(calls: connection.Connection, environment: Mapping[str, str]) -> None:
    """What a worker does."""
    _begin(environment)
    with suppress(EOFError, OSError):  # the parent is gone
        while message := calls.recv_bytes():
            calls.send_bytes(_answer(message))


def _answer(message: bytes) -> bytes:
    """What the function of a call returns or raises."""
    try:
        function, args, kwargs = pickle.loads(message)
        return pickle.dumps((function(*args, **kwargs), None))
    except BaseException as error:
        with suppress(Exception):
            pickle.loads(answer := pickle.dumps((None, error)))
            return answer
        return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))  # it can't be pickled


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
