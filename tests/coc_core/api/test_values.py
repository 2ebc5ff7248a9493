"""Numbers from Python: whole numbers of any kind, but no truth values, no fractions, no texts."""

import numpy as np
import pytest

from coc_core.errors import UsageError
from coc_learn.options import DrawnPairs, override_texts
from coc_problems import sizes_of, whole
from tests.support.for_each import for_each


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_a_whole_number_may_be_numpys(value):
    assert (whole("--n", value), type(whole("--n", value))) == (3, int)
    assert sizes_of(value) == (3,)
    assert override_texts({"steps": value}, "x") == {"steps": "3"}


@for_each("value", [True, False, 3.0, "3", "٣", None, [3], float("nan"), np.float64(3), np.bool_(True)])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(UsageError, match=r"Invalid value for '--n': '.*' is not a whole number") as error:
        whole("--n", value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [10**18, -(10**18), 10**5_000], ids=["least", "negative", "huge"])
def test_a_whole_number_has_18_digits_at_most(value):
    assert whole("--n", 10**18 - 1) == 10**18 - 1
    with pytest.raises(UsageError, match=r"Invalid value for '--n': it must have at most 18 digits"):
        whole("--n", value)


@pytest.mark.parametrize("value", [0, 1, 0.25, np.float32(0.25), np.float64(0.5)])
def test_a_fraction_is_a_number(value):
    found = DrawnPairs(holdout=value).holdout
    assert (found, type(found)) == (value, float)


@pytest.mark.parametrize("value", [True, "0.5", 1j, [0.5]])
def test_what_is_no_fraction_is_refused(value):
    with pytest.raises(UsageError, match=r"Invalid value for '--holdout': '.*' is not a number such as 0.5"):
        DrawnPairs(holdout=value)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), 10**400])
def test_a_fraction_is_from_0_to_1(value):
    with pytest.raises(UsageError, match=r"Invalid value for '--holdout': it must be from 0 to 1"):
        DrawnPairs(holdout=value)


def test_a_hyperparameter_that_is_no_number_or_text_is_named_by_its_type():
    with pytest.raises(UsageError, match="'steps' is of type object; give a number"):
        override_texts({"steps": object()}, "hyperparameters")
