import pytest
from hypothesis import given, strategies as st

from coc_puzzles.river.people import PEOPLE, Person, conflict, pairs

PEOPLE_OF_FOUR = st.frozensets(st.sampled_from(pairs(1, 4)))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A1, a1", "not a list of persons"),
        ("[, A1]", "'' is not a person; agents are A1, A2"),
        ("[B1]", "'B1' is not a person"),
        ("[A01]", "'01'"),
        ("[A]", "''"),
    ],
)
def test_other_lists_are_refused(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        PEOPLE.parse(text)


@pytest.mark.slow
@given(PEOPLE_OF_FOUR)
def test_the_rule_is_about_each_actor_and_each_agent(together):
    broken = any(
        actor.kind == "a" and agent.kind == "A" and Person(actor.pair, "A") not in together
        for actor in together
        for agent in together
    )
    assert (conflict(together) is not None) == broken
