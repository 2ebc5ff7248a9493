"""What shards are made of, and how a worker goes about one."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import groupby, islice
from threading import Lock
from typing import ParamSpec, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
Arguments = ParamSpec("Arguments")

_working = Lock()


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
        with _working:
            return work(*arguments, **named)

    return alone
