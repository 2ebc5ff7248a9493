"""Workers that are killed at random while a block of a test runs."""

import os
import random
import signal
import threading
from contextlib import contextmanager


@contextmanager
def killing(workers, most, seed, least_pause, pause):
    """Kill one of `workers()`, process ids, now and then, `most` times at most; gives the list of those killed.

    The pauses are random, of `least_pause` to `least_pause + pause` seconds.
    """
    rng, over, killed = random.Random(seed), threading.Event(), []

    def kill():
        while len(killed) < most and not over.wait(rng.random() * pause + least_pause):
            if found := workers():
                killed.append(rng.choice(found))
                os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        over.set()
        killer.join()
