"""The step of a prompt: the same on every memory, in every notation, and whatever the names are."""

from functools import cache

import pytest
from hypothesis import given, strategies as st

from coc_core.text import rename
from coc_learn.datasets import step_key
from coc_learn.datasets.pairs import align_names
from coc_learn.options import DrawnPairs
from coc_learn.sources import WrittenPairs, dataset_spec, settings_of
from coc_learn.trainer import StepKey
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.plan_runs import setting_of

ARITHS = ("symbolic", "inline")
LISTS = ("blocksworld", "blocksworld-extended", "blocks-3", "pancake", "hanoi", "hanoi-4", "river-crossing")
RECORDS = ("blocksworld", "blocksworld-extended", "blocks", "pancake")


@cache
def sets_of(domain, memories, holdout, by=None):
    settings = settings_of(REGISTRY, domain, memories, ARITHS)
    return WrittenPairs(
        settings, dataset_spec(DrawnPairs(sizes="1-6", instances=12, holdout=holdout, holdout_by=by, seed=3))
    ).sets()


def steps_of(one, pairs):
    return {one.step_key(pair.prompt).step for pair in pairs}


@for_each("domain", LISTS)
def test_all_dialects_of_a_stack_and_a_tape_have_the_same_steps(domain):
    one, *others = sets_of(domain, ("pda", "tape"), 0.0)
    assert len(others) == 2
    for other in others:
        assert steps_of(other, other.train) == steps_of(one, one.train)


@for_each("domain", LISTS)
def test_a_step_is_held_out_of_all_dialects_or_of_none(domain):
    sets = sets_of(domain, ("pda", "tape"), 0.3)
    learned = set[str]().union(*(steps_of(one, one.train) for one in sets))
    held = set[str]().union(*(steps_of(one, one.heldout) for one in sets))
    assert held
    assert learned
    assert not held & learned


def test_of_many_steps_the_fraction_is_held_out():
    one = sets_of("pancake", ("pda",), 0.3)[0]
    held, learned = (len(steps_of(one, half)) for half in (one.heldout, one.train))
    assert 0.2 < held / (held + learned) < 0.4


@given(st.permutations(range(1, 7)))
def test_a_step_is_the_same_under_every_permutation_of_names(numbers):
    convention = setting_of("blocksworld").convention
    names = {f"B{one}": f"B{other}" for one, other in zip(range(1, 7), numbers, strict=True)}
    for pair in sets_of("blocksworld", ("pda",), 0.0)[0].train[-8:]:
        assert step_key(convention, rename(pair.prompt, names)) == step_key(convention, pair.prompt)


def test_names_are_numbered_so_that_equal_ones_stay_equal():
    assert align_names("[B7, B2] P4 on B7 n=3", {"B"}) == "[B1, B2] P4 on B1 n=3"
    assert align_names("B2 C2 B2", {"B", "C"}) == "B1 C2 B1"


def test_the_key_has_the_registers_that_a_prompt_shows():
    found = [
        step_key((setting := setting_of("hanoi", *names)).convention, setting.machine(setting.domain.problem(2)).peek())
        for names in (("pda", "symbolic"), ("tape", "symbolic"), ("tape", "inline"))
    ]
    assert {key.step for key in found} == {"hanoi CALL n=2 src=1 dst=3 aux=2"}
    assert [bool(key.registers) for key in found] == [False, False, True]


@pytest.mark.parametrize("text", ["nonsense", ""])
def test_a_text_that_is_not_a_prompt_is_a_step_of_its_own(text):
    assert step_key(setting_of("hanoi").convention, text) == StepKey(text)


def test_all_of_a_transcript_counts():
    setting = setting_of("pancake", "transcript")
    machine = setting.machine(setting.domain.problem(4))
    first = machine.peek()
    machine.step(setting.convention.target_for(first))
    later = machine.peek()
    assert later.startswith(first)
    assert step_key(setting.convention, later).step.count("\n") > step_key(setting.convention, first).step.count("\n")
