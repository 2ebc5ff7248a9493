"""The records that every part shares."""

import pytest

from coc_core.types import Step
from tests.support.for_each import for_each


@for_each(
    ("arguments", "reason"),
    [
        ({"emits": "Say 3"}, "`emits` of a Step must be a tuple, not str"),
        ({"emits": 3}, "`emits` of a Step must be a tuple, not int"),
        ({"then": iter(())}, "`then` of a Step must be a tuple, not tuple_iterator"),
        ({"then": [1]}, "`then` of a Step must be a tuple, not list"),
        ({"emits": None}, "`emits` of a Step must be a tuple, not NoneType"),
    ],
)
def test_what_is_no_tuple_is_refused_where_the_step_is_made(arguments, reason):
    with pytest.raises(TypeError) as caught:
        Step(**arguments)
    assert str(caught.value) == f"{reason}; a tuple of one is written (x,)"
