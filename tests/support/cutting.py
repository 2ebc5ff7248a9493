"""Recorded runs in processes of their own that are cut off: killed at a moment or inside a write, or refused by the disk.

Each process is forked from this one, which has everything imported, so that it takes some ten milliseconds.
"""

import os
import random
import resource
import signal
import sqlite3
import sys
import time
from functools import cache
from pathlib import Path

import coc_core.cli.solve.run  # noqa: F401 — commands are imported when they are called, which a child must not do
from coc_core.cli import main
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.runfile import RunFile, chunk, database, writer

EXECUTORS = tuple(spec.name for spec in Registry.installed().specs(ExecutorSpec))
PLACES = [
    (domain, memory, arith, executor)
    for domain, settings in (
        ("hanoi", (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"), ("tape", "learned"))),
        ("blocksworld", (("tape", "inline"), ("pda", "symbolic"))),
    )
    for memory, arith in settings
    for executor in EXECUTORS
]
SIZES = {"hanoi": 5, "blocksworld": 14}
KILLED = -signal.SIGKILL


def command(place):
    domain, memory, arith, executor = place
    words = [
        "run",
        "-d",
        domain,
        "-m",
        memory,
        "-a",
        arith,
        "-x",
        executor,
        "-n",
        SIZES[domain],
        "--model",
        "reference",
    ]
    return [*map(str, words), *(["--arith-model", "reference"] if arith == "learned" else [])]


def begin_or_resume(place, path, prepare=lambda: None):
    """Runs `coc run --save` in a child, or `--resume` if the file is there; how it ended, as its code or -signal."""
    words = ["run", "--resume", str(path)] if path.exists() else [*command(place), "--save", str(path)]
    return wait(start(words, prepare))


def start(words, prepare=lambda: None):
    """A child that runs `coc` with small chunks and a commit for each step."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored from the start
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        chunk.MAX_STEPS, writer.COMMIT_INTERVAL, writer._QUICK, chunk.MAX_KNOWN = 16, 0.0, 0.0, 10
        prepare()
        code = main(words)
    except KeyboardInterrupt:  # outside of all that could tell it in one line
        code = 130
    finally:
        os._exit(code)


def wait(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(reason):
    """What SQLite says when the disk refuses."""

    def act():
        raise sqlite3.OperationalError(reason)

    return act


def fragile(at, act, after=False):
    """Prepares a child whose connection does something else at, or just after, its call number `at`."""

    def prepare():
        calls = 0

        class Fragile(sqlite3.Connection):
            def execute(self, *arguments):
                return self.counted(super().execute, arguments)

            def executemany(self, *arguments):
                return self.counted(super().executemany, arguments)

            def counted(self, call, arguments):
                nonlocal calls
                calls += 1
                if calls == at and not after:
                    act()
                result = call(*arguments)
                if calls == at and after:
                    act()
                return result

        database.connect = lambda path: sqlite3.connect(path, timeout=0, isolation_level=None, factory=Fragile)

    return prepare


def untidy():
    """Prepares a child that is killed when all is written, and would be moved from the log into the file."""

    class Untidy(sqlite3.Connection):
        def execute(self, statement, *arguments):
            if statement == database.MERGE_LOG:
                kill()
            return super().execute(statement, *arguments)

    def connect(path):
        new = Path(path).parent.name.startswith(".")  # the empty file of a new run is made in a folder of its own
        return sqlite3.connect(path, timeout=0, isolation_level=None, factory=sqlite3.Connection if new else Untidy)

    database.connect = connect


def short_of_room(size, deadly):
    """Prepares a child that can't write beyond `size` bytes of a file: it dies in that write, or the write fails."""

    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def at_a_moment(place, path, number, seconds):
    """Sends a signal to a run after a while; how it ended."""
    words = ["run", "--resume", str(path)] if path.exists() else [*command(place), "--save", str(path)]
    child = start(words)
    time.sleep(seconds)
    os.kill(child, number)
    return wait(child)


@cache
def uninterrupted(place):
    """The digest of the run that nothing happened to."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        assert begin_or_resume(place, path) == 0
        return digest(path)


def digest(path):
    with RunFile.open(path) as runfile:
        return runfile.digest()


WAYS = ("moment", "ctrl-c", "before a call", "after a call", "inside a write", "full disk", "broken disk", "no room")


def cut(place, path, way, rng):
    """Cut a run off in that way, somewhere; how it ended."""
    at = rng.randrange(1, 200 if path.exists() else 120)
    match way:
        case "moment":
            return at_a_moment(place, path, signal.SIGKILL, rng.uniform(0, 0.12))
        case "ctrl-c":
            return at_a_moment(place, path, signal.SIGINT, rng.uniform(0.02, 0.12))
        case "before a call":
            return begin_or_resume(place, path, fragile(at, kill))
        case "after a call":
            return begin_or_resume(place, path, fragile(at, kill, after=True))
        case "inside a write":
            return begin_or_resume(place, path, short_of_room(rng.randrange(1, 200_000), deadly=True))
        case "full disk":
            return begin_or_resume(place, path, fragile(at, refuse("database or disk is full")))
        case "broken disk":
            return begin_or_resume(place, path, fragile(at, refuse("disk I/O error"), after=rng.random() < 0.5))
        case "no room":
            return begin_or_resume(place, path, short_of_room(rng.randrange(1, 200_000), deadly=False))


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


def survive(place, path, rng, most=3):
    """Cut a run off one to `most` times, then let it end. How it was cut, as (way, end) pairs; AssertionError if it
    doesn't come to what it would have been."""
    ends = []
    for _ in range(rng.randint(1, most)):
        way = rng.choice(WAYS)
        end = cut(place, path, way, rng)
        assert end in ALLOWED[way], (place, way, end, ends)
        ends.append((way, end))
        if path.exists():
            with RunFile.open(path):
                pass  # what is there is whole, at each moment
    end = begin_or_resume(place, path)
    assert end == 0, (place, end, ends)
    assert digest(path) == uninterrupted(place), (place, ends)
    assert not list(path.parent.glob(f"{path.name}-*")), (place, ends)
    return ends


def seeded(number):
    return random.Random(f"kills {number}")
