"""Whole numbers, against Python's."""

from hypothesis import given, settings, strategies as st

from coc_programs.library import (
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
from tests.support.library_calls import called

PYTHON = {
    add: lambda a, b: a + b,
    subtract: lambda a, b: a - b,
    times: lambda a, b: a * b,
    quotient: lambda a, b: a // b if b else 0,
    remainder: lambda a, b: a % b if b else a,
    less: lambda a, b: a < b,
    same: lambda a, b: a == b,
    negate: lambda a: -a,
    successor: lambda a: a + 1,
    predecessor: lambda a: a - 1,
    is_negative: lambda a: a < 0,
}
WHOLE = st.integers(-(4**5), 4**5) | st.integers(-(10**20), 10**20)


def check(main, *numbers):
    arguments = numbers[: len(main.parameters)]
    assert called(main, *arguments) == PYTHON[main](*arguments), (main, arguments)


@given(a=WHOLE, b=WHOLE)
@settings(max_examples=60)
def test_numbers_are_those_of_python(a, b):
    for main in PYTHON:
        check(main, a, b)
        check(main, a, a)
