"""Paired comparison: which problems only one of two evaluations solved, and whether that can be chance."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_learn.measure import success
from coc_learn.measure.comparison import Paired, paired, together
from coc_learn.measure.success import Evaluation
from coc_problems import sample_problems
from tests.support.plan_runs import setting_of
from tests.support.toy_parts import Scripted

SETTING = setting_of("pancake")
SIZES = {5: 7, 6: 4}
PROBLEMS = [problem for n, count in SIZES.items() for problem in sample_problems(SETTING.domain, n, count)]
STARTS = [SETTING.machine(each.problem).peek() for each in PROBLEMS]


def evaluated(failing, problems=PROBLEMS):
    """An evaluation in which the problems with these indices fail."""
    refused = {STARTS[index] for index in failing}
    right = Reference(SETTING.convention)
    model = Scripted(then=lambda prompt: "nothing" if prompt in refused else right.complete([prompt])[0])
    evaluation = Evaluation(SETTING, model, Cached())
    evaluation.run(problems)
    return evaluation


indices = st.sets(st.sampled_from(range(len(PROBLEMS))))


@given(first=indices, second=indices)
def test_each_problem_is_counted_once_and_where_it_belongs(first, second):
    sizes = paired(evaluated(first), evaluated(second))
    assert [each.n for each in sizes] == list(SIZES)
    for each in sizes:
        of_size = {index for index, problem in enumerate(PROBLEMS) if problem.n == each.n}
        assert each == Paired(
            each.n,
            len(of_size - first - second),
            len(of_size & (second - first)),
            len(of_size & (first - second)),
            len(of_size & first & second),
        )
    assert together(sizes).problems == len(PROBLEMS)
    assert together(sizes).only_first == len(second - first)


@given(first=st.integers(0, 60), second=st.integers(0, 60))
def test_the_p_value_is_that_of_the_binomial_distribution(first, second):
    total = first + second
    tail = sum(Fraction(comb(total, count), 2**total) for count in range(min(first, second) + 1))
    assert Paired(0, 0, first, second, 0).p_value == pytest.approx(min(1.0, float(2 * tail)), rel=1e-9)


def test_other_problems_and_failures_that_were_only_counted_are_not_compared(monkeypatch):
    cut = evaluated(())
    cut.interrupt()
    for other in (evaluated((), PROBLEMS[:-1]), cut):
        with pytest.raises(UsageError, match="both ran the same problems to the end"):
            paired(evaluated(()), other)
    monkeypatch.setattr(success, "MOST_FAILURES", 2)
    with pytest.raises(UsageError, match="too many problems failed for a comparison"):
        paired(evaluated(()), evaluated((0, 1, 2)))
