"""The traces that the paper's appendix prints, byte for byte, and others like them."""

from importlib.resources import files
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAPER = files("coc_paper.published") / "traces"


@pytest.mark.parametrize("domain", ["blocksworld", "blocksworld-extended", "pancake"])
def test_the_papers_trace_is_reproduced_byte_for_byte(coc, domain):
    problem = PAPER / f"{domain}-6-problem.txt"
    done = coc("trace", "--domain", domain, "--memory", "tape", "--arith", "inline", "--problem", problem)
    assert done.out == (PAPER / f"{domain}-6-tape-inline.txt").read_text()
    assert done.code == 0


@pytest.mark.parametrize(
    ("domain", "name", "memory"),
    [
        ("blocksworld", "swap", "tape-symbolic"),  # the register stands where the number stood
        ("pancake", "three", "tape-symbolic"),
        ("blocksworld", "swap", "pda"),  # the one successor is pushed, and nothing at the end
        ("pancake", "three", "pda"),
        ("pancake", "sorted", "tape-inline"),  # an empty plan in one step
    ],
)
def test_on_other_memories_a_trace_is_alike(coc, domain, name, memory):
    golden = HERE / domain / "golden"
    where = [word for pair in zip(("-m", "-a"), memory.split("-"), strict=False) for word in pair]
    done = coc("trace", "-d", domain, *where, "--problem", golden / f"{name}.txt")
    assert done.out == (golden / f"{name}-{memory}.txt").read_text()
