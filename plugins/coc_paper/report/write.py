"""Writing the report: a folder with the page, the same in Markdown, and each item's tables and figure."""

import json
from collections.abc import Sequence
from pathlib import Path

from coc_core.storage import Contents, table_contents, write_folder
from coc_paper.report.figure import draw
from coc_paper.report.markdown import markdown
from coc_paper.report.page import page
from coc_paper.report.section import Compared, Section, Table, Value

MARKER = "report.json"


def write(folder: Path, sections: Sequence[Section], heading: str, facts: str) -> None:
    """Write the report whole; a former one there is replaced.

    Args:
        folder: Where it goes.
        sections: What it consists of.
        heading: Its title.
        facts: One line about how it was made.

    Raises:
        UsageError: matplotlib is missing, or something else is in the folder.
        StorageError: It can't be written.
    """
    write_folder(folder, contents(sections, heading, facts), marker=MARKER)


def contents(sections: Sequence[Section], heading: str, facts: str) -> dict[str, Contents]:
    """The files of the report by their names; UsageError if matplotlib is missing."""
    figures = {each.name: draw(each.plots, "svg") for each in sections if each.plots}
    document = {"heading": heading, "facts": facts, "sections": [each.to_json() for each in sections]}
    files: dict[str, Contents] = {
        "index.html": page(sections, figures, heading, facts).encode(),
        "report.md": markdown(sections, heading, facts).encode(),
        MARKER: (json.dumps(document, indent=1) + "\n").encode(),
    }
    for each in sections:
        files |= {f"{each.name}-{place}.csv": _csv(table) for place, table in enumerate(each.tables, 1)}
        if each.plots:
            files |= {f"{each.name}.svg": figures[each.name], f"{each.name}.png": draw(each.plots, "png")}
    return files


def _csv(table: Table) -> bytes:
    """A table, with a column of its own for the paper's number of each column that has some."""
    rows = [_columns(table.columns, row) for row in table.rows]
    names = list(dict.fromkeys(name for column in table.columns for name in (column, _papers(column))))
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
