"""JSON plans: what coc writes, what others write, and what is refused."""

import json

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import JsonPlan, plans
from coc_core.errors import ArtefactError
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each

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
        (100_000 * "[", "it is nested too deeply"),
    ],
)
def test_what_is_no_plan_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        list(FORM.entries([text]))


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("domain", "pancake", "the plan is for the domain 'pancake', not 'hanoi'"),
        ("problem", "n=3 src=1 dst=3", "the plan is for the problem 'n=3 src=1 dst=3', not 'n=2 src=1 dst=3'"),
    ],
)
def test_a_plan_for_something_else_is_refused(key, value, reason):
    with pytest.raises(ArtefactError, match=reason):
        entries(json.dumps({key: value, "actions": []}))


def test_its_first_line_shows_the_format():
    assert FORM.begins('  {"domain"')
    assert FORM.begins("[\n")
    assert not FORM.begins(ONE)
