"""What the strategies draw, and what it shrinks to."""

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st
from hypothesis.stateful import run_state_machine_as_test

from coc_check import Nonconforming, strategies
from coc_check.strategies import memory_machine
from coc_core.memories import PDAStack
from coc_core.plugin import DomainSpec
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.plain_memories import PlainStack

FEW = settings(max_examples=6, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
QUICK = settings(
    max_examples=300,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
)
SMALL = {"hanoi": 1, "pancake": 1, "blocksworld": 1, "river-crossing": 1}


def domain_of(name):
    return REGISTRY.create(DomainSpec, name)


def smallest(strategy, condition=lambda drawn: True):
    return find(strategy, condition, settings=QUICK)


@FEW
@given(st.data())
def test_what_is_drawn_of_a_domain_belongs_to_it(data):
    domain = domain_of("hanoi")
    problem = data.draw(strategies.problems(domain, sizes=(2, 3)))
    assert domain.size(problem) in (2, 3)
    assert domain.problems.parse(domain.problems.format(problem)) == problem
    instruction = data.draw(strategies.instructions(domain))
    assert domain.expand(instruction) == domain.expand(instruction)
    assert domain.render(data.draw(strategies.states(domain)), 80)
    state, action = data.draw(strategies.legal_actions(domain))
    domain.apply(state, action)


@pytest.mark.slow
@for_each(("name", "n"), SMALL.items())
def test_what_is_drawn_of_a_domain_shrinks_to_the_first_state_of_a_smallest_problem(name, n):
    domain = domain_of(name)
    problem = domain.problem(n)
    assert smallest(strategies.problems(domain)) == problem
    assert smallest(strategies.instructions(domain)) == domain.start(problem)
    assert smallest(strategies.states(domain)) == domain.initial(problem)
    if name == "pancake":  # one pancake has no plan, from which actions could be drawn
        problem = domain.problem(2)
    assert smallest(strategies.legal_actions(domain))[0] == domain.initial(problem)


def test_a_state_beside_the_plan_is_drawn_too():
    hanoi = domain_of("hanoi")
    problem = hanoi.problem(1)
    (beside,) = {1, 2, 3} - {problem.src, problem.dst}
    assert smallest(strategies.states(hanoi, sizes=[1]), lambda drawn: drawn == (beside,)) == (beside,)


class Forgetful(PDAStack):
    """A stack that knows no limits."""

    def write(self, contents, write):
        self.limits = type(self.limits)()
        return super().write(contents, write)


def test_a_wrong_memory_is_found():
    machine = memory_machine(Forgetful, PlainStack)
    with pytest.raises(Nonconforming, match="a step is accepted that has to be refused"):
        run_state_machine_as_test(machine, settings=settings(QUICK, phases=[Phase.generate], stateful_step_count=15))
