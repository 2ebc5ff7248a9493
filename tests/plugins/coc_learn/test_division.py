"""No pair counts as held out whose step the training learns; after another training, none does."""

from hypothesis import given, strategies as st

from coc_core.models import Pair
from coc_learn.division import divide
from coc_learn.trainer import StepKey, TrainingSet

DIALECTS = ("toy/stack", "toy/tape")


def one_set(train=(), heldout=(), dialect=DIALECTS[0], target="t"):
    train, heldout = ([Pair(f"SUCC n={number}", target) for number in part] for part in (train, heldout))
    return TrainingSet(dialect, train, heldout, "source")


def held(division):
    return [[pair.prompt.partition("=")[2] for pair in each.heldout] for each in division]


NUMBERS = st.lists(st.integers(0, 15), max_size=6)
SETS = st.lists(
    st.builds(one_set, NUMBERS.filter(bool), NUMBERS, st.sampled_from(DIALECTS), st.sampled_from("tu")),
    min_size=1,
    max_size=2,
    unique_by=lambda each: each.dialect,
)


@given(SETS, st.booleans())
def test_what_is_held_out_is_not_learned_and_nothing_else_changes(sets, further):
    division = divide(sets, further=further)
    learned = {pair.prompt for each in sets for pair in each.train}
    for before, after in zip(sets, division, strict=True):
        assert after.train == before.train
        new = [pair for pair in before.heldout if pair.prompt not in learned]
        assert after.heldout == ([] if further else new)
        assert after.known == (0 if further else len(before.heldout) - len(new))


def numeric(train=(), heldout=()):
    """Pairs of a dialect whose prompts show a register, written `STEP@REGISTER`."""

    def made(texts):
        return [Pair(f"SUCC n={text}", "t") for text in texts]

    def key(prompt):
        step, _, register = prompt.partition("@")
        return StepKey(step, f"PTR={register}")

    return TrainingSet("toy/numeric", made(train), made(heldout), step_key=key)


def test_registers_make_a_pair_new_only_where_both_prompts_show_some():
    sets = [numeric(["1@5", "2@5"], ["1@6", "2@5", "3@6", "4@6"]), one_set([3], [1, 4])]
    division = divide(sets, further=False)
    assert held(division) == [["1@6", "4@6"], ["4"]]
    assert [each.known for each in division] == [2, 1]


def test_a_set_without_pairs_and_one_with_half_a_character_stay_as_they_are():
    odd = TrainingSet("toy/stack", [Pair("\ud800", "t")], [Pair("\udc00", "t")])
    for one in (TrainingSet("toy/stack", [], []), odd):
        assert divide([one], further=False) == [one]
