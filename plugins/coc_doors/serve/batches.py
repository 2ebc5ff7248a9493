"""Batches: what several clients want at the same time is computed in one call."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

_PAUSE = 0.001
"""Seconds in which a client that has its answer can send the next request."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class Batcher(Generic[ItemT, ResultT]):
    """Merges items that wait at the same time into calls, one after the other.

    While a call is under way, more items arrive, so batches grow with the number of clients.

    Args:
        call: Gives the result of each item. It is called in a thread of the executor.
        executor: Where it is called.
        most: The largest number of items of a call.
    """

    def __init__(self, call: Callable[[Sequence[ItemT]], Sequence[ResultT]], executor: Executor, most: int) -> None:
        self._call = call
        self._executor = executor
        self._most = most
        self._waiting: deque[tuple[ItemT, asyncio.Future[ResultT]]] = deque()
        self._worker: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many items wait, those of the call under way left out."""
        return len(self._waiting)

    async def results(self, items: Sequence[ItemT]) -> list[ResultT]:
        """The results of items; raises what the call raises."""
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[ResultT]] = [loop.create_future() for _ in items]
        self._waiting.extend(zip(items, futures, strict=True))
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._work())
        return await asyncio.gather(*futures)

    async def _work(self) -> None:
        while self._waiting:
            await self._settled()
            batch = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
            await self._compute([(item, future) for item, future in batch if not future.done()])

    async def _settled(self) -> None:
        """Wait until no more items arrive: clients that have just been answered send their next requests together."""
        seen = 0
        while seen < len(self._waiting) < self._most:
            seen = len(self._waiting)
            await asyncio.sleep(_PAUSE)

    async def _compute(self, batch: Sequence[tuple[ItemT, asyncio.Future[ResultT]]]) -> None:
        """Compute a batch; one that fails is bisected, so that a client gets no error that others have caused."""
        items = [item for item, _ in batch]
        try:
            results = await asyncio.get_running_loop().run_in_executor(self._executor, self._call, items)
        except Exception as error:
            middle = len(batch) // 2
            if middle:
                await self._compute(batch[:middle])
                await self._compute(batch[middle:])
            elif batch and not batch[0][1].done():
                batch[0][1].set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():  # else its client has given up
                future.set_result(result)
