"""The policy: what it writes, that it solves every problem by the rules alone, and how many actions it takes."""

import random
from collections import Counter

import pytest

from coc_core.domain import parse_problem
from coc_problems import policy_steps
from coc_puzzles.blocksworld.blocks.policy import Arrange
from tests.support.block_problems import DOMAIN, plan_of, problem_of
from tests.support.block_states import atoms, draw_problem, play
from tests.support.for_each import for_each
from tests.support.plan_runs import SETTINGS, setting_of, solve


def steps(text):
    domain, written = DOMAIN, []
    for instruction, step in policy_steps(domain, parse_problem(domain, text)):
        (emitted,) = step.emits
        forms = domain.actions if emitted in domain.actions else domain.notes
        written.append((domain.instructions.format(instruction), forms.format(emitted)))
    return written


def test_a_run_in_its_own_words():
    text = "start=[[a, b], [c, d]] & hand=[] & goal=[on b c, on a b]"
    assert steps(text) == [
        ("CALL hand=[] & towers=[[B1, B2], [B3, B4]] & goal=[[B3, B2, B1]]", "Unstack B4 from B3"),
        ("CALL hand=[B4] & towers=[[B1, B2]] & goal=[[B3, B2, B1]]", "Put down B4"),
        ("CALL hand=[] & towers=[[B1, B2]] & goal=[[B3, B2, B1]]", "Unstack B2 from B1"),
        ("CALL hand=[B2] & towers=[] & goal=[[B3, B2, B1]]", "Stack B2 on B3"),
        ("CALL hand=[] & towers=[] & goal=[[B2, B1]]", "Pick up B1"),
        ("CALL hand=[B1] & towers=[] & goal=[[B2, B1]]", "Stack B1 on B2"),
        ("CALL hand=[] & towers=[] & goal=[]", "Every block is where it belongs."),
    ]


@for_each(
    ("text", "plan"),
    [
        ("start=[[a, b], [c]] & hand=[] & goal=[on b a, clear c]", []),
        ("start=[[a, b]] & hand=[c] & goal=[on b a]", []),  # what is held may stay there
        ("start=[[a, b]] & hand=[c] & goal=[on b a, handempty]", ["put-down c"]),
        ("start=[[a, b]] & hand=[c] & goal=[on c b]", ["stack c b"]),
        ("start=[[a, b]] & hand=[c] & goal=[holding b]", ["put-down c", "unstack b a"]),
        ("start=[[a, b]] & hand=[] & goal=[holding a]", ["unstack b a", "put-down b", "pick-up a"]),
        # The tower with the block to hold is taken apart last, and a free block stays where it is.
        (
            "start=[[a, b], [c, d], [e, f]] & hand=[] & goal=[holding b, clear c]",
            ["unstack d c", "put-down d", "unstack b a"],
        ),
        # The first tower of the goal is built as soon as that is possible.
        (
            "start=[[a], [b], [c, d]] & hand=[] & goal=[on a b, on d a]",
            ["pick-up a", "stack a b", "unstack d c", "stack d a"],
        ),
    ],
)
def test_what_stands_right_is_left_alone(text, plan):
    assert plan_of(parse_problem(DOMAIN, text)) == plan


@pytest.mark.parametrize(
    ("hand", "towers", "goal", "complaint"),
    [
        ((1, 2), (), (), "one block at most"),
        ((), ((1,),), (), "two at least"),
        ((1,), ((1, 2),), (), "in two places"),
        ((), ((1, 2), (2, 3)), (), "in two places"),
        ((), (), ((1, 2), (2, 3)), "in two places"),
    ],
)
def test_impossible_instructions_are_refused(hand, towers, goal, complaint):
    with pytest.raises(ValueError, match=complaint):
        Arrange(hand, towers, goal)


@pytest.mark.slow
def test_drawn_problems_are_solved_in_every_setting():
    rng, settings = random.Random(24), [setting_of("blocks", *names) for names in SETTINGS]
    kinds = Counter()
    for number in range(240):
        start, wanted = draw_problem(rng, rng.randint(3, 40))
        problem = problem_of(start, wanted)
        ((_, outcome, _, lines),) = solve(settings[number % len(settings)], [problem])
        assert outcome.status == "solved", problem
        after = play(start, lines)
        assert set(wanted) <= atoms(after)
        if set(wanted) <= atoms(start):
            assert lines == []
            kinds["true already"] += 1
        kinds["flat" if all(len(tower) == 1 for tower in start[0]) else "towers"] += 1
        kinds["held"] += len(start[1])
        kinds["partial"] += set(wanted) != atoms(after)
    assert min(kinds.values()) > 15, kinds
