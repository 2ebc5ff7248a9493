from string import Formatter

from hypothesis import given, strategies as st

from coc_core.text import Surface, Template
from tests.support.for_each import for_each

MOVE = "MOVE d={d} src={src}"


@for_each(
    ("template", "text", "found"),
    [
        (MOVE, "MOVE d=1 src=2", {"d": "1", "src": "2"}),
        *((MOVE, text, None) for text in ("", "MOVE d=1", "MOVE d=1 src=2\n", "xMOVE d=1 src=2", "MOVE d=1\n src=2")),
        ("{a} & {b}", "1 & 2 & 3", {"a": "1", "b": "2 & 3"}),  # a field ends where the next literal occurs first
        ("{a}; {b} & {c}", "1 & 2; 3", None),
        ("{a} & {b}.", "1 & 2.3.", {"a": "1", "b": "2.3"}),
        ("{a}-{b}", "-", {"a": "", "b": ""}),
        ("{a}-{b}-{a}", "1-2-1", {"a": "1", "b": "2"}),  # a repeated field holds the same text
        ("{a}-{b}-{a}", "1-2-3", None),
        ("No. [a-z]*", "No. [a-z]*", {}),
        ("No. [a-z]*", "No. a", None),
    ],
)
def test_a_template_is_matched_whole_and_on_one_line(template, text, found):
    assert Template(template).match(text) == found
    assert repr(Template(template)) == f"Template({template!r})"
    assert Template(template).fields == tuple(
        dict.fromkeys(name for _, name, *_ in Formatter().parse(template) if name)
    )


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


@for_each("join", ["\n", " "])
def test_a_surface_is_written_as_plain_text_and_closed_as_it_is_joined_unless_said_otherwise(join):
    surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    assert surface.prompt.match("INSTR a") == {"instruction": "a"}
    assert (surface.write.format(instruction="a"), surface.registers) == ("PUSH a", None)
    assert Surface("", "", "PTR={PTR}", join=join).close == join
    assert Surface("", "", "PTR={PTR}", join=join, close="; ").close == "; "
