import pytest
from hypothesis import given, strategies as st

from coc_puzzles.river.people import PEOPLE, Person, conflict, pairs, parse_person
from tests.support.for_each import for_each

PEOPLE_OF_FOUR = st.frozensets(st.sampled_from(pairs(1, 4)))


def test_the_agent_comes_before_the_actor():
    assert list(map(str, pairs(2, 3))) == ["A2", "a2", "A3", "a3"]
    assert sorted(pairs(10, 11) + pairs(1, 9)) == list(pairs(1, 11))
    assert pairs(2, 1) == ()


@pytest.mark.parametrize("text", ["[]", "[A1]", "[A1, a1]", "[a12, A1]"])
def test_people_are_written_as_a_list(text):
    assert PEOPLE.format(PEOPLE.parse(text)) == text


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


@for_each(
    ("names", "found"),
    [
        ("", None),
        ("A1 A2", None),
        ("a1 a2 a3", None),
        ("A1 a1 A2", None),
        ("A1 a2", "a2 is with A1, but without A2"),
        ("A1 a1 A3 a2 a4", "a2 is with A1, but without A2"),
    ],
)
def test_an_actor_is_with_an_agent_only_if_their_own_is_there(names, found):
    assert conflict([parse_person(name) for name in names.split()]) == found


@pytest.mark.slow
@given(PEOPLE_OF_FOUR)
def test_the_rule_is_about_each_actor_and_each_agent(together):
    broken = any(
        actor.kind == "a" and agent.kind == "A" and Person(actor.pair, "A") not in together
        for actor in together
        for agent in together
    )
    assert (conflict(together) is not None) == broken
