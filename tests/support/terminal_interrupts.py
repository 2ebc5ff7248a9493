"""`coc` in a process group of its own, to which a terminal's Ctrl-C is sent while it works."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace


def interrupted(*words):
    """Runs `coc` until it has printed a line of progress, and then interrupts it and its workers.

    Gives its exit code, what it printed after that line, and how many seconds it still took.
    """
    child = subprocess.Popen(
        [sys.executable, "-m", "coc_core", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        line = child.stderr.readline()
        assert ": " in line, child.communicate()
        started = time.monotonic()
        os.killpg(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=180)
    finally:
        child.kill()
    return SimpleNamespace(code=child.returncode, out=out, err=err, seconds=time.monotonic() - started)
