"""Writing the report: a folder with the page, its data, and each item's figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from coc_core.errors import PluginError
from coc_core.storage import write_folder
from coc_core.text import described
from coc_paper.report.figure import draw
from coc_paper.report.page import page
from coc_paper.report.section import Section

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
    figures: dict[str, bytes] = {}
    for each in sections:
        try:
            if each.plots:
                figures[each.name] = draw(each.plots, style)
            _texts([each], {}, heading, facts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise PluginError(f"the report of the item {each.name} can't be written: {described(error)}") from error
    files = {f"{name}.svg": figure for name, figure in figures.items()}
    write_folder(folder, files | _texts(sections, figures, heading, facts), marker=MARKER)


def _texts(sections: Sequence[Section], figures: Mapping[str, bytes], heading: str, facts: str) -> dict[str, bytes]:
    """Return the page and the data, by the names of their files."""
    document = {"heading": heading, "facts": facts, "sections": [each.to_json() for each in sections]}
    return {
        "index.html": page(sections, figures, heading, facts).encode(),
        MARKER: (json.dumps(document, indent=1, allow_nan=False) + "\n").encode(),
    }
