"""What was voted on, as an outcome reports it, and in words."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from coc_core.errors import ArtefactError
from coc_core.storage import read_document
from coc_core.text import counted

NAME = "votes"
"""The name of the votes among what an executor reports."""


@frozen
class Votes:
    """What was voted on, in all runs of one call of an executor that takes votes.

    Attributes:
        k: By how many votes a response had to lead.
        decisions: How many prompts were decided.
        responses: How many responses were drawn for them.
        dropped: How many of these were dropped, because the machine would not have taken them.
        against: How many of the others lost the vote.
        pilot: How many responses were drawn beforehand, to measure the error rate.
        error: The error rate that k was chosen for, None if neither was it measured nor given.
        expected: The predicted number of responses that count; None without an `error`.
        predicted: The predicted probability that all decisions are right; None without an `error`.
        achieved: The same, with the share of votes that lost in place of `error`.
    """

    k: int
    decisions: int
    responses: int
    dropped: int
    against: int
    pilot: int
    error: float | None
    expected: float | None
    predicted: float | None
    achieved: float

    def report(self) -> dict[str, dict[str, Any]]:
        """Return the votes as plain data, for `Outcome.report`."""
        return {NAME: asdict(self)}


def describe(report: Mapping[str, Any]) -> str:
    """Return what was voted on, and what that says of the run, in a line; ArtefactError if a file's report is none."""
    votes = votes_of(report)
    drawn = f"{counted(votes.responses, 'response')} for {counted(votes.decisions, 'decision')}"
    parts = [f"first to lead by {votes.k}: {drawn}, {votes.dropped:,} dropped, {votes.against:,} outvoted"]
    if votes.error is not None:
        measured = f"measured by {votes.pilot:,} more, at most " if votes.pilot else ""
        parts.append(f"error rate {measured}{votes.error:.3g}")
    predicted = "" if votes.predicted is None else f"{votes.predicted:.4f} predicted, "
    parts.append(f"probability that all are right: {predicted}{votes.achieved:.4f} from the votes")
    return "; ".join(parts)


def votes_of(report: Mapping[str, Any]) -> Votes:
    """Return the votes that an outcome reports; ArtefactError if it is of a file, and malformed."""
    votes = read_document(Votes, report.get(NAME), "the votes of the run")
    stated = [votes.error, votes.expected, votes.predicted]
    shares = [votes.achieved, *([] if votes.error is None else [votes.error, votes.predicted])]
    if votes.dropped + votes.against > votes.responses or 0 < stated.count(None) < 3 or not all(map(_is_share, shares)):
        raise ArtefactError("the votes of the run are malformed")
    return votes


def _is_share(value: float | None) -> bool:
    return value is not None and 0 <= value <= 1
