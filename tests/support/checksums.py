"""The sums of a folder's files, written as somebody would who has changed them."""

from hashlib import sha256

from coc_core.storage import SUMS


def seal(folder):
    """Write the sums that go with the files; nothing where there are none."""
    if (folder / SUMS).exists():
        write_sums(folder, sorted(path.name for path in folder.iterdir() if path.name != SUMS))


def write_sums(folder, names):
    """Write the sums of these files."""
    lines = [f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (folder / SUMS).write_text("".join(lines))
