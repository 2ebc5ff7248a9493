"""Many problems: drawn from a domain, or read from the user's files; their prompts, and what their plans are worth."""

from coc_problems.drawn import Problems
from coc_problems.files import GivenProblems, chosen_problems, note_on, texts_by_domain
from coc_problems.options import DEFAULT_INSTANCES, INSTANCES, SEEDS, SIZES, ManyProblems
from coc_problems.plan import effects, validate
from coc_problems.policy import policy_actions, policy_steps
from coc_problems.prompts import closure, has_few_kinds, is_closed, kind_of
from coc_problems.sampling import (
    MOST_PROBLEMS,
    Instance,
    Split,
    enumerate_all,
    enumerate_first,
    has_single_problem,
    near_goal_problem,
    sample_near_goal,
    sample_problems,
)
from coc_problems.search import check_searchable, levels, optimum
from coc_problems.sizes import MOST_SIZES, Sizes, parse_sizes, sizes_of, whole

__all__ = [
    "DEFAULT_INSTANCES",
    "INSTANCES",
    "MOST_PROBLEMS",
    "MOST_SIZES",
    "SEEDS",
    "SIZES",
    "GivenProblems",
    "Instance",
    "ManyProblems",
    "Problems",
    "Sizes",
    "Split",
    "check_searchable",
    "chosen_problems",
    "closure",
    "effects",
    "enumerate_all",
    "enumerate_first",
    "has_few_kinds",
    "has_single_problem",
    "is_closed",
    "kind_of",
    "levels",
    "near_goal_problem",
    "note_on",
    "optimum",
    "parse_sizes",
    "policy_actions",
    "policy_steps",
    "sample_near_goal",
    "sample_problems",
    "sizes_of",
    "texts_by_domain",
    "validate",
    "whole",
]
