"""The command `coc` in a process with streams of its own: closed ones, full ones, some that nobody reads.

The process is forked from this one, which has everything imported; what Python does at its start and at its end is
done by hand.
"""

import os
import signal
import sys
from tempfile import TemporaryFile
from types import SimpleNamespace

import coc_view.commands.trace  # noqa: F401 — commands are imported when they are called, which a child must not do
from coc_core.__main__ import main
from tests.support import forked_commands

CLOSED, FULL, LEFT = "closed", "full", "left"


def coc(*arguments, stdin=None, stdout=None, stderr=None, encoding="utf-8", interrupts=signal.default_int_handler):
    """Runs `coc`; each stream is read by us, or in one of the three states above. Gives code, stdout and stderr."""
    with TemporaryFile() as out, TemporaryFile() as err:
        child = os.fork()
        if not child:
            _child(list(map(str, arguments)), (stdin, stdout, stderr), (out, err), encoding, interrupts)
        code = forked_commands.wait(child)
        texts = [file.seek(0) or file.read().decode(encoding) for file in (out, err)]
    return SimpleNamespace(code=code, out=texts[0], err=texts[1])


def _child(arguments, states, files, encoding, interrupts):
    code = 99
    try:
        forked_commands.measure_nothing()
        signal.signal(signal.SIGINT, interrupts)
        for number, state in enumerate(states):
            os.dup2(_opened(state, files[number - 1] if number else None), number)
        for number, state in enumerate(states):
            if state == CLOSED:
                os.close(number)
        sys.stdin, sys.stdout, sys.stderr = map(_stream, range(3), states, (encoding,) * 3)
        sys.argv = ["coc", *arguments]
        code = main()
        code = _end(code)
    finally:
        os._exit(code)


def _stream(number, state, encoding):
    """What Python makes of a descriptor."""
    if state == CLOSED:
        return None
    errors = "backslashreplace" if number == 2 else "strict"
    return os.fdopen(number, "w" if number else "r", encoding=encoding, errors=errors)


def _opened(state, file):
    if state == FULL:
        return os.open("/dev/full", os.O_RDWR)
    if state == LEFT:
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    return os.open(os.devnull, os.O_RDWR) if file is None else file.fileno()


def _end(code):
    """What Python does last: where a stream can't be flushed, it says so and leaves with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            code = 120
    return code
