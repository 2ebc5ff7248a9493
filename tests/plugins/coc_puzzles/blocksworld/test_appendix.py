"""The traces that the paper's appendix prints, byte for byte."""

from importlib.resources import files
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
PAPER = files("coc_paper.published") / "traces"


@pytest.mark.parametrize("domain", ["blocksworld", "blocksworld-extended"])
def test_the_papers_trace_is_reproduced_byte_for_byte(coc, domain):
    problem = PAPER / f"{domain}-6-problem.txt"
    done = coc("trace", "--domain", domain, "--memory", "tape", "--arith", "inline", "--problem", problem)
    assert done.out == (PAPER / f"{domain}-6-tape-inline.txt").read_text()
    assert done.code == 0


def test_symbolic_arithmetic_puts_the_register_where_the_number_stood(coc):
    done = coc("trace", "-d", "blocksworld", "-m", "tape", "-a", "symbolic", "--problem", GOLDEN / "swap.txt")
    assert done.out == (GOLDEN / "swap-tape-symbolic.txt").read_text()


def test_a_stack_pushes_the_one_successor_and_nothing_at_the_end(coc):
    done = coc("trace", "-d", "blocksworld", "-m", "pda", "--problem", GOLDEN / "swap.txt")
    assert done.out == (GOLDEN / "swap-pda.txt").read_text()
