"""The report: what came out, beside the paper's numbers, as a page, as JSON and as figures."""

from coc_paper.report.section import Cell, FirstFailure, Plot, Section, Series, Table, Value

__all__ = ["Cell", "FirstFailure", "Plot", "Section", "Series", "Table", "Value"]
