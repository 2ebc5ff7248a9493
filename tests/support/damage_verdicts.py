"""What becomes of a damaged file: how it is used, and how what it is used for is judged.

A verdict is one of

    refused     every use ended with exit code 2 or 3 and one line, or with an ArtefactError
    harmless    what was read is what was read before the damage
    equal       what was made from it (a run resumed, a training done) is what would have been made before
    announced   it differs, and that shows: see the kinds of artefacts
    note        only what nothing can check is another; such notes are claims, and shown as such
    WRONG       it differs, and was presented as good
    BROKEN      a traceback, a crash, an exit code that accuses somebody else, more time than allowed, or more than `MOST_BYTES`
"""

import io
import random
import resource
import signal
import time
import traceback
from collections import Counter
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

from coc_core.cli import main
from tests.support.cached_registry import remembered_plugins

MOST_SECONDS = 5.0
MOST_BYTES = 1 << 30
VERDICTS = ("refused", "harmless", "equal", "announced", "note", "WRONG", "BROKEN")
BAD = ("WRONG", "BROKEN")
REFUSED = {2, 3}
_USUAL = {0, 1, 2, 3, 6, 7, 130}


class Broken(BaseException):
    """A use that took too long, or ended as none may end."""


class Wrong(Exception):
    """A use that presented something else than the truth as good."""


class Done(NamedTuple):
    """What a command ended with."""

    code: int
    out: str
    err: str

    @property
    def refused(self):
        return self.code in REFUSED


def coc(*words):
    """Run `coc` in this process. Broken for an exit code or a message that no file can be worth."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([str(word) for word in words])
    done = Done(code, out.getvalue(), err.getvalue())
    if code not in _USUAL:
        raise Broken(f"`coc {words[0]}` ended with {code}: {done.err.strip()[-600:]}")
    if done.refused:
        lines = [line for line in done.err.splitlines() if not line.startswith(("coc: warning:", "coc: note:"))]
        if len(lines) != 1 or not lines[0].startswith("coc: error: ") or not lines[0].isprintable():
            raise Broken(f"`coc {words[0]}` ended with {code} and {done.err[-600:]!r}")
    return done


@contextmanager
def bounded(most_seconds=MOST_SECONDS):
    """Broken for what takes too long or too much memory."""

    def late(_number, _frame):
        raise Broken(f"it took more than {12 * most_seconds:g} s")

    before, peak = signal.signal(signal.SIGALRM, late), _reset_peak()
    signal.setitimer(signal.ITIMER_REAL, 12 * most_seconds)  # the machine may be busy: its own time is looked at below
    started = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if (seconds := time.process_time() - started) > most_seconds:
        raise Broken(f"it took {seconds:.1f} s, where {most_seconds:.1f} s are allowed")
    if (grown := _peak() - peak) > MOST_BYTES:
        raise Broken(f"it took {grown:,} bytes")


def _reset_peak():
    """Set the kernel's mark of the most memory to what is in use now; gives it."""
    with suppress(OSError):  # without it the mark can only rise, and a rise is still seen once
        Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak():
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * 1024


class Damage(NamedTuple):
    """What was done to an artefact: to which one, to which of its files, how, and whether its sums were made right."""

    genuine: Any
    file: str
    text: str
    sealed: bool = False


class Case(NamedTuple):
    """One damaged artefact.

    `damage` is `flip` or `edit`, `file` what was damaged, `text` how, `verdict` what became of it, and `reason` why, if
    it is wrong or broken.
    """

    kind: str
    damage: str
    file: str
    text: str
    verdict: str
    reason: str = ""


def judged(work, genuines, kind, folder, rng, most_seconds=MOST_SECONDS):
    """Damage an artefact and use it.

    Args:
        work: A module with `NAME`, `damage` and `use`.
        genuines: What its `make` gave.
        kind: `flip` or `edit`.
        folder: An empty folder.
        rng: Draws the artefact and the damage.
        most_seconds: How much of a processor's time it may take.
    """
    damage = work.damage(genuines, kind, folder, rng)
    try:
        with bounded(most_seconds):
            verdict, reason = work.use(damage, folder), ""
    except Wrong as error:
        verdict, reason = "WRONG", str(error)
    except Broken as error:
        verdict, reason = "BROKEN", str(error)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        verdict, reason = "BROKEN", f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
    return Case(work.NAME, kind, damage.file, damage.text, verdict, reason)


def survey(work, folder, count, seed=0):
    """The cases of some flips and as many edits, with fixed seeds.

    A case may take a few times as long as making all the genuine artefacts, which a slow processor slows as much.
    """
    (folder / "make").mkdir()
    with remembered_plugins():
        started = time.process_time()
        genuines, cases = work.make(folder / "make"), []
        most_seconds = max(MOST_SECONDS, 5 * (time.process_time() - started))
        for kind in ("flip", "edit"):
            for number in range(count):
                place = folder / f"{kind}{number}"
                place.mkdir()
                rng = random.Random(f"{seed} {kind} {number}")
                cases.append(judged(work, genuines, kind, place, rng, most_seconds))
    return cases


def bad(cases):
    """Those of which something wrong was believed, or something broke."""
    return [case for case in cases if case.verdict in BAD]


def table(cases):
    """A row for each kind of artefact and of damage, a column for each verdict."""
    counts = Counter((case.kind, case.damage, case.verdict) for case in cases)
    rows = sorted({(case.damage, case.kind) for case in cases}, reverse=True)
    lines = [f"{'':<7}{'of':<13}" + "".join(f"{verdict:>11}" for verdict in VERDICTS) + f"{'together':>11}"]
    for damage, kind in rows:
        found = [counts[kind, damage, verdict] for verdict in VERDICTS]
        lines.append(f"{damage:<7}{kind:<13}" + "".join(f"{count:>11,}" for count in [*found, sum(found)]))
    return "\n".join(lines)
