"""What was voted on, in words."""

from coc_core.text import counted
from coc_core.types import Votes


def describe_votes(votes: Votes) -> str:
    """Return what was voted on, and what it says of the run, in one line."""
    drawn = f"{counted(votes.responses, 'response')} for {counted(votes.decisions, 'decision')}"
    parts = [f"first to lead by {votes.k}: {drawn}, {votes.dropped:,} dropped, {votes.against:,} outvoted"]
    if votes.error is not None and votes.predicted is not None:
        measured = f"measured by {votes.pilot:,} more, at most " if votes.pilot else ""
        parts.append(f"error rate {measured}{votes.error:.3g}")
        parts.append(f"all right with probability {votes.predicted:.4f} as predicted")
    parts.append(f"{votes.achieved:.4f} by the votes")
    return "; ".join(parts)
