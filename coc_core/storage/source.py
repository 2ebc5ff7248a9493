"""Text that the user hands over: a file, standard input, or an open descriptor."""

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from coc_core.errors import UsageError
from coc_core.storage.files import open_regular

_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", re.ASCII)


@contextmanager
def open_source(source: str, most: int, kind: str) -> Iterator[IO[str]]:
    """Open a text for reading.

    Args:
        source: The path of a regular file, or `-` for standard input. The path of an open descriptor, `/dev/fd/63`, is
            read as standard input is, so that a shell's `<(command)` can be given.
        most: The largest size that a file may have, in bytes.
        kind: What the text is called in error messages.

    Raises:
        UsageError: It can't be read or, in the block too, is not text.
    """
    try:
        if source in ("-", "/dev/stdin"):
            yield sys.stdin
        else:
            with io.TextIOWrapper(_opened(source, most), encoding="utf-8") as text:
                yield text
    except OSError as error:
        raise UsageError(f"can't read the {kind} {source}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the {kind} {source} is not text") from None


def _opened(source: str, most: int) -> IO[bytes]:
    number = _DESCRIPTOR.fullmatch(source)
    return open_regular(Path(source), most) if number is None else os.fdopen(os.dup(int(number[1])), "rb")
