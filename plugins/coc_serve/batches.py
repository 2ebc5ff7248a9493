"""Batches: what several clients want at the same time is computed in one call."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Generic, TypeVar

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
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
            batch = [(item, future) for item, future in batch if not future.done()]  # a client has given up
            try:
                results = await loop.run_in_executor(self._executor, self._call, [item for item, _ in batch])
            except Exception as error:
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)
