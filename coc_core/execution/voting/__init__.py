"""Votes: each step is decided by several responses of a model that is sometimes wrong."""

from coc_core.execution.voting.description import describe_votes
from coc_core.execution.voting.vote import Vote

__all__ = [
    "Vote",
    "describe_votes",
]
