"""Shards of work on an engine.

The results come in the order of the shards, whatever the number of workers and the order in which they finish. A shard
whose worker is lost is done again. Lost workers take others' shards down with them, so a shard that is lost several
times is tried by itself; one that then loses its worker again and again is given up, and the rest goes on.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from coc_core.errors import PluginError, WorkerError
from coc_workers.shards import timed

ShardT = TypeVar("ShardT")
ResultT = TypeVar("ResultT")

_POLL = 0.2
"""Seconds from one look at whether to stop to the next."""
_LOST_TOGETHER = 3
"""How often a shard may lose its worker beside others before it is tried by itself."""
_LOST_ALONE = 5
"""How often a shard may lose its worker by itself before it is given up."""
_ATTEMPTS = 200
"""How many times in a row workers are started that are lost before they have a shard."""
_FIRST_ATTEMPTS = 3
"""How many times if none has ever answered."""


@frozen
class Lost(Generic[ShardT]):
    """A shard that was given up, since each worker that tried it was lost."""

    shard: ShardT


def worker_error(
    what: str, first: str = "", remedy: str = "choose fewer --jobs, or none, to see what happens"
) -> WorkerError:
    """The error about shards that were given up.

    Args:
        what: What was not done.
        first: The first of it.
        remedy: What the user can do about it.
    """
    named = f", the first of them {first}" if first else ""
    return WorkerError(f"{what}, since every worker that tried was lost{named}", remedy=remedy)


_Stamp = tuple[int, int]
"""The number of a `Pool.map`, and of a shard in it."""

_Stamped = tuple[_Stamp, tuple[ResultT, float]]
"""The result of a call, and the seconds that the worker worked for it."""


@frozen
class _Raised:
    error: BaseException


@define
class Pool:
    """The workers of an engine. Close it at the end, or use it as a context manager.

    Args:
        open_executor: Makes the executor of an engine for a number of jobs.
        jobs: How many calls are under way at a time.
    """

    open_executor: Callable[[int], Executor]
    jobs: int
    worked: float = field(default=0.0, init=False)
    """The seconds that all workers together worked for the maps that ended without a loss."""
    waited: float = field(default=0.0, init=False)
    """The seconds that this process waited for them."""
    _executor: Executor | None = field(default=None, init=False)
    _answered: bool = field(default=False, init=False)
    _maps: int = field(default=0, init=False)

    def map(
        self,
        function: Callable[[ShardT], ResultT],
        shards: Iterable[ShardT],
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[ResultT | Lost[ShardT]]:
        """Call a function with each shard; gives the results in the order of the shards.

        Args:
            function: What workers call; it and the shards must be picklable.
            shards: The shards. They are taken as they are needed.
            stopped: Whether to stop; the calls under way are then abandoned, and no further result is given.

        Raises:
            PluginError: The engine returned the result of another call.
            Exception: As the function raised for the first shard for which it raised.
        """
        self._maps += 1
        numbered = self._maps
        upcoming, again, losses = enumerate(shards), deque[tuple[int, ShardT]](), Counter[int]()
        pending: dict[Future[_Stamped[ResultT]], tuple[int, ShardT]] = {}
        done: dict[int, ResultT | Lost[ShardT] | _Raised] = {}
        following, worked, waited = 0, 0.0, 0.0
        try:
            while not stopped():
                while following in done:
                    yield _result(done.pop(following))
                    following += 1
                lost: list[tuple[int, ShardT]] = []
                while not lost and len(pending) < 2 * self.jobs and len(pending) + len(done) < 8 * self.jobs:
                    item = again.popleft() if again else next(upcoming, None)
                    if item is None:
                        break
                    try:
                        call = partial(_stamped, function, (numbered, item[0]))
                        pending[self.open().submit(call, item[1])] = item
                    except BrokenExecutor:
                        lost.append(item)
                if not pending and not lost:
                    if not losses:
                        self.worked, self.waited = self.worked + worked, self.waited + waited
                    return
                begun = time.monotonic()
                ready = wait(pending, _POLL, FIRST_COMPLETED).done
                waited += time.monotonic() - begun
                for future in ready:
                    index, shard = pending.pop(future)
                    error = None if future.cancelled() else future.exception()
                    if future.cancelled() or isinstance(error, BrokenExecutor):
                        lost.append((index, shard))
                    else:
                        done[index], seconds = _unstamped(error or future.result(), (numbered, index))
                        worked += seconds
                if lost:
                    self.close()
                    for index, shard in sorted([*lost, *pending.values()], key=lambda item: item[0]):
                        losses[index] += 1
                        if losses[index] <= _LOST_TOGETHER:
                            again.append((index, shard))
                        else:
                            done[index] = self._alone(function, (numbered, index), shard, stopped)
                    pending.clear()
        finally:
            if pending:
                self.close()

    def open(self) -> Executor:
        """The executor, which is made where there is none.

        Raises:
            WorkerError: No worker answers.
            Exception: As the function raises that makes it.
        """
        if self._executor is None:
            begun = time.monotonic()
            self._executor = self._answering(self.jobs, lambda: False)
            self.waited += time.monotonic() - begun
        return self._executor

    def close(self) -> None:
        """End the workers, and whatever they are doing."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(cancel_futures=True)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _alone(
        self, function: Callable[[ShardT], ResultT], stamp: _Stamp, shard: ShardT, stopped: Callable[[], bool]
    ) -> ResultT | Lost[ShardT] | _Raised:
        """The result for a shard that no other worker can take down.

        A worker that is lost before it is ready for the shard says nothing about the shard.
        """
        losses = 0
        while losses < _LOST_ALONE and not stopped():
            with suppress(BrokenExecutor):  # nobody waits any more
                executor = self._answering(1, stopped)
                try:
                    call = executor.submit(partial(_stamped, function, stamp), shard)
                    return _unstamped(_awaited(call, stopped), stamp)[0]
                except BrokenExecutor:
                    losses += 1
                except Exception as error:
                    return _Raised(error)
                finally:
                    executor.shutdown(cancel_futures=True)
        return Lost(shard)

    def _answering(self, jobs: int, stopped: Callable[[], bool]) -> Executor:
        """A new executor of which a worker has answered.

        Raises:
            WorkerError: No worker answers.
            BrokenExecutor: The work was stopped before one did.
            Exception: As the function raises that makes executors.
        """
        attempts = 0
        while True:
            attempts += 1
            try:
                executor = _asked(self.open_executor(jobs), stopped)
            except BrokenExecutor:
                if stopped():
                    raise
                if attempts >= (_ATTEMPTS if self._answered else _FIRST_ATTEMPTS):
                    raise WorkerError(
                        f"no worker of the engine answers, after {attempts} attempts",
                        remedy='see what the workers print; a script that has some needs `if __name__ == "__main__":`',
                    ) from None
            else:
                self._answered = True
                return executor


def _stamped(function: Callable[[ShardT], ResultT], stamp: _Stamp, shard: ShardT) -> _Stamped[ResultT]:
    """What a worker does with a shard: the result says which shard it is of."""
    return stamp, timed(function, shard)


def _unstamped(found: _Stamped[ResultT] | BaseException, stamp: _Stamp) -> tuple[ResultT | _Raised, float]:
    """The result in what an engine returned, an error unless it is of the call with this stamp; and the seconds."""
    match found:
        case BaseException() as error:
            return _Raised(error), 0.0
        case (other, (result, float(seconds))) if other == stamp:
            return result, seconds
    return _Raised(PluginError(f"the engine returned {found!a:.80} in place of the result of a call")), 0.0


def _nothing() -> None:
    """What a worker does when it is asked whether it is there."""


def _asked(executor: Executor, stopped: Callable[[], bool]) -> Executor:
    """The executor, once a worker of it has answered; else it is shut down."""
    try:
        _awaited(executor.submit(_nothing), stopped)
    except BaseException:
        executor.shutdown(cancel_futures=True)
        raise
    return executor


def _awaited(future: Future[ResultT], stopped: Callable[[], bool]) -> ResultT:
    """The result of a call; BrokenExecutor also if it is not to be waited for."""
    while not future.done() and not stopped():
        wait([future], _POLL)
    if not future.done() or future.cancelled():
        raise BrokenExecutor("the call was given up")
    return future.result()


def _result(found: Any) -> Any:
    if isinstance(found, _Raised):
        raise found.error
    return found
