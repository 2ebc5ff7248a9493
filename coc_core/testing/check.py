"""What a check is, and how it fails."""

from collections.abc import Callable

from attrs import frozen


class Nonconforming(AssertionError):
    """A part breaks a promise of its interface; the message says which, with the values at fault."""


@frozen
class Check:
    """A promise, `name`, in one line, `promise`, and the function that raises Nonconforming if it is broken."""

    name: str
    promise: str
    run: Callable[[], None]


def require(condition: bool, complaint: str) -> None:
    """Raises Nonconforming with `complaint` unless `condition` holds."""
    if not condition:
        raise Nonconforming(complaint)
