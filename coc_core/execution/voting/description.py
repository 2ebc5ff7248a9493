"""What was voted on, in words."""

from coc_core.text import counted
from coc_core.types import Votes


def describe_votes(votes: Votes) -> str:
    """Return what was voted on, and what it says of the run, in one line."""
    drawn = f"{counted(votes.responses, 'response')} for {counted(votes.decisions, 'decision')}"
    parts = [f"first to lead by {votes.k}: {drawn}, {votes.dropped:,} dropped, {votes.against:,} outvoted"]
    if votes.error is not None:
        measured = f"measured by {votes.pilot:,} more, at most " if votes.pilot else ""
        parts.append(f"error rate {measured}{votes.error:.3g}")
    predicted = "" if votes.predicted is None else f"{votes.predicted:.4f} predicted, "
    parts.append(f"probability that all are right: {predicted}{votes.achieved:.4f} from the votes")
    return "; ".join(parts)
