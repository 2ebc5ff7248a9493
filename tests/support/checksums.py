"""The sums of a checkpoint's folder, written as somebody would who has changed its files."""

from hashlib import sha256

SUMS = "SHA256SUMS"


def seal(folder):
    """Write the sums that go with the files; nothing where there are none."""
    if (folder / SUMS).exists():
        names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
        lines = [f"{sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
        (folder / SUMS).write_text("".join(lines))
