"""Finding that a run never halts, by Brent's method."""

import sys
from typing import Any, NamedTuple


class Anchor(NamedTuple):
    """An earlier point of a run, with which each later one is compared.

    The anchor moves up at the 1st, 2nd, 4th, 8th … step, and when the run can't come back to it. So a run that goes
    round is found after a number of steps that is at most a constant factor more than its cycle needs.

    Attributes:
        level: The first part of the memory's `key`; no level since was lower.
        value: The second part.
        until: The step before which the anchor moves up.
    """

    level: int = sys.maxsize
    value: Any = None
    until: int = 0

    def after(self, steps: int, level: int, value: Any) -> "Anchor | None":
        """Return the anchor for the next step, or None if the run provably never halts.

        Args:
            steps: The number of steps taken.
            level: The first part of the memory's `key` now.
            value: The second part.
        """
        is_due, is_lower = steps >= self.until, level < self.level
        if not is_lower and value == self.value and (level < 0 or not is_due):
            return None
        if not is_due and not is_lower:
            return self
        until = self.until
        if level < 0:  # it never rises again, so all before this step is of no use
            until = 2 * steps + 1
        elif is_due:
            until = (1 << (steps + 1).bit_length()) - 1  # the next power of two, counted from 1
        return tuple.__new__(Anchor, (level, value, until))  # Anchor(...), but twice as fast
