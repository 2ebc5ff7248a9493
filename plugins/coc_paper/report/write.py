"""Writing the report: a folder with the page, the same in Markdown, and each item's tables and figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from coc_core.errors import PluginError
from coc_core.storage import Contents, write_folder
from coc_core.text import described
from coc_paper.report.figure import draw
from coc_paper.report.markdown import markdown
from coc_paper.report.page import page
from coc_paper.report.section import Compared, Plot, Section, Table, Value
from coc_problems import table_contents

MARKER = "report.json"
_OTHER = "made otherwise"


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
    files: dict[str, Contents] = {}
    for each in sections:
        try:
            files |= _own(each, style)
            _shared([each], {}, heading, facts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise PluginError(f"the report of the item {each.name} can't be written: {described(error)}") from error
    write_folder(folder, files | _shared(sections, files, heading, facts), marker=MARKER)


def _shared(sections: Sequence[Section], files: Mapping[str, Contents], heading: str, facts: str) -> dict[str, bytes]:
    """The files that show all sections, by their names."""
    document = {"heading": heading, "facts": facts, "sections": [each.to_json() for each in sections]}
    figures = {each.name: figure for each in sections if isinstance(figure := files.get(f"{each.name}.svg"), bytes)}
    return {
        "index.html": page(sections, figures, heading, facts).encode(),
        "report.md": markdown(sections, heading, facts).encode(),
        MARKER: (json.dumps(document, indent=1, allow_nan=False) + "\n").encode(),
    }


def _own(section: Section, style: str | None) -> dict[str, Contents]:
    """The files of a section's tables and figure, by their names; UsageError if matplotlib is missing."""
    name, plots = section.name, section.plots
    files: dict[str, Contents] = {f"{name}-{n}.csv": _csv(table) for n, table in enumerate(section.tables, 1)}
    if plots:
        files |= {f"{name}.{form}": draw(plots, form, style) for form in ("svg", "png")}
        files[f"{name}-figure.csv"] = _points(plots)
    return files


def _points(plots: Sequence[Plot]) -> bytes:
    """What a figure shows: each point of each curve, with the ends of its bar."""
    rows: list[dict[str, object]] = []
    for number, plot in enumerate(plots, 1):
        for series in plot.series:
            for place, (x, y) in enumerate(series.points):
                bar = dict(zip(("low", "high"), series.bars[place], strict=True)) if series.bars else {}
                rows.append({"plot": plot.title or number, "series": series.name, "x": x, "y": y, **bar})
    return table_contents(["plot", "series", "x", "y", "low", "high"], rows)


def _csv(table: Table) -> bytes:
    """A table, with a column of its own for the paper's number of each column that has some.

    If results of other code have a part in it, a last column names the columns of their cells.
    """
    rows = [_columns(table.columns, row) for row in table.rows]
    for place, column in table.marked:
        rows[place][_OTHER] = ", ".join(filter(None, [str(rows[place].get(_OTHER, "")), table.columns[column]]))
    names = [*dict.fromkeys(name for column in table.columns for name in (column, _papers(column))), _OTHER]
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
