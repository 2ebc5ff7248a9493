"""What files consist of, and SHA256SUMS: the sums of a folder's files, in the format of `sha256sum`.

The sums show that a file was damaged. They have no key: somebody who changes a file on purpose can write new sums, or
remove them. A folder without them is accepted, since older ones have none.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]{0,99})\n")
_MAX_BYTES = 1 << 16

Contents = bytes | Iterable[bytes | memoryview]
"""The contents of a file, whole or in parts. The parts can be had more than once."""


def parts_of(contents: Contents) -> Iterable[bytes | memoryview]:
    """Return the parts of the contents; one if they are whole."""
    return (contents,) if isinstance(contents, bytes) else contents


def sha256_of(contents: Contents) -> str:
    """Return the SHA-256 of the contents, in hexadecimal."""
    digest = hashlib.sha256()
    for part in parts_of(contents):
        digest.update(part)
    return digest.hexdigest()


def sums_of(files: Mapping[str, Contents]) -> bytes:
    """Return the content of `SHA256SUMS` for files with these contents."""
    return "".join(f"{sha256_of(files[name])}  {name}\n" for name in sorted(files)).encode()


def check_sums(folder: Path, found: Mapping[str, str]) -> None:
    """Compare the SHA-256 of files with the sums in their folder, if it has any; ArtefactError for a difference.

    `found` has the sum of each file that was read, in hexadecimal, by name; empty for one that is not there.
    """
    path = folder / SUMS
    if not path.exists():
        return
    recorded = _parsed(read_bytes(path, _MAX_BYTES), path)
    for name, digest in found.items():
        if recorded.get(name, "") != digest:
            fault = f"was changed: its SHA-256 is not the one in {SUMS}" if digest else f"is missing, but is in {SUMS}"
            raise ArtefactError(
                f"{folder / name} {fault}",
                remedy=f"restore the folder, or delete {SUMS} if you have changed the file yourself",
            )


def _parsed(data: bytes, path: Path) -> dict[str, str]:
    text = data.decode("ascii", "replace")
    found = {name: digest for digest, name in _LINE.findall(text)}
    if len(found) != text.count("\n") or _LINE.sub("", text):
        raise ArtefactError(f"{path} is not a list of SHA-256 sums as `sha256sum` writes it")
    return found
