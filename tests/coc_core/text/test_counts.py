import pytest

from coc_core.text import counted, duration
from tests.support.for_each import for_each


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps"), (1_048_575, "1,048,575 steps")]
)
def test_one_form_for_one_and_another_for_many(count, text):
    assert counted(count, "step") == text


def test_a_plural_of_its_own():
    assert counted(1, "address", "addresses") == "1 address"
    assert counted(3, "address", "addresses") == "3 addresses"


@for_each(
    ("seconds", "text"),
    [
        (0, "0.0 ms"),
        (0.00042, "0.4 ms"),
        (0.00994, "9.9 ms"),
        (0.01, "10 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.00 s"),
        (3.214, "3.21 s"),
        (9.996, "10.0 s"),
        (59.9, "59.9 s"),
        (100.2, "1 min 40 s"),
        (3_725, "62 min 05 s"),
    ],
)
def test_a_time_has_the_unit_that_suits_it(seconds, text):
    assert duration(seconds) == text
