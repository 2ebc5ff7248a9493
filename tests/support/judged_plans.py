"""Plans judged by two validators that others wrote."""

import pyval
import unified_planning.shortcuts as up
from unified_planning.io import PDDLReader


def by_both(domain, problem, plan):
    """Whether unified-planning's validator and pddl-pyvalidator accept a plan."""
    read = PDDLReader()
    task = read.parse_problem(str(domain), str(problem))
    up.get_environment().credits_stream = None
    with up.PlanValidator(problem_kind=task.kind) as validator:
        first = bool(validator.validate(task, read.parse_plan(task, str(plan))))
    return first and bool(pyval.PDDLValidator().validate(*map(str, (domain, problem, plan))).is_valid)
