"""What the workers of a pool do in tests: functions that another process can import."""

import os
import signal
import threading
import time

loaded = []
"""What a process has put here."""


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


def threads(_number):
    return os.environ.get("OMP_NUM_THREADS")


def what_is_loaded(_number):
    return loaded


def start_thread():
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def return_lambda(_number):
    return lambda: 0


def raise_lambda(_number):
    raise ValueError(lambda: 0)
