"""The numbers that the paper prints, and its traces, as files beside this module."""

import csv
from functools import cache
from importlib.resources import files

HOLDOUT_MEANS = {5: 92.0, 35: 70.0, 50: 41.0}
"""The mean success rates over five seeds that the text gives, by percentage held out; the others are in a figure."""


@cache
def instances() -> dict[tuple[str, int, int], float]:
    """Return the percentage of problems solved, by domain, size and number of training instances."""
    rows = table("instances.csv")
    return {(row["domain"], int(row["n"]), int(row["instances"])): float(row["solved"]) for row in rows}


@cache
def holdout() -> dict[tuple[int, int], int | None]:
    """Return, by percentage held out and number of disks, the failing step of the one run that is printed.

    It is None if the run was solved, and 0 if it ended in a state that is not the goal.
    """
    rows = table("holdout.csv")
    steps = {"1": None, "0": 0}
    return {(int(row["holdout"]), int(row["n"])): int(row["step"] or 0) or steps[row["solved"]] for row in rows}


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a file, by the names of its columns, as printed."""
    return list(csv.DictReader(text(name).splitlines()))


def text(name: str) -> str:
    """Return the text of a file, such as a trace."""
    return files(__package__).joinpath(name).read_text("utf-8")
