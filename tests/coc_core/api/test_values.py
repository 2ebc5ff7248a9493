"""Numbers from Python: whole numbers of any kind, but no truth values, no fractions, no texts."""

import numpy as np
import pytest

from coc_core.errors import UsageError
from coc_learn.options import DrawnPairs, override_texts
from coc_problems import sizes_of, whole
from tests.support.for_each import for_each

NAN, INFINITY = float("nan"), float("inf")


def size(value):
    return whole("--n", value)


def share(value):
    return DrawnPairs(holdout=value).holdout


def test_a_number_may_be_numpys():
    for value in (3, np.int64(3), np.uint8(3)):
        assert (size(value), type(size(value)), sizes_of(value)) == (3, int, (3,))
        assert override_texts({"steps": value}, "x") == {"steps": "3"}
    assert size(10**18 - 1) == 10**18 - 1
    for value in (0, 1, 0.25, np.float32(0.25), np.float64(0.5)):
        assert (share(value), type(share(value))) == (value, float)


@for_each(
    ("read", "values", "reason"),
    [
        (size, [True, False, 3.0, "3", "٣", None, [3], NAN, np.float64(3), np.bool_(True)], "is not a whole number"),
        (size, [10**18, -(10**18), 10**5_000], "'--n': it must have at most 18 digits"),
        (share, [True, "0.5", 1j, [0.5]], "'--holdout': '.*' is not a number such as 0.5"),
        (share, [-0.1, 1.1, NAN, INFINITY, 10**400], "'--holdout': it must be from 0 to 1"),
        (lambda value: override_texts({"steps": value}, "x"), [object()], "'steps' is of type object; give a number"),
    ],
)
def test_what_is_no_such_number_is_refused_in_one_line(read, values, reason):
    for value in values:
        with pytest.raises(UsageError, match=reason) as error:
            read(value)
        assert "\n" not in str(error.value)
