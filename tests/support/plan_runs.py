"""Runs for tests that look at plans."""

import pytest

from coc_core.errors import ActionFault
from coc_core.execution import Auto, Cached
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_problems import effects, policy_steps

SETTINGS = [(memory, arith) for memory in ("tape", "pda") for arith in ("inline", "symbolic")]


def setting_of(domain, memory="pda", arith="symbolic"):
    """The setting with these names, of the installed plugins."""
    return Setting.of(Registry.installed(), domain, memory, arith)


def plan(domain, problem):
    """The actions of a domain's policy."""
    return [each for _, step in policy_steps(domain, problem) for each in step.emits if each in domain.actions]


def solve(setting, problems, model="reference"):
    """For each problem (problem, outcome, actions, physical plan) of a run; with `model=None` of the shipped model."""
    executor = Auto() if model is None else Cached()  # drafts would ask the reference model twice
    model = setting.model(model)
    for problem in problems:
        actions = []
        machine = setting.machine(problem, [lambda record, actions=actions: actions.extend(record.actions)])
        (outcome,) = executor.run([machine], model)
        yield problem, outcome, actions, list(effects(setting.domain, setting.domain.initial(problem), actions))


def same_moves(domain, problem, actions, simulate):
    """Take those of the actions that are legal: to the domain and a simulator. The last state, and what that gives."""
    state, lines = domain.initial(problem), []
    for action in actions:
        line = domain.actions.format(action)
        try:
            after = domain.apply(state, action)
        except ActionFault:
            with pytest.raises(AssertionError):
                simulate([*lines, line])
        else:
            assert after in list(domain.neighbours(state))
            state = after
            lines.append(line)
    return state, simulate(lines)
