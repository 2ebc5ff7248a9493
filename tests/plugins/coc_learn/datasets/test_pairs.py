"""Which pairs there are, which problems a spec draws, and which pairs are held out."""

from functools import cache
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import LimitFault, PluginError, UsageError
from coc_core.memories import Reference
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import rename
from coc_learn.datasets import DatasetSpec, HoldOutBy, Seen, divided_pairs, step_key, teacher_pairs
from coc_learn.datasets.pairs import align_names, hold_out
from coc_learn.options import DrawnPairs
from coc_learn.sources import dataset_spec, settings_of, written_pairs
from coc_learn.trainer import StepKey
from coc_problems import Split
from coc_problems.sampling import split_of
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.machines import recorded
from tests.support.plan_runs import SETTINGS, setting_of

PAIRS = [Pair(str(index), str(-index)) for index in range(20)]


@given(st.floats(0, 1, exclude_max=True), st.integers())
def test_a_hold_out_is_a_partition(fraction, seed):
    train, held = hold_out(PAIRS, fraction, seed)
    assert len(held) == int(fraction * len(PAIRS))
    assert sorted(train + held) == sorted(PAIRS)
    assert (train, held) == hold_out(PAIRS, fraction, seed)


def test_what_a_seed_holds_out_never_changes():
    """A command that names a seed must always hold out the same pairs."""
    assert [int(pair.prompt) for pair in hold_out(PAIRS, 0.25, 0)[1]] == [2, 4, 7, 16, 19]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), st.text("!"))
def test_seen_is_a_set_of_texts(texts, other):
    seen = Seen()
    assert [seen.add(text) for text in texts] == [text not in texts[:index] for index, text in enumerate(texts)]
    assert [text in seen for text in (*texts, other)] == [True] * len(texts) + [other in texts]


@for_each("fraction", [-0.1, 1, 1.5, float("nan"), float("inf")])
def test_a_hold_out_leaves_something_to_train_on(fraction):
    with pytest.raises(UsageError, match="leaves nothing to train on; give a fraction from 0 to below 1"):
        hold_out(PAIRS, fraction, 0)


@pytest.mark.parametrize(("memory", "arith"), SETTINGS)
def test_the_pairs_are_the_distinct_pairs_of_the_runs_without_those_that_were_seen(memory, arith):
    setting, seen = Setting.of(Registry.installed(), "hanoi", memory, arith), Seen()
    problems = [Tower(n) for n in (1, 2, 5, 2)]
    pairs = [tuple(pair) for pair in teacher_pairs(setting, problems)]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == {pair for problem in problems for pair in recorded(memory, arith, problem)[0]}
    assert pairs == [pair for problem in problems for pair in teacher_pairs(setting, [problem], seen)]


def refuse(*_):
    raise LimitFault("it is too long")


@for_each(
    ("owner", "name", "broken", "error", "reason"),
    [
        (Hanoi, "is_goal", lambda *_: False, PluginError, "the policy of hanoi does not solve n=1 src=1 dst=3: None"),
        (Reference, "_complete", refuse, UsageError, "no pairs of n=1 src=1 dst=3: it is too long; choose a smaller n"),
    ],
)
def test_a_problem_that_has_no_pairs_is_an_error(monkeypatch, owner, name, broken, error, reason):
    setting = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
    monkeypatch.setattr(owner, name, broken)
    with pytest.raises(error, match=reason):
        list(teacher_pairs(setting, [Tower(1)]))


ARITHS = ("symbolic", "inline")
LISTS = ("blocksworld", "blocksworld-extended", "pancake", "hanoi", "hanoi-4", "river-crossing")


@cache
def sets_of(domain, memories, holdout):
    spec = dataset_spec(DrawnPairs(sizes="1-6", instances=12, holdout=holdout, seed=3))
    return written_pairs(settings_of(REGISTRY, domain, memories, ARITHS), spec).sets()


def steps_of(one, pairs):
    return {one.step_key(pair.prompt).step for pair in pairs}


@for_each("domain", LISTS)
def test_all_dialects_have_the_same_steps_and_a_step_is_held_out_of_all_or_of_none(domain):
    one, *others = sets_of(domain, ("pda", "tape"), 0.0)
    assert [steps_of(other, other.train) for other in others] == [steps_of(one, one.train)] * 2
    sets = sets_of(domain, ("pda", "tape"), 0.3)
    learned, held = (set().union(*(steps_of(one, getattr(one, half)) for one in sets)) for half in ("train", "heldout"))
    assert held
    assert learned
    assert not held & learned


def test_of_many_steps_the_fraction_is_held_out():
    one = sets_of("pancake", ("pda", "tape"), 0.3)[0]
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


@for_each("text", ["nonsense", ""])
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


@for_each("split", Split)
def test_enumerated_and_near_goal_problems_of_the_split_are_added_to_those_drawn(split):
    setting, sizes = setting_of("pancake"), range(4, 7)
    drawn, more, again = (
        list(DatasetSpec(sizes, 3, split, seed=2, enumerated=each, near_goal=each).drawn(setting))
        for each in (0, 24, 24)
    )
    assert more == again
    for n in sizes:
        before, after = ([problem for problem in found if len(problem.goal) == n] for found in (drawn, more))
        enumerated = islice(setting.domain.every_problem(n), 24)
        enumerated = [each for each in enumerated if split in (Split.all, split_of(setting.domain, each))]
        assert after[: len(before) + len(enumerated)] == before + enumerated
        assert len(after) == len(before) + len(enumerated) + 24
        assert all(split in (Split.all, split_of(setting.domain, problem)) for problem in after)
    single = DatasetSpec((1,), 3, split, near_goal=20).drawn(setting)
    assert len(set(single)) == 1  # one pancake has only one arrangement


def test_a_domain_without_near_goal_problems_is_refused():
    with pytest.raises(UsageError, match="hanoi has no near-goal problems"):
        list(DatasetSpec(range(1, 4), near_goal=1).drawn(setting_of("hanoi")))


def test_sizes_are_ascending_and_there_is_one():
    assert DatasetSpec([5, 1, 3, 1]).sizes == (1, 3, 5)
    with pytest.raises(UsageError, match="a dataset needs at least one size"):
        DatasetSpec(())


def test_a_spec_as_text():
    assert str(DatasetSpec(range(1, 16), holdout=0.5)) == "n=1-15, hold-out 50% of the steps, seed 0"
    assert str(DatasetSpec((8,), 1000, Split.all, HoldOutBy.instances, seed=3, enumerated=24, near_goal=9)) == (
        "n=8, 1,000 instances of each n and the first 24 enumerated and 9 near-goal, hold-out 15% of the instances,"
        " seed 3"
    )


@for_each("names", SETTINGS)
@for_each("seed", [0, 3])
def test_pairs_of_held_out_problems_are_those_that_no_training_problem_has(names, seed):
    setting = setting_of("pancake", *names)
    spec = DatasetSpec((3, 4), 5, holdout_by=HoldOutBy.instances, holdout=0.4, seed=seed)
    train, held = divided_pairs(setting, spec)
    trained, tested = hold_out(list(spec.drawn(setting)), 0.4, seed)
    assert train == list(teacher_pairs(setting, trained))
    assert held == [pair for pair in teacher_pairs(setting, tested) if pair.prompt not in dict(train)]
    assert len(dict(train + held)) == len(train + held)
    assert held
