"""Checks of a domain whose actions are operators (`coc_core.domain.HasOperators`)."""

import random
from typing import Any

from coc_check.check import needs, require, trying
from coc_check.domain.foreign import random_states, some_actions
from coc_check.domain.subject import DomainSubject
from coc_core.domain import HasOperators, compose
from coc_core.errors import ActionFault

NEEDS = ("illegal_actions_change_nothing",)
ACTIONS = 64  # that are tried in a state, at most


def operators_match_actions(subject: DomainSubject) -> None:
    """An operator is applicable in a random state exactly where its action is legal there, and leads to the same state.

    Compare `operator` with `apply`: it has to need whatever could make the action illegal, and to set whatever changes.
    """
    rng = random.Random(0)
    if isinstance(subject.domain, HasOperators):
        actions = some_actions(subject)
        for state in random_states(subject, rng):
            for action in rng.sample(actions, min(ACTIONS, len(actions))):
                where = f"{subject.domain.actions.format(action)} in {state!r}"
                with trying(where):
                    _match(subject.domain, state, action, where)


def _match(domain: Any, state: Any, action: Any, where: str) -> None:
    """Nonconforming unless an action does what its operator says."""
    operator, variables = domain.operator(action), domain.variables(state)
    applicable = operator is not None and operator.applicable(variables)
    try:
        after = domain.apply(state, action)
    except ActionFault as fault:
        require(not applicable, f"{operator} is applicable, and the action is illegal: {fault}", where)
        return
    require(applicable, f"{operator} is not applicable, and the action is legal", where)
    found, changed = domain.assign(state, operator.sets), domain.variables(after)
    require(found == after, f"{operator} leads to {found!r}, and the action to {after!r}", where)
    same = dict(changed) == {**variables, **operator.sets}
    require(same, f"the variables become {changed!r}, and {operator} sets others", where)


@needs("operators_match_actions")
def operators_compose(subject: DomainSubject) -> None:
    """The operators of a part of a plan are one operator, which leads from its first state to its last one.

    `assign` gets any number of values at once, and nothing else may be kept of the state than what is no variable.
    """
    domain, rng = subject.domain, random.Random(0)
    if isinstance(domain, HasOperators):
        for run in subject.runs():
            first, last = sorted(rng.choices(range(len(run.states)), k=2))
            for start, stop in ((0, len(run.plan)), (first, last)):
                where = f"actions {start + 1} to {stop} of {subject.named(run.problem)}"
                with trying(where):
                    operators = map(domain.operator, run.plan[start:stop])
                    operator = compose(one for one in operators if one is not None)
                    applicable = operator is not None and operator.applicable(domain.variables(run.states[start]))
                    require(applicable, f"together they are {operator}, which is not applicable", where)
                    assert operator is not None
                    found = domain.assign(run.states[start], operator.sets)
                    require(found == run.states[stop], f"they lead to {found!r}, not to {run.states[stop]!r}", where)
