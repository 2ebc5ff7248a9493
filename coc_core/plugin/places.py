"""The places that an exception passed through."""

import traceback
from collections.abc import Iterator
from types import FrameType


def places(error: BaseException) -> Iterator[tuple[str, str, FrameType]]:
    """The frames that an exception passed through, outermost first: the module's name, the place and the frame.

    A place is written `file:line in function`.
    """
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__")
        yield str(module), f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}", frame
