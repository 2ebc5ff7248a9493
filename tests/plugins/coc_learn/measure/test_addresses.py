"""The pairs of address arithmetic that are checked, and what is told of them."""

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_learn.addresses.dialect import drawn_addresses
from coc_learn.measure.addresses import expressions, parts_of, small_problems
from tests.support.for_each import for_each
from tests.support.plan_runs import setting_of

LINKED = ["NEXT_ID", "NEXT_ID+1", "NEXT_ID+2", "NEXT_ID+3", "prev"]


@for_each(
    ("domain", "memory", "found"),
    [
        ("hanoi", "tape", LINKED),
        *((each, "tape", ["-1", "PTR+1"]) for each in ("blocksworld", "blocksworld-extended", "pancake")),
        ("hanoi", "pda", []),
    ],
)
def test_the_expressions_of_small_runs_are_those_of_all_runs(domain, memory, found):
    subject = setting_of(domain, memory, "symbolic")
    assert expressions(subject, small_problems(subject)) == found
    assert expressions(subject, [subject.domain.problem(7, 5)]) == found


def test_there_is_a_pair_for_each_expression_and_address():
    parts = {name: [*pairs] for name, pairs in parts_of(["-1", "PTR+1", "prev"], range(3, 23))}
    assert parts == {
        "prev=-1": [("prev=-1 prev", "-1")],
        "-1": [("-1", "-1")],
        "PTR+1": [(f"PTR={value} PTR+1", f"{value + 1}") for value in range(3, 23)],
        "prev": [(f"prev={value} prev", f"{value}") for value in range(3, 23)],
    }


def test_a_result_with_too_many_digits_is_refused():
    with pytest.raises(UsageError, match=r"for the address 9,999,999,999,999,999,998, the value of 'PTR\+2' has more"):
        parts_of(["PTR+2"], [3, 10**19 - 2])


@given(first=st.integers(0, 10**6), size=st.integers(1, 10**13), count=st.integers(1, 30), seed=st.integers(0, 9))
def test_so_many_addresses_of_each_number_of_digits_are_drawn(first, size, count, seed):
    values = range(first, first + size)
    drawn = drawn_addresses(values, count, seed)
    assert drawn == sorted(set(drawn)) == drawn_addresses(values, count, seed)
    assert all(value in values for value in drawn)
    for digits in range(len(str(values[0])), len(str(values[-1])) + 1):
        least, end = max(first, 10 ** (digits - 1) if digits > 1 else 0), min(values.stop, 10**digits)
        assert sum(len(str(value)) == digits for value in drawn) == min(count, end - least)


def test_carries_and_repeated_digits_are_drawn():
    drawn, other = ([*map(str, drawn_addresses(range(10**18, 10**19 - 3), 300, seed))] for seed in (0, 1))
    assert sum(value[-3:] >= "997" for value in drawn) > 60
    assert sum(len(set(value)) <= 2 for value in drawn) > 60
    assert drawn != other
