"""What may stand where a regular file is meant, and processes that are killed."""

import os
import signal
import socket
import stat

from tests.support import forked_commands

KINDS = ("pipe", "socket", "device", "folder")


def put(path, kind):
    """Something at `path` that is not a regular file."""
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as one:
                here = os.open(".", os.O_RDONLY)  # the address of a socket may have 107 bytes only
                os.chdir(path.parent)
                one.bind(path.name)
                os.fchdir(here)
                os.close(here)
        case "device":
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        case "folder":
            path.mkdir()
    return path


def looks(path):
    """What is at `path`, so that one sees whether it was replaced."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_rdev


def killed(act):
    """Calls `act` in a process of its own, which `act` has to end by SIGKILL."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(1)
    assert forked_commands.wait(child) == forked_commands.KILLED


def die(*_arguments, **_options):
    """Ends this process as the machine's power would."""
    os.kill(os.getpid(), signal.SIGKILL)
