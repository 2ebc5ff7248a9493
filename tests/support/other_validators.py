"""What validators that others wrote say of plans in PDDL: whether they are valid, and which action is the first wrong one.

Actions that can't be made, since no such action or object exists or the types are wrong, count as wrong.
"""

import re
import subprocess
import warnings

import unified_planning.shortcuts as up
from pyval.plan_simulator import simulate
from unified_planning.engines.results import FailedValidationReason
from unified_planning.exceptions import UPExpressionDefinitionError, UPTypeError, UPUsageError, UPValueError
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, SequentialPlan

NO_SUCH_ACTION = (UPExpressionDefinitionError, UPTypeError, UPUsageError, UPValueError, AssertionError)


class Unified:
    """unified-planning's `SequentialPlanValidator`, and pddl-pyvalidator, which reads files by unified-planning."""

    def __init__(self, domain, problem):
        up.get_environment().credits_stream = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.problem = PDDLReader().parse_problem_string(domain, problem)

    def _made(self, plan):
        """The actions up to the first one that can't be made."""
        found = []
        for name, *arguments in plan:
            try:
                action = self.problem.action(name)
                objects = tuple(map(self.problem.object, arguments))
                fits = len(objects) == len(action.parameters) and all(
                    parameter.type.is_compatible(each.type)
                    for parameter, each in zip(action.parameters, objects, strict=True)
                )
                if not fits:
                    break
                found.append(ActionInstance(action, objects))
            except NO_SUCH_ACTION:
                break
        return found

    def validated(self, plan):
        """By unified-planning: whether a plan is valid, and the number of the first wrong action, or None."""
        made = self._made(plan)
        with warnings.catch_warnings(), up.PlanValidator(name="sequential_plan_validator") as validator:
            warnings.simplefilter("ignore")
            found = validator.validate(self.problem, SequentialPlan(made, self.problem.environment))
        if found.reason is FailedValidationReason.INAPPLICABLE_ACTION:
            return False, len(found.trace)
        return (False, len(made) + 1) if len(made) < len(plan) else (bool(found), None)

    def simulated(self, plan):
        """By pddl-pyvalidator."""
        made = self._made(plan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            steps, _, goals, _, _ = simulate(self.problem, made, {})
        wrong = next((step.index for step in steps if step.status == "FAILED"), None)
        if wrong is not None or len(made) < len(plan):
            return False, wrong or len(made) + 1
        return all(goal.satisfied for goal in goals), None


def by_val(program, *files):
    """By the program Validate of VAL: whether a plan is valid, its cost, and what it printed."""
    done = subprocess.run([program, "-v", *map(str, files)], capture_output=True, text=True, timeout=60, check=False)
    cost = re.search(r"Final value: ([-0-9.e+]+)", done.stdout)
    return "Plan valid" in done.stdout, float(cost[1]) if cost else None, done.stdout
