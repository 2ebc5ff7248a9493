"""Recorded runs that are cut off. What is in the file is a run at each moment."""

import sqlite3
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import coc_core.cli.solve.run  # noqa: F401 — commands are imported when they are called, which a child must not do
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.runfile import RunFile, chunk, database, writer
from tests.support import forked_commands
from tests.support.forked_commands import kill, wait

NAME = "runs"
WAYS = ("moment", "ctrl-c", "before a call", "after a call", "inside a write", "full disk", "broken disk", "no room")

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


def command(place):
    domain, memory, arith, executor = place
    words = f"run -d {domain} -m {memory} -a {arith} -x {executor} -n {SIZES[domain]} --model reference".split()
    return [*words, *(["--arith-model", "reference"] if arith == "learned" else [])]


def begin_or_resume(place, path, prepare=lambda: None):
    """Runs `coc run --save` in a child, or `--resume` if the file is there; how it ended, as its code or -signal."""
    return wait(_child(place, path, prepare))


def _child(place, path, prepare):
    return start(["run", "--resume", str(path)] if path.exists() else [*command(place), "--save", str(path)], prepare)


def start(words, prepare=lambda: None):
    """A child that runs `coc` with small chunks and a commit for each step."""

    def prepare_all():
        chunk.MAX_STEPS, writer.COMMIT_INTERVAL, writer._QUICK, chunk.MAX_KNOWN = 16, 0.0, 0.0, 10
        prepare()

    return forked_commands.start(words, prepare_all)


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


@cache
def uninterrupted(place):
    """The digest of the run that nothing happened to."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        assert begin_or_resume(place, path) == 0
        return digest(path)


def digest(path):
    with RunFile.open(path) as runfile:
        return runfile.digest()


def cut(place, path, way, rng):
    """Cut a run off in that way, somewhere; how it ended. Calls are those to the database."""
    at = rng.randrange(1, 200 if path.exists() else 120)
    match way:
        case "before a call":
            return begin_or_resume(place, path, fragile(at, kill))
        case "after a call":
            return begin_or_resume(place, path, fragile(at, kill, after=True))
        case "full disk":
            return begin_or_resume(place, path, fragile(at, refuse("database or disk is full")))
        case "broken disk":
            return begin_or_resume(place, path, fragile(at, refuse("disk I/O error"), after=rng.random() < 0.5))
    return forked_commands.cut(
        way, rng, lambda prepare=lambda: None: _child(place, path, prepare), calls=1, size=200_000, seconds=0.12
    )


def check(place, path):
    if path.exists():
        with RunFile.open(path):
            pass  # what is there is whole, at each moment


def check_end(place, path):
    assert digest(path) == uninterrupted(place), place
