"""The report as a page for the docs."""

from collections.abc import Iterable, Sequence

from coc_paper.report.section import Section, Table, text_of


def markdown(sections: Iterable[Section], heading: str, facts: str) -> str:
    """The report in Markdown; the figures stand beside it as `ITEM.svg`."""
    parts = [f"# {heading}\n", f"{facts}\n"]
    for section in sections:
        parts.append(f"## {section.title}\n")
        parts.append(f"**Question.** {section.question}\n")
        parts.append(f"**Setting.** {section.setting}\n")
        if section.sample:
            parts.append(f"**A sample.** {section.sample}\n")
        parts += [_table(table) for table in section.tables]
        if section.plots:
            parts.append(f"![{section.title}]({section.name}.svg)\n")
        parts += [f"- Not computed: {failure}\n" for failure in section.failures]
        parts.append(f"**Meaning.** {section.meaning} {section.time}\n")
    return "\n".join(parts)


def _table(table: Table) -> str:
    lines = [f"{table.title}:\n"] if table.title else []
    lines += [_line(table.columns), _line(["---"] * len(table.columns))]
    lines += [_line([text_of(value) for value in row]) for row in table.rows]
    return "\n".join(lines) + "\n"


def _line(values: Sequence[str]) -> str:
    return f"| {' | '.join(value.replace('|', chr(92) + '|') for value in values)} |"
