"""Domains: problems, policies and rules; and what follows from them: samples, plans, scenes, shortest plans."""

from coc_core.domain.base import Domain
from coc_core.domain.capabilities import (
    Column,
    HasScenes,
    Item,
    KnowsUnsolvable,
    NearGoal,
    Scene,
    near_goal_problem,
    scene_of,
    why_unsolvable,
)
from coc_core.domain.operators import Assignment, HasOperators, Operator, compose, has_operators
from coc_core.domain.plan import effects, validate
from coc_core.domain.plans.check import PlanCheck, check_plan, lines_of, recognised
from coc_core.domain.plans.format import LineFormat, PlanFormat
from coc_core.domain.plans.json_format import JsonPlan
from coc_core.domain.plans.moves import ReadsMoves, read_move
from coc_core.domain.plans.text_formats import PhysicalPlan, TextPlan
from coc_core.domain.plans.writer import PlanWriter
from coc_core.domain.policy import policy_steps
from coc_core.domain.problem_files import json_lines, text_lines, whole_file
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
from coc_core.domain.search import check_searchable, optimum
from coc_core.domain.stored import At, StoresRecords, at_codec, record_named, split_record, with_record, without_record
from coc_core.domain.translation import Translation

__all__ = [
    "MOST_PROBLEMS",
    "Assignment",
    "At",
    "Column",
    "Domain",
    "HasOperators",
    "HasScenes",
    "Instance",
    "Item",
    "JsonPlan",
    "KnowsUnsolvable",
    "LineFormat",
    "NearGoal",
    "Operator",
    "PhysicalPlan",
    "PlanCheck",
    "PlanFormat",
    "PlanWriter",
    "ReadsMoves",
    "Scene",
    "Split",
    "StoresRecords",
    "TextPlan",
    "Translation",
    "at_codec",
    "check_plan",
    "check_searchable",
    "compose",
    "effects",
    "enumerate_all",
    "enumerate_first",
    "has_operators",
    "has_single_problem",
    "json_lines",
    "lines_of",
    "near_goal_problem",
    "optimum",
    "parse_problem",
    "policy_steps",
    "read_move",
    "read_problem",
    "recognised",
    "record_named",
    "sample_near_goal",
    "sample_problems",
    "scene_of",
    "split_record",
    "text_lines",
    "validate",
    "whole_file",
    "why_unsolvable",
    "with_record",
    "without_record",
]
