import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_learn.datasets import Seen
from coc_learn.datasets.pairs import held_out_indices, hold_out

PAIRS = [Pair(str(index), str(-index)) for index in range(20)]
HELD_OUT_OF_20 = {2, 4, 7, 16, 19}


@given(st.floats(0, 1, exclude_max=True), st.integers())
def test_a_hold_out_is_a_partition(fraction, seed):
    train, held = hold_out(PAIRS, fraction, seed)
    assert len(held) == int(fraction * len(PAIRS))
    assert sorted(train + held) == sorted(PAIRS)
    assert (train, held) == hold_out(PAIRS, fraction, seed)


def test_what_a_seed_holds_out_never_changes():
    """A command that names a seed must always hold out the same pairs."""
    assert held_out_indices(20, 0.25, 0) == HELD_OUT_OF_20
    assert [int(pair.prompt) for pair in hold_out(PAIRS, 0.25, 0)[1]] == sorted(HELD_OUT_OF_20)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_seen_is_a_set_of_texts(texts):
    seen = Seen()
    assert [seen.add(text) for text in texts] == [text not in texts[:index] for index, text in enumerate(texts)]
    assert all(text in seen for text in texts)
    assert "".join(texts) + "!" not in seen or "".join(texts) + "!" in texts


@pytest.mark.parametrize("fraction", [-0.1, 1, 1.5, float("nan"), float("inf")])
def test_a_hold_out_leaves_something_to_train_on(fraction):
    with pytest.raises(UsageError, match="leaves nothing to train on; give a fraction from 0 to below 1"):
        hold_out(PAIRS, fraction, 0)
