"""Domains: what a problem is, what an instruction does, and what follows from that alone."""

from coc_core.domain.base import Domain
from coc_core.domain.near_goal import NearGoal, near_goal_problem
from coc_core.domain.plan import effects, judge, validate
from coc_core.domain.policy import policy_steps
from coc_core.domain.problems import parse_problem, read_problem
from coc_core.domain.sampling import Draw, Split, draw, draw_near_goal, enumerate_all, enumerate_first, single
from coc_core.domain.scene import Column, Drawn, Item, Scene, scene_of
from coc_core.domain.search import check_searchable, optimum

__all__ = [
    "Column",
    "Domain",
    "Draw",
    "Drawn",
    "Item",
    "NearGoal",
    "Scene",
    "Split",
    "check_searchable",
    "draw",
    "draw_near_goal",
    "effects",
    "enumerate_all",
    "enumerate_first",
    "judge",
    "near_goal_problem",
    "optimum",
    "parse_problem",
    "policy_steps",
    "read_problem",
    "scene_of",
    "single",
    "validate",
]
