"""What is written in a format is read from it, for every domain and every format."""

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.domain import TextPlan, lines_of
from coc_core.domain.plans import LONGEST
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.plan_formats import DOMAINS, PAIRS, form_of, read, solved, written


@pytest.mark.parametrize(("domain", "name"), PAIRS)
@settings(max_examples=30)
@given(n=st.integers(1, 6), seed=st.integers(0, 99), kept=st.integers(0, 200))
def test_reading_gives_what_was_written(domain, name, n, seed, kept):
    problem, plan = solved(domain, n, seed)
    form = form_of(domain, name, problem)
    text = written(form, plan[:kept])
    again, _ = read(form, text)
    assert written(form, again) == text
    if name not in ("physical", "pddl"):  # which leave out what changes nothing
        assert again == plan[:kept]


@pytest.mark.parametrize("domain", DOMAINS)
@given(n=st.integers(1, 6), seed=st.integers(0, 99))
def test_a_physical_plan_reaches_the_goal_as_the_actions_do(domain, n, seed):
    problem, plan = solved(domain, n, seed)
    form = form_of(domain, "physical", problem)
    _, state = read(form, written(form, plan))
    assert form.domain.is_goal(problem, state)


def text_plan():
    return TextPlan(Hanoi(), Tower(2))


def test_blank_lines_comments_and_ends_of_lines_don_t_matter():
    lines = ["; a comment\n", "\n", "  Move disk 1 from 1 to 2\r\n", " \t\n", "Move disk 2 from 1 to 3"]
    assert list(text_plan().entries(lines)) == ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"]


def test_a_line_that_is_too_long_is_refused(tmp_path):
    path = tmp_path / "plan"
    path.write_text("x" * (LONGEST + 1))
    with path.open() as file, pytest.raises(ValueError, match="a line has more than 65,536 characters"):
        list(text_plan().entries(lines_of(file)))


def test_a_line_of_the_greatest_length_is_read(tmp_path):
    path = tmp_path / "plan"
    path.write_text("x" * (LONGEST - 1) + "\n" + "y")
    with path.open() as file:
        assert [len(entry) for entry in text_plan().entries(lines_of(file))] == [LONGEST - 1, 1]


def test_the_first_line_shows_the_format():
    form = text_plan()
    assert form.begins("Move disk 1 from 1 to 2\n")
    assert form.begins("Move disk 2 from 2 to 1\n")
    assert not form.begins("Move disk 1 from Peg 1 to Peg 2\n")


def test_an_action_that_can_t_be_taken_shows_the_format_too():
    form = form_of("pancake", "physical", DOMAINS["pancake"].problem(3))
    assert form.begins("flip 9")
    assert not form.begins("flop 9")
