"""Many problems: drawn from a domain, or read from the user's files."""

from coc_problems.drawn import Problems
from coc_problems.files import GivenProblems, chosen_problems, note_on, texts_by_domain
from coc_problems.options import DEFAULT_INSTANCES, ManyProblems

__all__ = [
    "DEFAULT_INSTANCES",
    "GivenProblems",
    "ManyProblems",
    "Problems",
    "chosen_problems",
    "note_on",
    "texts_by_domain",
]
