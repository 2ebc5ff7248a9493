"""A noisy model behind an endpoint in a process of its own, which fails at times and counts what it receives."""

import signal
import time
from contextlib import contextmanager
from multiprocessing import get_context
from random import Random

from tests.support.fake_endpoint import completion, cut, endpoint, hang_up, refusal, slow
from tests.support.noisy_model import Noisy

SOON = {"retry-after-ms": "5"}
TROUBLES = {
    (429, "busy"): 8,
    (500, "out of order"): 8,
    cut: 4,
    hang_up: 4,
    slow(1.2): 1,
}
"""What goes wrong, with weights."""


@contextmanager
def noisy_endpoint(convention, seed=0, trouble=0.0, seconds=0.0, **noise):
    """Serves `Noisy(convention, **noise)` while the block runs; gives its address and the number of its requests.

    Each request is answered after `seconds`, by random numbers that depend on the seed and on how many came before it.
    """
    context = get_context("fork")
    received, (ours, theirs) = context.Value("q", 0), context.Pipe()

    def serve():
        model = Noisy(convention, **noise)

        def respond(body):
            with received.get_lock():
                received.value += 1
                number = received.value
            rng = Random(f"{seed} {number}")
            time.sleep(seconds)
            if rng.random() < trouble:
                (found,) = rng.choices(list(TROUBLES), list(TROUBLES.values()))
                return (found[0], refusal(found[1]), SOON) if isinstance(found, tuple) else found
            return 200, completion(model.respond(body["prompt"], f"{seed} {number}")), {}

        with endpoint(then=respond) as fake:
            theirs.send(fake.url)
            signal.pause()

    server = context.Process(target=serve, daemon=True)
    server.start()
    try:
        yield ours.recv(), received
    finally:
        server.terminate()
        server.join()
