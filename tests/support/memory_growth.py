"""How much memory a piece of work takes at most, measured in a forked child."""

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple

MIB = 1 << 20
_SECONDS = 300  # after which the child is ended
_UNIT = 1024 if sys.platform == "linux" else 1  # of ru_maxrss, in bytes


class Growth(NamedTuple):
    """By how much the work made its process grow, in bytes; its processor seconds; the class and line of what it raised."""

    bytes: int
    seconds: float
    error: str


def growth(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> Growth:
    """Do this work in a child of this process, and something that is not counted before it.

    A child has the memory of its parent, except the pages of its libraries, which it gets as it uses them.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(_SECONDS)
        try:
            before()
            peak, started, error = _peak(), time.process_time(), ""
            try:
                kept = work()  # so that nothing is freed too early
            except Exception as caught:
                kept, error = None, f"{type(caught).__name__}: {caught}"
            seconds = time.process_time() - started
            os.write(writer, json.dumps([_peak() - peak, seconds, error]).encode())
            del kept
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        found = Growth(*json.loads(file.read()))
    os.waitpid(child, 0)
    return found


def _peak() -> int:
    return _UNIT * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
