"""What the tasks of a test do: quick things that leave a trace."""

import os
from pathlib import Path

from coc_core.errors import StorageError, UsageError


def count(folder, needs, start=0, log=None):
    """One more than the results before it; each call is noted in the file `log`."""
    if log:
        with Path(log).open("a") as file:
            file.write(f"{start}\n")
    (folder / "seen.txt").write_text("here")
    return start + 1 + sum(done.result for done in needs.values())


def count_in_set(folder, needs):
    return {1}


def divide(folder, needs):
    return 1 / 0


def refuse(folder, needs):
    raise UsageError("it makes no sense", remedy="try another")


def full(folder, needs):
    raise StorageError("no space is left")


def interrupted(folder, needs):
    """As a training is by Ctrl-C, once it has stored a snapshot."""
    raise KeyboardInterrupt


def die(folder, needs):
    os._exit(1)
