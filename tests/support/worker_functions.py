"""What the workers of a pool do in tests: functions that another process can import."""

import os
import signal
import time
from pathlib import Path


def square(number):
    return number * number


def slow_square(number):
    time.sleep(0.05)
    return number * number


def fail_at_seven(number):
    if number in (7, 9):
        raise ValueError(f"not {number}")
    return number


def die_at(fatal, number):
    """Lose the worker at one number, each time."""
    if number == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_once(folder, number):
    """Lose the worker at each fifth number, the first time that it comes."""
    mark = Path(folder) / str(number)
    if number % 5 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def threads(_number):
    return os.environ.get("OMP_NUM_THREADS")
