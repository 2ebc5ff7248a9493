"""Reading a file that may not be trusted, or text that the user hands over; flushing; telling files apart."""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader, TextIOWrapper
from itertools import combinations
from pathlib import Path
from typing import IO

from coc_core.errors import ArtefactError, StorageError, UsageError

_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", re.ASCII)

Files = Mapping[str, Sequence[Path]]
"""Files by the options that name them."""


def open_regular(path: Path, most: int, *, links: bool = True) -> BufferedReader:
    """Open a regular file for reading. A folder, pipe, socket or device is refused at once, never waited for.

    OSError, with a reason in `strerror`, also for more than `most` bytes, or a symbolic link where `links` is false.
    """
    check_name(path)
    # Opening a device can have effects, and opening a pipe wakes its writer, so its kind is looked at before, too.
    _check_regular(path.stat(follow_symlinks=links), most)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(path, flags if links else flags | os.O_NOFOLLOW)
    try:
        _check_regular(os.fstat(descriptor), most)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_bytes(path: Path, max_bytes: int, *, links: bool = True) -> bytes:
    """Return the content of a regular file, which may be a symbolic link only if `links` is true.

    ArtefactError if it is no regular file, has more than `max_bytes` bytes, can't be read, or grows meanwhile.
    """
    try:
        with open_regular(path, max_bytes, links=links) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(size + 1)
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None
    if len(data) > size:
        raise ArtefactError(f"can't read {path}: it is being written", remedy="try again later")
    return data


def check_name(path: Path) -> None:
    """Raise OSError for a path that no file can have."""
    try:
        if b"\0" in os.fsencode(path):
            raise OSError(errno.EINVAL, "its name contains a null byte")
    except UnicodeEncodeError:
        raise OSError(errno.EILSEQ, "its name can't be encoded") from None


def absolute(path: Path) -> Path:
    """Return the path from the root; OSError if no file can have it, StorageError if the current folder is gone."""
    check_name(path)
    try:
        return path.absolute()
    except OSError as error:  # of looking for the current folder
        reason = "no longer exists" if error.errno == errno.ENOENT else f"can't be found: {error.strerror}"
        raise StorageError(f"the current folder {reason}", remedy="change to another one") from None


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk; after an OSError it must not be tried again."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_regular(found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if found.st_size > most:
        raise OSError(errno.EFBIG, f"it has {found.st_size:,} bytes, and at most {most:,} are allowed")


@contextmanager
def open_source(source: str, most: int, kind: str) -> Iterator[IO[str]]:
    """Open a text for reading; UsageError if it can't be read or, in the block too, is not text.

    Args:
        source: The path of a regular file, or `-` for standard input. The path of an open descriptor, `/dev/fd/63`, is
            read as standard input is, so that a shell's `<(command)` can be given.
        most: The largest size that a file may have, in bytes.
        kind: What the text is called in error messages.
    """
    try:
        if source in ("-", "/dev/stdin"):
            yield sys.stdin
        else:
            with TextIOWrapper(_opened(source, most), encoding="utf-8") as text:
                yield text
    except OSError as error:
        raise UsageError(f"can't read the {kind} {source}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the {kind} {source} is not text") from None


def _opened(source: str, most: int) -> IO[bytes]:
    number = _DESCRIPTOR.fullmatch(source)
    return open_regular(Path(source), most) if number is None else os.fdopen(os.dup(int(number[1])), "rb")


def check_distinct(written: Files, read: Files) -> None:
    """Raise UsageError if a file that will be written is also written or read through another option.

    Links and other folders' names for the same file are seen.
    """
    named = [(option, path, True) for option, paths in written.items() for path in paths]
    named += [(option, path, False) for option, paths in read.items() for path in paths]
    for (one, path, is_written), (other, another, _) in combinations(named, 2):
        if is_written and one != other and same_file(path, another):
            raise UsageError(
                f"{one} and {other} name the same file, {path}", remedy="choose another file for one of them"
            )


def same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same file, or would if they existed."""
    with suppress(OSError, ValueError):  # at least one of them does not exist
        return one.samefile(other)
    with suppress(OSError, ValueError):  # no file can have that name, or the current folder no longer exists
        return os.path.realpath(one) == os.path.realpath(other)
    return False
