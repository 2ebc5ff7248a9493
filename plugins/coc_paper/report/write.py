"""Writing the report: a folder with the page, and each item's tables and figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from coc_core.errors import PluginError
from coc_core.storage import write_folder
from coc_core.text import described
from coc_paper.report.figure import draw
from coc_paper.report.page import page
from coc_paper.report.section import Compared, Section, Table, Value
from coc_problems import table_contents

MARKER = "report.json"


def write(folder: Path, sections: Sequence[Section], heading: str, facts: str, style: str | None = None) -> None:
    """Write the report whole; a former one there is replaced.

    Args:
        folder: Where it goes.
        sections: What it consists of.
        heading: Its title.
        facts: One line about how it was made.
        style: How figures look, as for `check_style`.

    Raises:
        UsageError: matplotlib is missing, or something else is in the folder.
        PluginError: A section can't be written, since it has values of wrong types.
        StorageError: It can't be written.
    """
    files: dict[str, bytes] = {}
    for each in sections:
        try:
            files |= _own(each, style)
            _shared([each], {}, heading, facts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise PluginError(f"the report of the item {each.name} can't be written: {described(error)}") from error
    write_folder(folder, files | _shared(sections, files, heading, facts), marker=MARKER)


def _shared(sections: Sequence[Section], files: Mapping[str, bytes], heading: str, facts: str) -> dict[str, bytes]:
    """Return the files that show all sections, by their names."""
    document = {"heading": heading, "facts": facts, "sections": [each.to_json() for each in sections]}
    figures = {each.name: files[name] for each in sections if (name := f"{each.name}.svg") in files}
    return {
        "index.html": page(sections, figures, heading, facts).encode(),
        MARKER: (json.dumps(document, indent=1, allow_nan=False) + "\n").encode(),
    }


def _own(section: Section, style: str | None) -> dict[str, bytes]:
    """Return the files of a section's tables and figure, by their names; UsageError if matplotlib is missing."""
    files = {f"{section.name}-{number}.csv": _csv(table) for number, table in enumerate(section.tables, 1)}
    return files | ({f"{section.name}.svg": draw(section.plots, style)} if section.plots else {})


def _csv(table: Table) -> bytes:
    """Return a table, with a column of its own for the paper's number of each column that has some."""
    rows = [_columns(table.columns, row) for row in table.rows]
    names = dict.fromkeys(name for column in table.columns for name in (column, _papers(column)))
    named = {name for row in rows for name in row} | {*table.columns}
    return table_contents([name for name in names if name in named], rows)


def _columns(columns: Sequence[str], row: Sequence[Value]) -> dict[str, object]:
    values: dict[str, object] = {}
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, Compared):
            values |= {column: value.ours, _papers(column): value.paper}
        else:
            values[column] = value
    return values


def _papers(column: str) -> str:
    return f"{column} (paper)"
