"""What shards are made of, and how a worker goes about one."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import groupby, islice
from threading import Lock
from typing import ParamSpec, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")

_working = Lock()
_not_working: ContextVar[float] = ContextVar("not_working", default=0.0)
"""The seconds of the call under way that are not for its shard."""


def in_shards(
    items: Iterable[ItemT], most: int, kind: Callable[[ItemT], object] = lambda _: None
) -> Iterator[list[ItemT]]:
    """Items in shards of one kind each, in their order; they are taken as they are needed.

    Args:
        items: The items; those of a kind stand together.
        most: How many items a shard may have.
        kind: What the items of a shard have in common.
    """
    for _, group in groupby(items, kind):
        while shard := list(islice(group, most)):
            yield shard


def one_at_a_time(work: Callable[Arguments, ResultT]) -> Callable[Arguments, ResultT]:
    """Make a function of which a process has one call under way, since an engine may make several in its threads."""

    @wraps(work)
    def alone(*arguments: Arguments.args, **named: Arguments.kwargs) -> ResultT:
        with not_working():
            _working.acquire()
        try:
            return work(*arguments, **named)
        finally:
            _working.release()

    return alone


def timed(work: Callable[[ItemT], ResultT], shard: ItemT) -> tuple[ResultT, float]:
    """What a function returns for a shard, and the seconds that one process would need for it, too."""
    _not_working.set(0.0)
    started = time.monotonic()
    return work(shard), time.monotonic() - started - _not_working.get()


@contextmanager
def not_working() -> Iterator[None]:
    """Don't count the seconds of the block, in which a worker waits, or opens what its parent has opened, too."""
    started = time.monotonic()
    try:
        yield
    finally:
        _not_working.set(_not_working.get() + time.monotonic() - started)
