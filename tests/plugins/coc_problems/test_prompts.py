"""All prompts there are, where a prompt depends on its instruction alone."""

import pytest

from coc_core.errors import UsageError
from coc_learn.datasets import Seen
from coc_problems import closure
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import convention, recorded
from tests.support.toy_parts import Line, Queue, SpokenQueue


@for_each(("memory", "arith"), [("pda", "inline"), ("pda", "symbolic"), ("tape", "symbolic")])
@for_each("n", [1, 2, 6])
def test_the_closure_has_the_pairs_of_a_run(n, memory, arith):
    pairs = list(closure(convention(memory, arith), [Tower(n)]))
    assert len(pairs) == len(set(pairs))
    assert {tuple(pair) for pair in pairs} == set(recorded(memory, arith, Tower(n))[0])


@pytest.mark.parametrize("domain", [Queue(), SpokenQueue()])
@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_the_closure_of_a_chain_has_the_pairs_of_a_run(memory, domain):
    problem = Line((3, 1, 2))
    pairs = list(closure(convention(memory, "symbolic", domain), [problem]))
    assert [tuple(pair) for pair in pairs] == recorded(memory, "symbolic", problem, domain=domain)[0]


def test_twenty_disks_are_111_distinct_pairs_and_all_up_to_twenty_216():
    assert len(list(closure(convention(), [Tower(20)]))) == 111
    assert len(list(closure(convention(), [Tower(n) for n in range(1, 21)]))) == 216


def test_prompts_with_numbers_have_no_small_closure():
    with pytest.raises(UsageError, match="'linked' in numeric notation depend on more than the instruction; choose"):
        next(closure(convention("tape", "inline"), [Tower(1)]))


def test_a_closure_leaves_out_what_was_seen():
    seen = Seen().add
    first = list(closure(convention(), [Tower(4)], seen))
    second = list(closure(convention(), [Tower(6)], seen))
    assert [*first, *second] == list(closure(convention(), [Tower(4), Tower(6)]))
    assert not list(closure(convention(), [Tower(6)], seen))
