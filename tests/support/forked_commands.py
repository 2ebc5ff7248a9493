"""Children that run `coc` and are cut off: killed at a moment, at a call or inside a write, or refused by the disk.

Each is forked from this process, which has everything imported, so that it takes some ten milliseconds.
"""

import errno
import gc
import os
import random
import resource
import signal
import sys
import threading
import time
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from coc_core.cli import main

KILLED = -signal.SIGKILL
PATIENCE = 300
"""Seconds after which a child hangs."""

_CHANGING = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

ALLOWED = {
    "moment": {0, KILLED},
    "ctrl-c": {0, 130, -signal.SIGINT},
    "before a call": {0, KILLED},
    "after a call": {0, KILLED},
    "inside a write": {0, -signal.SIGXFSZ},
    "full disk": {0, 5},
    "broken disk": {0, 5},
    "no room": {0, 5},
}
"""The ways to cut a child off, and how it may end then: as its exit code, or as -signal."""


class Cut(NamedTuple):
    """How a child was cut off, and how it ended. `work` is the kind of its work."""

    work: str
    way: str
    end: int


def start(words, prepare=lambda: None):
    """A child that runs `coc` with these words; `prepare` is called in it before."""
    sys.stdout.flush()
    sys.stderr.flush()
    # An interrupt that comes before the child has begun must wait: it would leave this function as an exception, and the
    # child would go on as a second test process.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return child
    code = 70
    try:
        measure_nothing()
        gc.callbacks.clear()  # hypothesis has one, and an interrupt inside of it is lost
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored from the start
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        sys.dont_write_bytecode = True
        prepare()
        code = main(words)
    except KeyboardInterrupt:  # outside of all that could tell it in one line
        code = 130
    finally:
        os._exit(code)


def measure_nothing():
    """Take a child out of the measurement of coverage, which loses all of it anyway.

    An interrupt in the wrong moment would leave a lock of coverage taken, and the child would wait for it for ever.
    """
    sys.settrace(None)
    threading.settrace(None)


def wait(child):
    """How a child ended, as its exit code or -signal; one that hangs is aborted, and pytest prints its stack."""
    late = time.monotonic() + PATIENCE
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > late:
            os.kill(child, signal.SIGABRT)
            ended = os.waitpid(child, 0)
            break
        time.sleep(0.002)
    return os.waitstatus_to_exitcode(ended[1])


def at_a_moment(child, number, seconds):
    """Send a signal to a child after a while; how it ended."""
    time.sleep(seconds)
    os.kill(child, number)
    return wait(child)


def kill():
    """End this process as a loss of power would."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number):
    """What the file system says when it refuses."""

    def act():
        raise OSError(number, os.strerror(number))

    return act


def _changes(path, _mode, flags):
    """Whether opening a file with these flags may change one on a disk; a number stands for one that is open."""
    return bool(flags & _WRITING) and not isinstance(path, int) and not os.fsdecode(path).startswith("/dev/")


def fragile(at, act):
    """Prepare a child in which something else happens at its call number `at` that would change files."""

    def prepare():
        calls, ended = 0, False

        def count():
            nonlocal calls, ended
            calls += 1
            if calls == at:
                ended = True
                act()

        def hook(event, arguments):
            if not ended and (event in _CHANGING or (event == "open" and _changes(*arguments))):
                count()

        flush = os.fsync

        def fsync(descriptor):
            count()
            flush(descriptor)

        os.fsync = fsync
        sys.addaudithook(hook)

    return prepare


def short_of_room(size, deadly):
    """Prepare a child that can't write beyond `size` bytes of a file: it dies in that write, or the write fails."""

    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def cut(way, rng, run, *, calls, size, seconds):
    """Cut a child off in a way that `fragile` knows.

    Args:
        way: One of `ALLOWED`, except `after a call`, which is before the next one.
        rng: Draws the moment, the call or the size.
        run: Starts the child, given what prepares it.
        calls: About how many calls that change files it makes.
        size: About how many bytes its largest file has.
        seconds: About how long it takes.
    """
    at, room = rng.randint(1, calls), rng.randint(1, size)
    match way:
        case "moment":
            return at_a_moment(run(), signal.SIGKILL, rng.uniform(0, seconds))
        case "ctrl-c":
            return at_a_moment(run(), signal.SIGINT, rng.uniform(seconds / 5, seconds))
        case "before a call":
            return wait(run(fragile(at, kill)))
        case "full disk":
            return wait(run(fragile(at, refuse(errno.ENOSPC))))
        case "broken disk":
            return wait(run(fragile(at, refuse(errno.EIO))))
        case "inside a write" | "no room":
            return wait(run(short_of_room(room, deadly=way == "inside a write")))
    raise ValueError(way)


def times(rng):
    """How many times a piece of work is cut off."""
    return rng.randint(1, 3)


def survive(work, place, path, rng):
    """Cut some work off, then let it end. AssertionError if it doesn't come to what it would have, or leaves anything.

    Args:
        work: A module with `NAME`, `WAYS`, `cut`, `begin_or_resume`, `check` and `check_end`.
        place: What is done; one of the module's `PLACES`.
        path: Where the result goes, alone in its folder.
        rng: Draws how often and how it is cut off.

    Returns:
        The cuts.
    """
    cuts = []
    for _ in range(times(rng)):
        way = rng.choice(work.WAYS)
        end = work.cut(place, path, way, rng)
        cuts.append(Cut(work.NAME, way, end))
        assert end in ALLOWED[way], (place, cuts)
        work.check(place, path)
    end = work.begin_or_resume(place, path)
    assert end == 0, (place, end, cuts)
    work.check_end(place, path)
    left = [file.name for file in path.parent.iterdir() if file != path]
    assert not left, (place, left, cuts)
    return cuts


def seeded(number):
    """The random numbers of one piece of work."""
    return random.Random(f"kills {number}")


def table(cuts):
    """The counts of ways and ends, a row for each way and a column for each kind of work."""
    counts = Counter(cuts)
    works = list(dict.fromkeys(cut.work for cut in cuts))
    rows = sorted({(cut.way, cut.end) for cut in cuts})
    lines = [f"{'way':<16}{'end':>6}" + "".join(f"{work:>12}" for work in works)]
    for way, end in rows:
        found = "".join(f"{counts[Cut(work, way, end)]:>12,}" for work in works)
        lines.append(f"{way:<16}{end:>6}{found}")
    total = "".join(f"{sum(cut.work == work for cut in cuts):>12,}" for work in works)
    return "\n".join([*lines, f"{'together':<22}{total}"])


def compared(begin_or_resume, files):
    """How work that makes a folder is judged: `uninterrupted`, `check` and `check_end` of a module of such work.

    `files` gives what is compared of a folder. `check` takes the folder of either seed, or none; `check_end` wants that
    of the first.
    """

    @cache
    def uninterrupted(place, seed=0):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "whole"
            assert begin_or_resume(place, path, seed) == 0
            return files(path)

    def check(place, path):
        assert not path.exists() or files(path) in (uninterrupted(place), uninterrupted(place, seed=1)), place

    def check_end(place, path):
        assert files(path) == uninterrupted(place), place

    return uninterrupted, check, check_end
