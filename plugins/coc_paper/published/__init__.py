"""The numbers that the paper prints, and its traces, as files beside this module."""

import csv
from functools import cache
from importlib.resources import files


@cache
def instances() -> dict[tuple[str, int, int], float]:
    """Percent of problems solved, by domain, size and number of training instances (tables of the appendix)."""
    return {
        (row["domain"], int(row["n"]), int(row["instances"])): float(row["solved"]) for row in _rows("instances.csv")
    }


@cache
def holdout() -> dict[tuple[int, int], tuple[bool, int | None]]:
    """Return, by percentage held out and number of disks, whether the one run that is printed was solved, and its
    failing step.

    One failed run has no such step: it ended in a state that is not the goal.
    """
    return {
        (int(row["holdout"]), int(row["n"])): (row["solved"] == "1", int(row["step"]) if row["step"] else None)
        for row in _rows("holdout.csv")
    }


def hyperparameters() -> list[dict[str, str]]:
    """Return the two tables of hyperparameters: for each row its `table`, the paper's `name`, coc's `hyperparameter`,
    and the value for each `domain`, as printed.
    """
    return _rows("hyperparameters.csv")


HOLDOUT_MEANS = {5: 92.0, 35: 70.0, 50: 41.0}
"""The mean success rates over five seeds that the text gives, by percentage held out; the others are in a figure."""


def text(name: str) -> str:
    """Return the text of a file, such as a trace."""
    return files(__package__).joinpath(name).read_text("utf-8")


def _rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text(name).splitlines()))
