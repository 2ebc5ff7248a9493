"""The numbers that the paper prints, and its traces, as files beside this module."""

import csv
from functools import cache
from importlib.resources import files

HOLDOUT_MEANS = {5: 92.0, 35: 70.0, 50: 41.0}  # over five seeds, by percentage held out; others are in a figure only


@cache
def instances() -> dict[tuple[str, int, int], float]:
    """Return the percentage of problems solved, by domain, size and number of training instances."""
    rows = table("instances.csv")
    return {(row["domain"], int(row["n"]), int(row["instances"])): float(row["solved"]) for row in rows}


@cache
def holdout() -> dict[tuple[int, int], int | None]:
    """Return, by percentage held out and disks, where the one printed run failed: None if nowhere, 0 if at its end."""
    rows, steps = table("holdout.csv"), {"1": None, "0": 0}
    return {(int(row["holdout"]), int(row["n"])): int(row["step"] or 0) or steps[row["solved"]] for row in rows}


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a file, by the names of its columns, as printed."""
    return list(csv.DictReader(text(name).splitlines()))


def text(name: str) -> str:
    """Return the text of a file, such as a trace."""
    return files(__package__).joinpath(name).read_text("utf-8")
