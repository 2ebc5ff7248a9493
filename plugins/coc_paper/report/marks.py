"""Which cells of a report results of other code have a part in: those that are others without these results."""

from collections.abc import Sequence

from attrs import evolve

from coc_paper.report.section import Section, Table, Value


def marked(section: Section, without: Section) -> Section:
    """The section with the cells marked that are not the same in the section without some results."""
    others = {table.title: table for table in without.tables}
    return evolve(section, tables=[_marked(table, others.get(table.title)) for table in section.tables])


def _marked(table: Table, other: Table | None) -> Table:
    """A row is compared with the first other one that has the same beginning, if none is the same as a whole."""
    left = [*other.rows] if other else []
    whole = {place for place, row in enumerate(table.rows) if _taken(left, row, len(row))}
    marks = list[tuple[int, int]]()
    for place, row in enumerate(table.rows):
        if place not in whole:
            found = _taken(left, row, 1)
            kept = dict(zip(other.columns, found, strict=True)) if other and found else {}
            marks += [
                (place, column)
                for column, (name, value) in enumerate(zip(table.columns, row, strict=True))
                if name not in kept or kept[name] != value
            ]
    return evolve(table, marked=marks)


def _taken(rows: list[Sequence[Value]], row: Sequence[Value], length: int) -> Sequence[Value] | None:
    """Take the first of the rows out of the list that begins like this one."""
    for place, each in enumerate(rows):
        if list(each[:length]) == list(row[:length]) and (length == 1 or len(each) == len(row)):
            return rows.pop(place)
    return None
