"""Shards of work for workers: processes on this machine.

The results come in the order of the shards, whatever the number of workers and the order in which they finish. A shard
whose worker is lost is done again, and so are those beside it, which a lost worker takes down, too: each by itself. One
that then loses its worker again and again is given up, and the rest goes on.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from itertools import groupby, islice
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from coc_core.errors import CocError, PluginError, WorkerError
from coc_core.plugin import plugin_at_fault, plugin_frame
from coc_core.text import described

ItemT = TypeVar("ItemT")
ShardT = TypeVar("ShardT")
ResultT = TypeVar("ResultT")

_POLL = 0.2
"""Seconds from one look at whether to stop to the next."""
_LOST_ALONE = 3
"""How often a shard may lose its worker by itself before it is given up."""
_ATTEMPTS = 3
"""How many times in a row workers are started that are lost before they answer; ten times as many if some did once."""


@frozen
class Lost(Generic[ShardT]):
    """A shard that was given up, since each worker that tried it was lost."""

    shard: ShardT


def worker_error(
    what: str, first: str = "", remedy: str = "choose fewer --jobs, or none, to see what happens"
) -> WorkerError:
    """Return the error about shards that were given up: `what` was not done, and the first of it."""
    named = f", the first of them {first}" if first else ""
    return WorkerError(f"{what}, since every worker that tried was lost{named}", remedy=remedy)


def in_shards(
    items: Iterable[ItemT], most: int, kind: Callable[[ItemT], object] = lambda _: None
) -> Iterator[list[ItemT]]:
    """Yield items in shards of one kind each, in order, as they are needed; those of a kind stand together."""
    for _, group in groupby(items, kind):
        while shard := list(islice(group, most)):
            yield shard


@frozen
class _Raised:
    error: Exception


@define
class Pool:
    """Workers. Close it at the end, or use it as a context manager.

    Args:
        open_executor: Opens an executor for a number of jobs. What is under way when it is closed ends, and a call
            whose worker is lost raises BrokenExecutor or CancelledError.
        jobs: How many calls are under way at a time.
    """

    open_executor: Callable[[int], AbstractContextManager[Executor]]
    jobs: int
    _executor: Executor | None = field(default=None, init=False)
    _answered: bool = field(default=False, init=False)
    _opened: ExitStack = field(factory=ExitStack, init=False)

    def map(
        self,
        function: Callable[[ShardT], ResultT],
        shards: Iterable[ShardT],
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[ResultT | Lost[ShardT]]:
        """Call a function with each shard, both picklable; gives the results in the order of the shards.

        It takes shards as needed.
        When it is `stopped`, the calls under way are abandoned, and no further result is given.

        Raises:
            PluginError: Code of a plugin raised for the first shard for which there was an exception.
            Exception: As the function raised for it.
        """
        call, upcoming, following = partial(_called, function), enumerate(shards), 0
        pending: dict[Future[ResultT | _Raised], tuple[int, ShardT]] = {}
        done: dict[int, ResultT | Lost[ShardT] | _Raised] = {}
        try:
            while not stopped():
                while following in done:
                    yield _result(done.pop(following))
                    following += 1
                lost: list[tuple[int, ShardT]] = []
                while not lost and len(pending) < 2 * self.jobs and len(pending) + len(done) < 8 * self.jobs:
                    if (item := next(upcoming, None)) is None:
                        break
                    try:
                        pending[self.open().submit(call, item[1])] = item
                    except BrokenExecutor:
                        lost.append(item)
                if not pending and not lost:
                    return
                for future in wait(pending, _POLL, FIRST_COMPLETED).done:
                    index, shard = pending.pop(future)
                    try:
                        found: ResultT | _Raised = _found(future)
                        done[index] = found
                    except BrokenExecutor:
                        lost.append((index, shard))
                if lost:
                    self.close()
                    for index, shard in [*lost, *pending.values()]:
                        done[index] = self._alone(call, shard, stopped)
                    pending.clear()
        finally:
            if pending:
                self.close()

    def open(self) -> Executor:
        """Return the executor, made where there is none; WorkerError if no worker answers, or what making it raises."""
        attempts = 0
        while self._executor is None:
            if attempts == _ATTEMPTS * (10 if self._answered else 1):
                raise WorkerError(
                    f"no worker answers, after {attempts} attempts",
                    remedy='see what the workers print; a script that has some needs `if __name__ == "__main__":`',
                )
            attempts += 1
            with suppress(BrokenExecutor), ExitStack() as opened:
                executor = opened.enter_context(self.open_executor(self.jobs))
                _found(executor.submit(int))
                self._executor, self._opened, self._answered = executor, opened.pop_all(), True
        return self._executor

    def close(self) -> None:
        """End the workers, and whatever they are doing."""
        self._executor = None
        self._opened.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _alone(
        self, call: Callable[[ShardT], ResultT | _Raised], shard: ShardT, stopped: Callable[[], bool]
    ) -> ResultT | Lost[ShardT] | _Raised:
        """Return the result for a shard that no other worker can take down."""
        for _ in range(_LOST_ALONE):
            try:
                future = self.open().submit(call, shard)
                while not future.done():
                    if stopped():
                        self.close()
                        return Lost(shard)  # which nobody hears of
                    wait([future], _POLL)
                return _found(future)
            except BrokenExecutor:
                self.close()
        return Lost(shard)


def _called(function: Callable[[ShardT], ResultT], shard: ShardT) -> ResultT | _Raised:
    """Return what a worker does with a shard: an exception is a result that can be pickled, whatever is in it."""
    try:
        with attributed():
            return function(shard)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return _Raised(RuntimeError(f"{type(error).__name__}: {error}"))
        return _Raised(error)


def _found(future: Future[ResultT]) -> ResultT | _Raised:
    """Return the result of a call that has ended, or why there is none; BrokenExecutor if its worker was lost."""
    try:
        return future.result()
    except (BrokenExecutor, CancelledError) as error:
        raise BrokenExecutor("the worker was lost") from error
    except Exception as error:
        return _Raised(error)


def _result(found: Any) -> Any:
    if isinstance(found, _Raised):
        raise found.error
    return found


@contextmanager
def attributed() -> Iterator[None]:
    """Name the plugin and the place in errors that leave the process, and so lose their frames.

    PluginError if code of a third-party plugin raised an exception; another one is raised as it was.
    """
    try:
        yield
    except PluginError as error:
        error.where = plugin_frame(error) or ""
        raise
    except CocError:
        raise
    except Exception as error:
        plugin = plugin_at_fault(error)
        if plugin is None:
            raise
        named = PluginError(f"the plugin {plugin} raised {described(error)}")
        named.where = plugin_frame(error) or ""
        raise named from error
