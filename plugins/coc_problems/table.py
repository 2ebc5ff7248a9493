"""Files of comma-separated values."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from coc_core.storage import check_file, write_file

_KIND = "table"


def check_table(path: Path) -> None:
    """Check that a table can be written, before what it says is computed; StorageError if not."""
    check_file(path, _KIND)


def write_table(path: Path, names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a line with the names of the columns, and one for each row; what is there is replaced.

    Each row has a value for all columns and no other; None is an empty cell. StorageError if it can't be written.
    """
    text = StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_file(path, text.getvalue().encode(), _KIND)
