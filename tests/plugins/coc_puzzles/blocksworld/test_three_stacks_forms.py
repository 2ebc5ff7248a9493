import pytest

from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from coc_puzzles.blocksworld.three_stacks import Arrange, Done, Move, Rearrangement, ThreeStacks
from tests.support.for_each import for_each

INSTRUCTIONS, ACTIONS, NOTES = ThreeStacks.instructions, ThreeStacks.actions, ThreeStacks.notes


@pytest.mark.parametrize(
    ("forms", "record", "text"),
    [
        (
            INSTRUCTIONS,
            Arrange(((1, 2), (), ()), ((), (2,), (1,))),
            "CALL stacks=[[B1, B2], [], []] & goal=[[], [B2], [B1]]",
        ),
        (INSTRUCTIONS, Arrange(((), (), ()), ((), (), ())), "CALL stacks=[[], [], []] & goal=[[], [], []]"),
        (ACTIONS, Move(12, 1, 3), "Move B12 from 1 to 3"),
        (NOTES, Done(), "Every block is in place."),
    ],
)
def test_the_texts(forms, record, text):
    assert forms.format(record) == text
    assert forms.parse(text) == record


@for_each(
    ("forms", "text", "complaint"),
    [
        (INSTRUCTIONS, "CALL stacks=[[B1], []] & goal=[[], [B1], []]", "there are 3 stacks, not 2; an empty one is"),
        (INSTRUCTIONS, "CALL stacks=[[B1], [], []] & goal=[[], [B2], []]", "different blocks"),
        (INSTRUCTIONS, "CALL stacks=[[B1, B1], [], []] & goal=[[], [B1, B1], []]", "one of them twice"),
        (INSTRUCTIONS, "CALL stacks=[[B1, B2], [], []] & goal=[[B1], [B2], []]", "a block is in place already"),
        (ACTIONS, "Move B1 from 1 to 1", "the stacks must differ, not be 1, 1"),
        (ACTIONS, "Move B1 from 1 to 4", "'dst' must be in"),
        (ACTIONS, "Move B0 from 1 to 2", "'B0' is not a block"),
    ],
)
def test_what_makes_no_sense_is_refused(forms, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        forms.parse(text)


MANY = ", ".join(f"B{block}" for block in range(1, 102))


@for_each(
    ("text", "complaint"),
    [
        ("start=[[B1, B2]] & goal=[[B1], [B2], []]", "there are 3 stacks, not 1"),
        ("start=[[B1], [B1], []] & goal=[[B1], [B2], []]", "B1 appears twice in the start"),
        ("start=[[B1], [], []] & goal=[[B1], [B2], []]", "B2 is missing from the start"),
        ("start=[B1, [], []] & goal=[[B1], [], []]", "'B1' is not a list of blocks"),
        ("start=[[], [], []] & goal=[[], [], []]", "no problem of size n=0"),
        (f"start=[[{MANY}], [], []] & goal=[[], [{MANY}], []]", "101 blocks are too many; the limit is 100"),
    ],
)
def test_bad_problems_get_one_line(text, complaint):
    found = parse_problem(ThreeStacks(), '{"start": [["B2", "B1"], [], []], "goal": [[], ["B1"], ["B2"]]}')
    assert found == Rearrangement(((2, 1), (), ()), ((), (1,), (2,)))
    with pytest.raises(UsageError, match=complaint):
        parse_problem(ThreeStacks(), text)
