import pytest

from coc_core.text import Surface


def test_a_surface_is_written_as_plain_text():
    surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    assert surface.prompt.match("INSTR a") == {"instruction": "a"}
    assert surface.write.format(instruction="a") == "PUSH a"
    assert surface.registers is None


@pytest.mark.parametrize("join", ["\n", " "])
def test_what_closes_a_target_is_what_joins_it_unless_said_otherwise(join):
    assert Surface("", "", "PTR={PTR}", join=join).close == join
    assert Surface("", "", "PTR={PTR}", join=join, close="; ").close == "; "
