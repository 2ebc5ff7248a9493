"""The contents of a file that is to be written: whole, or in parts of which only one is in memory at a time."""

import hashlib
from collections.abc import Iterable

Contents = bytes | Iterable[bytes | memoryview]
"""The contents of a file, whole or in parts. The parts can be had more than once."""


def parts_of(contents: Contents) -> Iterable[bytes | memoryview]:
    """The parts of the contents; one if they are whole."""
    return (contents,) if isinstance(contents, bytes) else contents


def sha256_of(contents: Contents) -> str:
    """The SHA-256 of the contents, in hexadecimal."""
    digest = hashlib.sha256()
    for part in parts_of(contents):
        digest.update(part)
    return digest.hexdigest()
