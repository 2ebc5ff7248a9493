"""What is written in a format is read from it, for every domain and every format."""

import json
from io import StringIO

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.domain import JsonPlan, PlanWriter, TextPlan, plans
from coc_core.domain.plans import LONGEST
from coc_core.errors import ArtefactError
from coc_planning.validation import lines_of
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from coc_puzzles.pancake.domain import FlipFrom, FlipInto, Order, Pancake
from tests.support.for_each import for_each
from tests.support.plan_formats import PAIRS, form_of, read, solved, written


@pytest.mark.parametrize(("domain", "name"), PAIRS)
@settings(max_examples=30)
@given(n=st.integers(1, 6), seed=st.integers(0, 99), kept=st.integers(0, 200))
def test_reading_gives_what_was_written(domain, name, n, seed, kept):
    problem, plan = solved(domain, n, seed)
    form = form_of(domain, name, problem)
    text = written(form, plan[:kept])
    again, _ = read(form, text)
    assert written(form, again) == text
    if name != "pddl":  # which leave out what changes nothing
        assert again == plan[:kept]


def text_plan():
    return TextPlan(Hanoi(), Tower(2))


def test_blank_lines_comments_and_ends_of_lines_don_t_matter():
    lines = ["; a comment\n", "\n", "  Move disk 1 from 1 to 2\r\n", " \t\n", "Move disk 2 from 1 to 3"]
    assert list(text_plan().entries(lines)) == ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"]


def test_a_line_has_a_greatest_length():
    read = text_plan().entries(lines_of(StringIO("x" * (LONGEST - 1) + "\ny\n" + "x" * LONGEST)))
    assert [len(next(read)), next(read)] == [LONGEST - 1, "y"]
    with pytest.raises(ValueError, match="a line has more than 65,536 characters"):
        next(read)


def test_the_first_line_shows_the_format_also_by_an_action_that_can_t_be_taken():
    for form, first, shows in (
        (text_plan(), "Move disk 1 from 1 to 2\n", True),
        (text_plan(), "Move disk 2 from 2 to 1\n", True),
        (text_plan(), "Move disk 1 from Peg 1 to Peg 2\n", False),
        (FORM, '  {"domain"', True),
        (FORM, "[\n", True),
        (FORM, ONE, False),
    ):
        assert form.begins(first) == shows


DOMAIN, PROBLEM = Pancake(), Order((3, 2, 1), (1, 2, 3))
PLAN = (FlipFrom(1), FlipInto(1), FlipFrom(3), FlipInto(3))


def in_groups(form, *groups):
    parts, state = [], DOMAIN.initial(PROBLEM)
    writer = PlanWriter(form, parts.append)
    for group in groups:
        writer.add(state, group)
        for action in group:
            state = DOMAIN.apply(state, action)
    writer.close()
    return b"".join(parts)


def test_actions_may_come_in_groups():
    for kind in (TextPlan, JsonPlan):
        whole = in_groups(kind(DOMAIN, PROBLEM), PLAN)
        assert whole == in_groups(kind(DOMAIN, PROBLEM), *((action,) for action in PLAN))
        assert whole == in_groups(kind(DOMAIN, PROBLEM), PLAN[:3], (), PLAN[3:])
    assert in_groups(TextPlan(DOMAIN, PROBLEM)) == b""
    assert in_groups(JsonPlan(DOMAIN, PROBLEM)).endswith(b'"actions": [\n]}\n')


ONE, TWO = "Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"
FORM = JsonPlan(Hanoi(), Tower(2))
NAMES = {"domain": "hanoi", "problem": "n=2 src=1 dst=3"}


def entries(text):
    return list(FORM.entries(text.splitlines(keepends=True)))


@given(
    st.lists(st.text(max_size=20), max_size=5),
    st.sampled_from([None, 0, 3]),
    st.permutations(["domain", "problem", "actions"]),
    st.integers(0, 2),
    st.booleans(),
)
def test_any_layout_of_the_object_or_the_list_is_read(actions, indent, keys, left_out, as_list):
    whole = {**NAMES, "actions": actions}
    kept = [key for key in keys if key == "actions" or left_out == 0 or key != list(NAMES)[left_out - 1]]
    value = actions if as_list else {key: whole[key] for key in kept}
    assert entries(f"\n {json.dumps(value, indent=indent)} \n") == actions


@given(st.lists(st.text(max_size=9), max_size=5), st.integers(1, 9), st.sampled_from([None, 1]))
def test_a_long_line_may_come_in_parts(actions, size, indent):
    text = json.dumps({**NAMES, "actions": actions}, indent=indent) + "\n"
    parts = [line[at : at + size] for line in text.splitlines(keepends=True) for at in range(0, len(line), size)]
    assert list(FORM.entries(parts)) == actions


@for_each("cut", range(1, 80))
def test_a_document_that_is_cut_off_is_refused(cut):
    text = json.dumps({"actions": [ONE, TWO], **NAMES})
    with pytest.raises(ValueError, match="line 1 column"):
        entries(text[:cut])


def test_a_document_that_is_too_long_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(plans, "LONGEST_PLAN", 100)
    taken = []
    lines = (taken.append(line) or line for line in ["["] + 9 * [f'"{ONE}",\n'])
    with pytest.raises(ValueError, match="it has more than 100 characters; write it as text"):
        list(FORM.entries(lines))
    assert len(taken) == 5


@for_each(
    ("text", "reason"),
    [
        ("", "Expecting value: line 1 column 1"),
        ("7", 'it is neither a list nor an object with the list "actions"'),
        ("{}", 'it is neither a list nor an object with the list "actions"'),
        ('{"actions": [], "actions": []}', "a key appears twice"),
        ('{"plan": []}', "its key 'plan' is unknown"),
        ('{"actions": [7]}', "action 1 is not a text"),
        ('{"actions": {}}', 'it is neither a list nor an object with the list "actions"'),
        ('{"actions" []}', "Expecting ':' delimiter: line 1 column 12"),
        ("[] []", "Extra data: line 1 column 4"),
        ('["a",]', "line 1 column 5|line 1 column 6"),
        ('["\x01"]', "Invalid control character at: line 1 column 3"),
        (100_000 * "[", "^it is nested too deeply$"),
    ],
)
def test_what_is_no_plan_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        list(FORM.entries([text]))


@pytest.mark.parametrize(("key", "value"), [("domain", "pancake"), ("problem", "n=3 src=1 dst=3")])
def test_a_plan_for_something_else_is_refused(key, value):
    with pytest.raises(ArtefactError, match=f"the plan is for the {key} '{value}', not '{NAMES[key]}'"):
        entries(json.dumps({key: value, "actions": []}))
