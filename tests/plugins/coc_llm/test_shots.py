"""The examples: the teacher's, from problems for training, covering many kinds of steps, never the prompt at hand."""

import pytest

from coc_core.errors import UsageError
from coc_core.setting import Setting
from coc_learn.datasets import sampling_buckets, teacher_pairs
from coc_llm.framing import Shots
from coc_problems import Split, sample_problems
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY


def setting(*names):
    return Setting.of(REGISTRY, *names)


@for_each("names", [("hanoi", "pda", "symbolic"), ("pancake", "tape", "inline"), ("blocks", "pda", "inline")])
@for_each("count", [1, 5, 12])
def test_examples_are_the_teachers(names, count):
    where = setting(*names)
    shots = Shots.of(where, count)
    assert len({pair.prompt for pair in shots.pairs}) == len(shots.pairs) == count + 1
    assert all(where.convention.target_for(pair.prompt) == pair.target for pair in shots.pairs)
    assert Shots.of(where, count) == shots


def test_the_prompt_at_hand_is_no_example():
    shots = Shots.of(setting("hanoi", "pda", "symbolic"), 4)
    for pair in shots.pairs:
        assert pair.prompt not in [each.prompt for each in shots.before(pair.prompt)]
        assert len(shots.before(pair.prompt)) == 4
    assert list(shots.before("another")) == list(shots.pairs[:4])


def test_the_examples_come_from_problems_for_training():
    where = setting("pancake", "pda", "symbolic")
    drawn = [each.problem for n in range(1, 13) for each in sample_problems(where.domain, n, 4, split=Split.train)]
    learnt = {pair.prompt for pair in teacher_pairs(where, drawn)}
    assert {pair.prompt for pair in Shots.of(where, 30).pairs} <= learnt


def test_few_examples_cover_many_kinds_of_steps():
    where = setting("hanoi", "pda", "symbolic")
    pairs = list(teacher_pairs(where, [where.domain.problem(n) for n in range(1, 13)]))

    def kinds(chosen):
        return len({bucket for pair in chosen for bucket in sampling_buckets(pair)})

    shots = Shots.of(where, 8)
    assert kinds(shots.before("")) > kinds(pairs[:8])
    assert {pair.prompt.split()[1] for pair in shots.before("")} == {"CALL", "MOVE"}


def test_there_may_be_none_or_too_few():
    where = setting("hanoi", "pda", "symbolic")
    assert Shots.of(where, 0).before("p") == []
    with pytest.raises(UsageError, match=r"1,000 examples can't be chosen from \d+ pairs; lower shots"):
        Shots.of(where, 1000)
