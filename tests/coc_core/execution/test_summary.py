"""`summary` ends each run as Algorithm 1 does, however long the run is and whatever is wrong with the model."""

import pytest
from attrs import evolve
from build import contents, convention, machine, solve
from hypothesis import example, given
from hypothesis import strategies as st
from wrong_models import WrongModel

from coc_core.execution import Cached, Sequential, Summary
from coc_core.types import Limits
from coc_hanoi.instructions import Tower

SPOKEN = convention()
ENDLESS = Limits(steps=10**100)
TIGHT = st.builds(
    Limits,
    steps=st.sampled_from([0, 1, 5, 40, 100, 10**9]),
    stack_depth=st.sampled_from([1, 2, 5, 9, 10**6]),
    windows_per_step=st.sampled_from([1, 2, 3, 1000]),
)


def ended(executor, n, seed, limits=Limits(), before=0):
    """How the run of a wrong model ends, and what it leaves."""
    subject = machine(problem=Tower(n), limits=limits)
    model = WrongModel(SPOKEN, Tower(n), seed)
    for _ in range(before):
        prompt = subject.peek()
        if prompt is not None:
            subject.step(SPOKEN.target_for(prompt))
    outcome = evolve(solve(subject, executor, model), model_calls=0, seconds=0.0)
    return outcome, contents(subject)


@given(st.integers(1, 9), st.integers(0, 10**9))
def test_wrong_models_end_as_they_do_step_by_step(n, seed):
    assert ended(Summary, n, seed) == ended(Sequential, n, seed)


@pytest.mark.slow
@given(st.integers(10, 14), st.integers(0, 10**9))
def test_so_do_those_of_long_runs(n, seed):
    assert ended(Summary, n, seed) == ended(Cached, n, seed)


@given(st.integers(1, 6), st.integers(0, 10**9), TIGHT, st.integers(0, 20))
@example(3, 0, Limits(steps=21), 0)
def test_limits_end_them_at_the_same_step_wherever_they_begin(n, seed, limits, before):
    assert ended(Summary, n, seed, limits, before) == ended(Sequential, n, seed, limits, before)
