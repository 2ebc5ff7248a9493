"""The trace that the paper's appendix prints, byte for byte."""

from importlib.resources import files
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
PAPER = files("coc_paper.published") / "traces"


def test_the_papers_trace_is_reproduced_byte_for_byte(coc):
    problem = PAPER / "pancake-6-problem.txt"
    done = coc("trace", "--domain", "pancake", "--memory", "tape", "--arith", "inline", "--problem", problem)
    assert done.out == (PAPER / "pancake-6-tape-inline.txt").read_text()
    assert done.code == 0


def test_symbolic_arithmetic_puts_the_register_where_the_number_stood(coc):
    done = coc("trace", "-d", "pancake", "-m", "tape", "-a", "symbolic", "--problem", GOLDEN / "three.txt")
    assert done.out == (GOLDEN / "three-tape-symbolic.txt").read_text()


def test_a_stack_pushes_the_one_successor_and_nothing_at_the_end(coc):
    done = coc("trace", "-d", "pancake", "-m", "pda", "--problem", GOLDEN / "three.txt")
    assert done.out == (GOLDEN / "three-pda.txt").read_text()


def test_sorted_pancakes_give_an_empty_plan_in_one_step(coc):
    done = coc("trace", "-d", "pancake", "-m", "tape", "-a", "inline", "--problem", GOLDEN / "sorted.txt")
    assert done.out == (GOLDEN / "sorted-tape-inline.txt").read_text()
