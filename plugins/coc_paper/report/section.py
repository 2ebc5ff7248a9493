"""What an item's report is made of: texts, tables, a figure. All of it can be written as JSON and read again."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import Factory, asdict, frozen

from coc_core.text import counted


@frozen
class Cell:
    """A percentage of ours beside the paper's; None where there is none."""

    ours: float | None
    paper: float | None

    @property
    def state(self) -> str:
        """`below` or `above` the paper's, or `equal`; empty where there is nothing to compare."""
        if self.ours is None or self.paper is None:
            return ""
        return "equal" if self.ours == self.paper else "below" if self.ours < self.paper else "above"

    def __str__(self) -> str:
        if self.ours is None:
            return "–"
        return f"{self.ours:g}" if self.paper is None else f"{self.ours:g} ({self.paper:g})"


@frozen
class FirstFailure:
    """The step at which a run of ours failed, beside the paper's: None if it was solved, 0 if the step is not known."""

    ours: int | None
    paper: int | None

    @property
    def state(self) -> str:
        """`below` if only the paper's was solved, `above` if only ours was, or `equal`."""
        if (self.ours is None) == (self.paper is None):
            return "equal"
        return "above" if self.ours is None else "below"

    def __str__(self) -> str:
        ours, paper = ("✓" if step is None else f"{step:,}" if step else "?" for step in (self.ours, self.paper))
        return f"{ours} ({paper})"


Compared = Cell | FirstFailure
Value = str | int | float | Compared | None


@frozen
class Table:
    """A table: the names of its columns, and its rows. A cell's text has the paper's number in parentheses."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]

    def __attrs_post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a table has {len(self.columns)} columns, and one of its rows {len(row)} values")

    def count(self, state: str) -> int:
        """Return how many cells are `below`, `above` or `equal`."""
        return sum(state_of(value) == state for row in self.rows for value in row)


@frozen
class Series:
    """A curve: points (x, y), and for each the ends (low, high) of a bar, if there are bars."""

    name: str
    points: Sequence[Sequence[float]]
    bars: Sequence[Sequence[float]] = ()


@frozen
class Plot:
    """A plot: what its axes show, its curves, and whether its axes are logarithmic."""

    title: str
    x: str
    y: str
    series: Sequence[Series]
    log_x: bool = False
    log_y: bool = False


@frozen
class Section:
    """The report of one item.

    Attributes:
        name: The item.
        title: What it shows.
        question: The question that it answers.
        setting: How that was measured.
        meaning: What came out.
        sample: What is left out of the full item; empty if nothing is.
        tables: The tables.
        plots: The plots of its figure.
        passed: Whether everything came out that has to.
        seconds: How long its tasks took in all, by the machine that computed them.
        failures: The tasks that could not be computed, each with the reason.
        missing: How many tasks have not been computed yet, as a sentence; empty if none.
        changed: What `--set` changes, as it is written there.
        other: The results of other code or versions: which parts, who made them, and what differs.
    """

    name: str
    title: str
    question: str
    setting: str
    meaning: str
    sample: str = ""
    tables: Sequence[Table] = ()
    plots: Sequence[Plot] = ()
    passed: bool = True
    seconds: Mapping[str, float] = Factory(dict)
    failures: Sequence[str] = Factory(tuple)
    missing: str = ""
    changed: Sequence[str] = ()
    other: Sequence[str] = ()

    @property
    def notes(self) -> list[tuple[str, str]]:
        """What a reader has to know of what is shown: headings, and what they say."""
        changed = f"With `--set`: {', '.join(f'`{each}`' for each in self.changed)}."
        other = f"Not made by this code and these versions (`--refresh` makes it again): {'. '.join(self.other)}."
        found = [("A sample.", self.sample), ("Not complete.", self.missing)]
        return [
            *([("Changed.", changed)] if self.changed else []),
            *(note for note in found if note[1]),
            *([("Other results.", other)] if self.other else []),
        ]

    @property
    def time(self) -> str:
        """How long its tasks took, as a sentence."""
        times = [f"{_duration(seconds)} on {machine}" for machine, seconds in self.seconds.items()]
        return f"The computations took {' and '.join(times) or 'no time'}."

    def to_json(self) -> dict[str, Any]:
        """Return the section as plain data."""
        document = asdict(self, filter=lambda attribute, _: attribute.name != "tables")
        tables = [
            {
                "title": table.title,
                "columns": list(table.columns),
                "rows": [[_plain(value) for value in row] for row in table.rows],
            }
            for table in self.tables
        ]
        return document | {"tables": tables}


def _duration(seconds: float) -> str:
    return counted(round(seconds), "second") if seconds >= 0.5 else "less than a second"


def _plain(value: Value) -> Any:
    if not isinstance(value, Compared):
        return value
    ours = "ours" if isinstance(value, Cell) else "step"
    return {ours: value.ours, "paper": value.paper, "state": value.state}


def state_of(value: Value) -> str:
    """Return where a value in a table stands beside the paper's: `below`, `above` or `equal`; empty if it is not
    compared.
    """
    return value.state if isinstance(value, Compared) else ""


def text_of(value: Value) -> str:
    """Return the text of a value in a table, with a mark if it is below the paper's."""
    if value is None:
        return ""
    if state_of(value) == "below":
        return f"{value} ▼"
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)
