"""Plans judged by two validators that others wrote."""

import warnings

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


def by_engine(domain, problem, **params):
    """The status of what coc as an engine of unified-planning makes of a problem, and how many actions its plan has."""
    import coc_planning.engine  # noqa: F401 - adds the engine

    up.get_environment().credits_stream = None
    task = PDDLReader().parse_problem(str(domain), str(problem))
    with up.OneshotPlanner(name="coc", params=params) as planner, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = planner.solve(task)
    return found.status.name, found.plan and len(found.plan.actions)
