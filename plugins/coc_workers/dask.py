"""Dask as an executor: a cluster of its own on this machine, or one whose scheduler is at an address."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from coc_core.errors import UsageError
from coc_core.extras import needs_extra

ResultT = TypeVar("ResultT")

_PATIENCE = 4
"""Seconds for the scheduler to answer."""


class Dask(Executor):
    """Calls through a client of `distributed`.

    A worker makes one call at a time. What is under way when this is shut down is cancelled; a worker at an address
    finishes its call all the same.

    Args:
        client: The client, which ends with this.
        cluster: The cluster that ends with this, None for one at an address.
    """

    def __init__(self, client: Any, cluster: Any = None) -> None:
        self._client = client
        self._cluster = cluster

    def submit(self, fn: Callable[..., ResultT], /, *args: Any, **kwargs: Any) -> Future[ResultT]:
        answer: Future[ResultT] = Future()

        def done(call: Any) -> None:
            # A worker may be lost with a result that is not fetched yet; then this waits until it is there again.
            try:
                answer.set_result(call.result())
            except BaseException as error:
                answer.set_exception(_as_broken(error))

        try:
            self._client.submit(fn, *args, pure=False, **kwargs).add_done_callback(done)
        except Exception as error:
            raise BrokenExecutor(str(error)) from error
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._client.close()
        if self._cluster is not None:
            with suppress(AssertionError):  # Dask's, where a worker is just about to be started again
                self._cluster.close()


def open_dask(jobs: int, address: str | None) -> Dask:
    """The executor of the engine.

    Args:
        jobs: The number of workers where there is no address.
        address: Where the scheduler is, such as `tcp://10.0.0.5:8786` or `tls://…`, with the certificates that Dask's
            configuration names.

    Raises:
        UsageError: Dask is not installed, or no scheduler answers at the address.
        BrokenExecutor: A worker of its own was lost while it started.
    """
    with needs_extra("dask", "the engine 'dask' needs the library distributed"):
        from distributed import Client, LocalCluster
    for name in ("distributed", "distributed.client", "distributed.worker", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost worker is the pool's affair
    if address is None:
        try:
            cluster = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
                preload=["coc_workers.quiet"],
            )
        except RuntimeError as error:  # Dask's, where a worker is lost while it starts
            raise BrokenExecutor(str(error)) from error
        return Dask(Client(cluster), cluster)
    try:
        with ThreadPoolExecutor(1) as thread:  # a notebook's own has an event loop already
            thread.submit(asyncio.run, _greet(address)).result()
        return Dask(Client(address, timeout=_PATIENCE))
    except (OSError, TypeError, ValueError) as error:  # a TypeError is Dask's, for a protocol that is not installed
        raise UsageError(
            f"no Dask scheduler answers at {address!r:.200} ({type(error).__name__})",
            remedy="start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`",
        ) from None


async def _greet(address: str) -> None:
    """Shake hands with a scheduler, since the client waits for its hand without end.

    Raises:
        UsageError: The address needs a certificate, and there is none.
        OSError: No scheduler answers.
        ValueError: The address is malformed.
    """
    from distributed.comm import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    if address.startswith(("tls:", "wss:")) and arguments["ssl_context"] is None:
        raise UsageError(
            f"{address!r:.200} needs a certificate",
            remedy="name its files in Dask's configuration, as distributed.comm.tls.ca-file and client.cert",
        )
    async with asyncio.timeout(_PATIENCE):
        comm = await connect(address, timeout=_PATIENCE, **arguments)
        await comm.close()


def _as_broken(error: BaseException) -> BaseException:
    """The error of a call, as `BrokenExecutor` if its worker or the scheduler was lost."""
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    lost = isinstance(error, KilledWorker | CommClosedError | CancelledError | TimeoutError)
    return BrokenExecutor(str(error)) if lost else error
