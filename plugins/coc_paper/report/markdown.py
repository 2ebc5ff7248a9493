"""The report in Markdown."""

import textwrap
from collections.abc import Iterable, Sequence

from coc_paper.report.section import Section, Table

_WIDTH = 120


def markdown(sections: Iterable[Section], heading: str, facts: str) -> str:
    """The report in Markdown; the figures stand beside it as `ITEM.svg`."""
    parts = [f"# {heading}\n", _wrapped(facts)]
    parts.append("In a table, a number in parentheses is the paper's. A cell below the paper's has the mark ▼.\n")
    for section in sections:
        parts.append(f"## {section.title}\n")
        parts.append(_wrapped(f"**Question.** {section.question}"))
        parts.append(_wrapped(f"**Setting.** {section.setting}"))
        parts += [_wrapped(f"**{heading}** {text}") for heading, text in section.notes]
        parts += [_table(table) for table in section.tables]
        if section.plots:
            parts.append(f"![{section.title}]({section.name}.svg)\n")
        parts += [f"- Not computed: {failure}\n" for failure in section.failures]
        parts.append(_wrapped(f"**Meaning.** {section.meaning} {section.time}"))
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    """A paragraph; what came from a file can't become a tag."""
    return textwrap.fill(text.replace("<", "&lt;"), _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def _table(table: Table) -> str:
    lines = [f"{table.title}:\n"] if table.title else []
    lines += [_line(table.columns), _line(["---"] * len(table.columns))]
    columns = range(len(table.columns))
    lines += [_line([table.text(row, column) for column in columns]) for row in range(len(table.rows))]
    return "\n".join(lines) + "\n"


def _line(values: Sequence[str]) -> str:
    return f"| {' | '.join(value.replace('|', chr(92) + '|') for value in values)} |"
