"""How many processors there are for this process."""

import os


def usable_cores() -> int:
    """The processors that this process may use, where the system says so; else all of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
