"""Domains: problems, policies and rules; and what follows from them: samples, plans, scenes, shortest plans."""

from coc_core.domain.base import Domain
from coc_core.domain.near_goal import NearGoal, near_goal_problem
from coc_core.domain.plan import effects, judge, validate
from coc_core.domain.policy import policy_steps
from coc_core.domain.problems import parse_problem, read_problem
from coc_core.domain.sampling import (
    MOST_PROBLEMS,
    Instance,
    Split,
    enumerate_all,
    enumerate_first,
    has_single_problem,
    sample_near_goal,
    sample_problems,
)
from coc_core.domain.scene import Column, HasScenes, Item, Scene, scene_of
from coc_core.domain.search import check_searchable, optimum
from coc_core.domain.unsolvable import KnowsUnsolvable, why_unsolvable

__all__ = [
    "MOST_PROBLEMS",
    "Column",
    "Domain",
    "HasScenes",
    "Instance",
    "Item",
    "KnowsUnsolvable",
    "NearGoal",
    "Scene",
    "Split",
    "check_searchable",
    "effects",
    "enumerate_all",
    "enumerate_first",
    "has_single_problem",
    "judge",
    "near_goal_problem",
    "optimum",
    "parse_problem",
    "policy_steps",
    "read_problem",
    "sample_near_goal",
    "sample_problems",
    "scene_of",
    "validate",
    "why_unsolvable",
]
