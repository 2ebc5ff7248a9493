"""Exceptions that other people's code raises: where they come from, and what they say in one line."""

import traceback
from collections.abc import Iterator
from types import FrameType

from attrs import Attribute

_LONGEST = 500  # characters


def message_of(error: BaseException) -> str:
    """Return the message of an exception in one line, cut after 500 characters; its class if it has no message."""
    try:
        # A validator of attrs adds its objects to the message; `str` would show them all.
        text = str(error.args[0] if is_validation_error(error) else error)
    except BaseException as failure:
        return f"{type(error).__name__}, whose message can't be shown: its __str__ raised {type(failure).__name__}"
    text = " ".join(text[: 4 * _LONGEST].split())
    return (text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "...") or type(error).__name__


def described(error: BaseException) -> str:
    """Return the class and the message of an exception, as the last line of a traceback shows them."""
    name, message = type(error).__name__, message_of(error)
    return message if message.startswith(name) else f"{name}: {message}"


def is_validation_error(error: BaseException) -> bool:
    """Return whether a validator of an attrs class raised the exception."""
    return any(isinstance(argument, Attribute) for argument in error.args[1:])


def places(error: BaseException) -> Iterator[tuple[str, str, FrameType]]:
    """Yield the frames that an exception passed through, outermost first: the module's name, the place and the frame.

    A place is written `file:line in function`.
    """
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__")
        yield str(module), f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}", frame
