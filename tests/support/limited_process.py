"""A function run in a forked process, with limits, and without a trace of it afterwards."""

import contextlib
import os
import pickle
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from math import ceil
from pathlib import Path

MEMORY = 6 << 30  # bytes
_IN_MEMORY = Path("/dev/shm")
_leave = os._exit  # which a mutant may replace


class Forked:
    """A process that runs `task`; it may take so many seconds of processor time, and four times as long by the clock.

    What it prints is dropped, but for its errors unless it is `quiet`.
    """

    def __init__(self, task: Callable[[], object], seconds: float, *, quiet: bool = True) -> None:
        self._scratch = Path(tempfile.mkdtemp(prefix="coc-limited-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None))
        self._end = time.monotonic() + 4 * seconds + 10
        self._answer = self._scratch / "answer"
        self._pid = os.fork()
        if not self._pid:
            try:
                self._limit(seconds, quiet)
                self._answer.write_bytes(pickle.dumps(task()))
            except BaseException:
                (self._scratch / "error").write_text(traceback.format_exc())
            finally:
                _leave(0)

    def _limit(self, seconds: float, quiet: bool) -> None:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), resource.RLIM_INFINITY))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3 if quiet else 2):
            os.dup2(nothing, stream)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = str(self._scratch)

    def ended(self) -> bool:
        """Whether it has ended; if it takes too long, it has to."""
        late = time.monotonic() > self._end
        if late:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGXCPU)
        pid, status = os.waitpid(self._pid, 0 if late else os.WNOHANG)
        if not pid:
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)  # what it has started
        self.timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
        self.answer = pickle.loads(self._answer.read_bytes()) if self._answer.exists() else None
        error = self._scratch / "error"
        self.error = error.read_text() if error.exists() else ""
        shutil.rmtree(self._scratch, ignore_errors=True)
        return True


def at_once(
    jobs: int, tasks: Iterable[tuple[object, Callable[[], Forked]]], done: Callable[[object, Forked], None]
) -> None:
    """Runs so many at a time, and hands over each that has ended, with its name."""
    running: list[tuple[object, Forked]] = []

    def wait(most: int) -> None:
        while len(running) > most:
            ready = [each for each in running if each[1].ended()]
            for each in ready:
                running.remove(each)
                done(*each)
            if not ready:
                time.sleep(0.002)

    for name, begin in tasks:
        wait(jobs - 1)
        running.append((name, begin()))
    wait(0)
