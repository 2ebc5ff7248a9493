"""JSON plans: what coc writes, what others write, and what is refused."""

import json

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import JsonPlan
from coc_core.errors import ArtefactError
from coc_hanoi.domain import Hanoi
from coc_hanoi.instructions import Tower
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
    with pytest.raises(ValueError, match=r"at character|no \"actions\""):
        entries(text[:cut])


def test_the_actions_come_one_by_one():
    found = FORM.entries([f'["{ONE}", "{TWO}", oops'])
    assert [next(found), next(found)] == [ONE, TWO]
    with pytest.raises(ValueError, match="a text is missing at character 56"):
        next(found)


@for_each(
    ("text", "reason"),
    [
        ("", "'{' is missing at character 1"),
        ("7", "'{' is missing at character 1"),
        ("{}", 'it has no "actions"'),
        ('{"actions": [], "actions": []}', "its key 'actions' is twice there, or unknown"),
        ('{"plan": []}', "its key 'plan' is twice there, or unknown"),
        ('{"actions": [7]}', "a text is missing at character 14"),
        ('{"actions": {}}', "'\\[' is missing at character 13"),
        ('{"actions" []}', "':' is missing at character 12"),
        ("[] []", "there is more after its end"),
        ('["a" "b"]', "',' is missing at character 6"),
        ('["a",]', "a text is missing at character 6"),
        ('["\x01"]', "the text at character 2 is not complete, or not as in JSON"),
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
