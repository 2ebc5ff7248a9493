"""The engine `processes`: workers on this machine."""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from coc_core.engines.cores import usable_cores
from coc_core.errors import UsageError

Parameters = ParamSpec("Parameters")
ResultT = TypeVar("ResultT")

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""The variables that say how many threads a library for matrices uses."""


def open_processes(jobs: int, address: str | None) -> "Processes":
    """The executor of the engine; UsageError if there is an address."""
    if address is not None:
        raise UsageError("the engine 'processes' has its workers on this machine", remedy="leave out --engine-address")
    return Processes(jobs)


class _Workers(dict[int, Any]):
    """Processes by their ids.

    The executor's thread goes through them when it ends those that a lost one leaves behind, and a call may start
    another process at that moment.
    """

    def values(self) -> Any:
        return list(super().values())


class Processes(ProcessPoolExecutor):
    """Python processes that are started afresh, so that nothing of this one's state reaches them.

    They share the cores: unless the environment says how many threads a library for matrices uses, each worker's uses
    the cores divided by the workers. Shutting it down with `cancel_futures` ends the calls under way, too.

    Args:
        jobs: The number of processes.
    """

    def __init__(self, jobs: int) -> None:
        threads = str(max(1, usable_cores() // jobs))
        super().__init__(
            jobs,
            mp_context=get_context("spawn"),
            initializer=_begin,
            initargs=({name: threads for name in _THREADS if name not in os.environ},),
        )
        self._processes = _Workers()

    def submit(
        self, fn: Callable[Parameters, ResultT], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[ResultT]:
        """Call a function in a worker; BrokenProcessPool if one was lost, also in the middle of this call.

        The executor's thread then closes the pipes of a worker that is being started, and says that it was shut down.
        """
        try:
            return super().submit(fn, *args, **kwargs)
        except Exception as error:
            if not self._broken or isinstance(error, BrokenProcessPool):
                raise
            raise BrokenProcessPool("a worker was lost") from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        workers: Mapping[int, BaseProcess] = dict(self._processes or {}) if cancel_futures else {}
        super().shutdown(wait=wait and not cancel_futures, cancel_futures=cancel_futures)
        for worker in workers.values():
            worker.kill()
        for worker in workers.values():
            while worker.is_alive():  # the executor's thread may be the one that learns of its end
                time.sleep(0.001)


def _begin(environment: Mapping[str, str]) -> None:
    """Prepare a worker: Ctrl-C is its parent's affair, and where the parent is gone, nobody waits for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(environment)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
