"""The commands `coc`, `python` and `pytest` without the time that their start takes, for a shell to find on its PATH.

Each is forked from a process that has imported what coc depends on, and nothing of coc itself: what a command imports of
coc, and where it finds it, is what it would be in a process of its own. A small script in its place hands over its
arguments, folder, environment and streams, passes signals on, and ends as the command does.

Run as a program, this file is that process: `python warm_commands.py SOCKET`, where SOCKET is the number of an open one
that listens. It ends when its stdin does.
"""

import atexit
import gc
import marshal
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

NAMES = ("coc", "python", "pytest")

_SCRIPT = """#!{python} -IS
import marshal, os, signal, socket, sys

line = socket.socket(socket.AF_UNIX)
line.connect({address!r})
request = marshal.dumps((sys.argv, os.getcwd(), dict(os.environ)))
socket.send_fds(line, [len(request).to_bytes(4)], [0, 1, 2])
line.sendall(request)
command = int.from_bytes(line.recv(4))
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(command, number))
os._exit((line.recv(1) or bytes([128 + signal.SIGKILL]))[0])
"""


@cache
def folder() -> Path:
    """A folder with the three commands, for the PATH of a shell; it and what is behind it end with this process."""
    place = Path(tempfile.mkdtemp(prefix="warm"))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place / "socket"))
        listening.listen(64)
        behind = subprocess.Popen(
            [sys.executable, __file__, str(listening.fileno())],
            stdin=subprocess.PIPE,
            env={**os.environ, "PYTHONUTF8": "1"},
            pass_fds=[listening.fileno()],
        )

    @atexit.register
    def end() -> None:
        behind.communicate()
        shutil.rmtree(place)

    for name in NAMES:
        script = place / name
        script.write_text(_SCRIPT.format(python=sys.executable, address=str(place / "socket")), "utf-8")
        script.chmod(0o755)
    return place


def _serve(listening: socket.socket) -> None:
    """Fork a process for each command."""
    commands = set()
    while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
        line, _ = listening.accept()
        if not (command := os.fork()):
            listening.close()
            _become(line)
        line.close()
        commands.add(command)
        commands -= {each for each in commands if os.waitpid(each, os.WNOHANG)[0]}  # each tells its script how it ends
    for command in commands:  # a server that a page left behind
        os.kill(command, signal.SIGKILL)
        os.waitpid(command, 0)


def _become(line: socket.socket) -> NoReturn:
    """Be a command: take what its script sends, run it, and tell the script its exit code."""
    size, streams, _, _ = socket.recv_fds(line, 4, 3)
    request = b""
    while len(request) < int.from_bytes(size):
        request += line.recv(2**16)
    sys.argv, place, environment = marshal.loads(request)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(environment)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    before = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = dict.fromkeys([*filter(None, before), *sys.path])
    hide(frozenset(environment.get("HIDDEN_MODULES", "").split()))
    line.sendall(os.getpid().to_bytes(4))
    code = 1
    try:
        code = _run()
    finally:
        line.sendall(bytes([code]))
        os._exit(code)


def _run() -> int:
    """Run the command and do what Python does at its end; gives the exit code."""
    code = 0
    try:
        _call(Path(sys.argv[0]).name)
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else int(exit.code is not None)
        if code and not isinstance(exit.code, int):
            print(exit.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    return code & 255


def _call(name: str) -> None:
    if name == "coc":
        from coc_core.__main__ import main

        sys.exit(main())
    if name == "pytest":
        import pytest

        sys.exit(pytest.console_main())
    del sys.argv[0]
    if sys.argv[0] == "-c":
        code = sys.argv.pop(1)
        sys.path.insert(0, "")
        exec(code, {"__name__": "__main__"})
    elif sys.argv[0] == "-m":
        del sys.argv[0]
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(sys.argv[0]).parent.absolute()))
        runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    for name in ("sqlite3", "attrs", "numpy.random", "rich.progress", "tokenizers", "torch", "typer", "urllib.request"):
        import_module(name)
    from hidden_modules import hide

    sys.path.pop(0)  # the folder of this file
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
