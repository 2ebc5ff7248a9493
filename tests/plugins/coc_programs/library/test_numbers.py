"""Whole numbers, against Python's."""

import random
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st

from coc_programs import Steps, each, new, procedure, read, write
from coc_programs.library import (
    List,
    Number,
    add,
    is_negative,
    less,
    negate,
    predecessor,
    quotient,
    remainder,
    same,
    subtract,
    successor,
    times,
)
from tests.support.library_calls import Box, Calls, Do


@procedure
def numbers(box: Box, calls: List) -> Steps[None]:
    """Make calls, of which each gives a number, or the first argument for what is true, and else nothing."""
    found = yield new(List)
    for call in each(calls):
        do = yield read(cast(Do, call))
        a, b = cast("Number | None", do.a), cast("Number | None", do.b)
        number: Number | None = None
        if do.what == "add":
            number = yield add(a, b)
        elif do.what == "subtract":
            number = yield subtract(a, b)
        elif do.what == "times":
            number = yield times(a, b)
        elif do.what == "quotient":
            number = yield quotient(a, b)
        elif do.what == "remainder":
            number = yield remainder(a, b)
        elif do.what == "negate":
            number = yield negate(a)
        elif do.what == "successor":
            number = yield successor(a)
        elif do.what == "predecessor":
            number = yield predecessor(a)
        elif do.what == "less":
            if (yield less(a, b)):
                number = a
        elif do.what == "same":
            if (yield same(a, b)):
                number = a
        elif (yield is_negative(a)):
            number = a
        found = yield new(List, first=number, next=found)
    yield write(box, found=found)


PYTHON = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "times": lambda a, b: a * b,
    "quotient": lambda a, b: a // b if b else 0,
    "remainder": lambda a, b: a % b if b else a,
    "negate": lambda a, b: -a,
    "successor": lambda a, b: a + 1,
    "predecessor": lambda a, b: a - 1,
    "less": lambda a, b: a if a < b else None,
    "same": lambda a, b: a if a == b else None,
    "negative": lambda a, b: a if a < 0 else None,
}
WHOLE = st.integers(-(4**5), 4**5) | st.integers(-(10**20), 10**20)
CALLS = st.lists(st.tuples(st.sampled_from([*PYTHON]), WHOLE, WHOLE) | WHOLE.map(lambda n: ("same", n, n)), max_size=20)


def python(calls):
    return [PYTHON[what](a, b) for what, a, b in calls]


@pytest.fixture(scope="module")
def runs():
    return Calls(numbers)


@given(calls=CALLS)
@settings(max_examples=60)
def test_numbers_are_those_of_python(runs, calls):
    assert runs.straight(calls)[1] == python(calls)


@pytest.mark.slow
@pytest.mark.parametrize("what", PYTHON)
def test_ten_thousand_calls_are_those_of_python(runs, what):
    rng, sizes = random.Random(0), [500, *[50] * 10, *[2] * 9_989]
    numbers = [[rng.choice((-1, 1)) * rng.randrange(10**size) for _ in range(2)] for size in sizes]
    calls = [(what, a, a if rng.random() < 0.1 else b) for a, b in numbers]
    assert runs.straight(calls)[1] == python(calls)


@given(calls=CALLS)
@settings(max_examples=10)
def test_they_are_on_the_machine(runs, calls):
    assert runs.on_the_machine(calls)[1] == python(calls)
