import pytest
from hypothesis import given, strategies as st

from coc_core.text import Surface, Template


def test_a_template_finds_its_fields():
    template = Template("MOVE d={d} src={src}")
    assert template.fields == ("d", "src")
    assert template.match("MOVE d=1 src=2") == {"d": "1", "src": "2"}
    assert repr(template) == "Template('MOVE d={d} src={src}')"


@pytest.mark.parametrize("text", ["", "MOVE d=1", "MOVE d=1 src=2\n", "xMOVE d=1 src=2", "MOVE d=1\n src=2"])
def test_a_template_is_matched_whole_and_on_one_line(text):
    assert Template("MOVE d={d} src={src}").match(text) is None


def test_a_field_ends_at_the_first_occurrence_of_the_next_literal():
    assert Template("{a} & {b}").match("1 & 2 & 3") == {"a": "1", "b": "2 & 3"}
    assert Template("{a}; {b} & {c}").match("1 & 2; 3") is None
    assert Template("{a} & {b}.").match("1 & 2.3.") == {"a": "1", "b": "2.3"}


def test_a_repeated_field_must_hold_the_same_text():
    template = Template("{a}-{b}-{a}")
    assert template.fields == ("a", "b")
    assert template.match("1-2-1") == {"a": "1", "b": "2"}
    assert template.match("1-2-3") is None


def test_a_template_without_fields_matches_only_itself():
    template = Template("No. [a-z]*")
    assert template.match("No. [a-z]*") == {}
    assert template.match("No. a") is None


@given(st.lists(st.sampled_from(["MOVE d=", " src=", "1", "\n", " "])).map("".join))
def test_format_inverts_match(text):
    template = Template("MOVE d={d} src={src}")
    found = template.match(text)
    assert found is None or template.format(**found) == text


def test_long_hostile_texts_are_matched_in_linear_time():
    template = Template("{a} & {b} & {c}.")
    assert template.match("&" * 100_000) is None
    assert template.match(" & " * 50_000) is None
    assert template.match("." * 100_000) is None


def test_a_surface_is_written_as_plain_text():
    surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    assert surface.prompt.match("INSTR a") == {"instruction": "a"}
    assert surface.write.format(instruction="a") == "PUSH a"
    assert surface.registers is None


@pytest.mark.parametrize("join", ["\n", " "])
def test_what_closes_a_target_is_what_joins_it_unless_said_otherwise(join):
    assert Surface("", "", "PTR={PTR}", join=join).close == join
    assert Surface("", "", "PTR={PTR}", join=join, close="; ").close == "; "
