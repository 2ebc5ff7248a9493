"""What an item's report is made of: texts, tables, a figure. All of it becomes plain data by `attrs.asdict`."""

from collections.abc import Mapping, Sequence

from attrs import Factory, field, frozen


@frozen
class Cell:
    """A percentage of ours beside the paper's; None where there is none.

    `state` is `below` or `above` the paper's, or `equal`; empty where there is nothing to compare.
    """

    ours: float | None
    paper: float | None
    state: str = field(init=False)

    @state.default
    def _state(self) -> str:
        if self.ours is None or self.paper is None:
            return ""
        return "equal" if self.ours == self.paper else "below" if self.ours < self.paper else "above"

    def __str__(self) -> str:
        ours = "–" if self.ours is None else f"{self.ours:g}"
        return f"{ours} ({self.paper:g})" if self.state else ours


@frozen
class FirstFailure:
    """The step at which a run of ours failed, beside the paper's: None if it was solved, 0 if the step is not known.

    `state` is `below` if only the paper's was solved, `above` if only ours was, or `equal`.
    """

    step: int | None
    paper: int | None
    state: str = field(init=False)

    @state.default
    def _state(self) -> str:
        return {0: "equal", 1: "above", -1: "below"}[(self.step is None) - (self.paper is None)]

    def __str__(self) -> str:
        ours, paper = ("✓" if step is None else f"{step:,}" if step else "?" for step in (self.step, self.paper))
        return f"{ours} ({paper})"


Value = str | int | float | Cell | FirstFailure | None


@frozen
class Table:
    """A table: the names of its columns, and its rows. A cell's text has the paper's number in parentheses."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]


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


@frozen(kw_only=True)
class Section:
    """The report of one item. The item gives its question, setting, meaning, plots and tables, and whether it `passed`.

    Attributes:
        title: What it shows; by default the item's title.
        sample: What is left out of the full item; empty if nothing is. This and what follows is added.
        seconds: How long its tasks took in all, by the machine that computed them.
        failures: The tasks that could not be computed, each with the reason.
        missing: How many tasks have not been computed yet, as a sentence; empty if none.
        changed: What `--set` changes, as it is written there.
        other: The results of other code or versions: which parts, who made them, and what differs.
    """

    name: str = ""
    title: str = ""
    question: str
    setting: str
    meaning: str
    sample: str = ""
    plots: Sequence[Plot] = ()
    passed: bool = True
    seconds: Mapping[str, float] = Factory(dict)
    failures: Sequence[str] = ()
    missing: str = ""
    changed: Sequence[str] = ()
    other: Sequence[str] = ()
    tables: Sequence[Table] = ()

    def notes(self) -> dict[str, str]:
        """Return what a reader has to know of what is shown, by heading."""
        changed, other = ", ".join(f"`{each}`" for each in self.changed), ". ".join(self.other)
        remade = f"Not made by this code and these versions (`--refresh` makes it again): {other}."
        notes = {"Changed.": f"With `--set`: {changed}." * bool(changed), "A sample.": self.sample}
        notes |= {"Not complete.": self.missing, "Other results.": remade * bool(other)}
        return {heading: text for heading, text in notes.items() if text}


def text_of(value: Value) -> str:
    """Return the text of a value in a table, with a mark if it is below the paper's."""
    if value is None:
        return ""
    mark = " ▼" if getattr(value, "state", "") == "below" else ""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else f"{value}{mark}"
