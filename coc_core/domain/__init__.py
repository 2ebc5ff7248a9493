"""Domains: what a problem is, what an instruction does, and what follows from that alone."""

from coc_core.domain.base import Domain
from coc_core.domain.near_goal import NearlySolved, nearly_solved
from coc_core.domain.plan import effects, judge, validate
from coc_core.domain.problems import parse_problem, read_problem
from coc_core.domain.sampling import Draw, Part, draw, enumerate_all, first, near, single
from coc_core.domain.scene import Column, Drawn, Item, Scene, scene_of
from coc_core.domain.search import check_searchable, optimum

__all__ = [
    "Column",
    "Domain",
    "Draw",
    "Drawn",
    "Item",
    "NearlySolved",
    "Part",
    "Scene",
    "check_searchable",
    "draw",
    "effects",
    "enumerate_all",
    "first",
    "judge",
    "near",
    "nearly_solved",
    "optimum",
    "parse_problem",
    "read_problem",
    "scene_of",
    "single",
    "validate",
]
