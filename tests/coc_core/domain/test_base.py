import pytest

from coc_core.errors import UsageError
from tests.support.toy_parts import Line, Queue


@pytest.mark.parametrize("n", [0, -1, 1000, 10**6])
def test_a_size_out_of_range_is_refused(n):
    for problems in (Queue().problem, Queue().every_problem, Queue().check_size):
        with pytest.raises(UsageError, match=f"queue has no problem of size n={n}; n is 1 to 999"):
            problems(n)


def test_the_problems_of_a_size():
    assert list(Queue().every_problem(2)) == [Line((0, 1)), Line((1, 0))]
    assert sorted(Queue().problem(5).items) == list(range(5))
