"""What a network has computed: the processor time that it took, and for how many tokens."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

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
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds += time.process_time() - started
            self.tokens += tokens
