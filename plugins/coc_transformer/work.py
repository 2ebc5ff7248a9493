"""What a network has computed: the processor time that it took, and for how many tokens."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from attrs import define


@define
class Work:
    """The work of a network so far.

    Attributes:
        seconds: The processor time that it took, with what waiting for its device took.
        tokens: How many tokens it read, with those of padding left out.
    """

    seconds: float = 0.0
    tokens: int = 0

    @contextmanager
    def reading(self, tokens: int) -> Iterator[None]:
        """Count the block as the network's reading of so many tokens."""
        # In a thread of its own, all but that thread does something else meanwhile.
        clock = time.process_time if current_thread() is main_thread() else time.thread_time
        started = clock()
        try:
            yield
        finally:
            self.seconds += clock() - started
            self.tokens += tokens
