"""The promise of a chain of trainings: what was held out once stays out, and was never learned."""

import json
from array import array
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import Pair
from coc_learn import history
from coc_learn.history import PAIR_HISTORY, PairHistory
from coc_learn.step_key import StepKey
from coc_learn.trainer import TrainingSet
from tests.support.for_each import for_each

DIALECTS = ("toy/stack", "toy/tape")
OWNER = "0" * 64


def pairs(*numbers: int, target: str = "t") -> list[Pair]:
    return [Pair(f"SUCC n={number}", target) for number in numbers]


def one_set(train=(), heldout=(), dialect=DIALECTS[0]) -> TrainingSet:
    return TrainingSet(dialect, pairs(*train), pairs(*heldout), "source")


def prompts(some) -> set[str]:
    return {pair.prompt for pair in some}


def numbers_of(some) -> list[int]:
    return [int(pair.prompt.partition("=")[2]) for pair in some]


NUMBERS = st.lists(st.integers(0, 15), max_size=6)
SETS = st.lists(
    st.builds(one_set, NUMBERS.filter(bool), NUMBERS, st.sampled_from(DIALECTS)),
    min_size=1,
    max_size=2,
    unique_by=lambda each: each.dialect,
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(SETS, st.booleans()), min_size=1, max_size=5), st.sampled_from([32, 61]))
def test_whatever_the_chain_no_held_out_pair_was_learned_and_what_was_held_out_stays_out(chain, dropped):
    """In a chain, sets of pairs of any kind, also with pairs on both sides; records may be lost on the way.

    With 61 bits dropped the short digests have 3, so nearly all of them match by chance.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "_short", lambda digest: digest >> dropped)
        record, learned, held = PairHistory(), set[str](), set[str]()
        for sets, loses_record in chain:
            if loses_record and learned:
                record, held = PairHistory(complete=False), set()
            try:
                division = record.divide(sets)
            except UsageError:
                assert any(prompts(each.train) <= held for each in sets)
                continue
            train = {prompt for each in division.sets for prompt in prompts(each.training_set.train)}
            assert not train & held
            learned |= train
            for before, after in zip(sets, division.sets, strict=True):
                both = after.training_set
                assert both.dialect == before.dialect
                used = Counter([*both.train, *both.heldout])
                drawn = Counter([*before.train, *before.heldout])
                assert used <= drawn
                assert (drawn - used).total() == after.known
                assert len(both.heldout) == len(before.heldout) + after.withheld - after.reused - after.known
                assert not prompts(both.heldout) & train
                held |= prompts(both.heldout)
            record = PairHistory.from_bytes(division.history.to_bytes(OWNER), "it", OWNER)
            if record.complete:
                assert not held & learned
            assert record == division.history


def test_the_first_training_of_a_chain_learns_and_holds_out_what_was_drawn():
    sets = [one_set([3, 1, 2], [5, 4]), one_set([9, 8], [7], DIALECTS[1])]
    division = PairHistory().divide(sets)
    assert [each.training_set for each in division.sets] == sets
    assert [(each.withheld, each.reused, each.known) for each in division.sets] == [(0, 0, 0), (0, 0, 0)]


def test_a_pair_that_was_held_out_is_not_learned_later_and_one_that_was_learned_is_not_held_out():
    record = PairHistory().divide([one_set(train=[1, 2, 3], heldout=[4, 5])]).history
    (later,) = record.divide([one_set(train=[4, 1, 6], heldout=[2, 5, 7])]).sets
    assert numbers_of(later.training_set.train) == [1, 6, 2]
    assert numbers_of(later.training_set.heldout) == [5, 7, 4]
    assert (later.withheld, later.reused, later.known) == (1, 1, 0)


def test_a_pair_stays_out_although_a_training_in_between_did_not_have_it():
    record = PairHistory().divide([one_set(train=[1], heldout=[2])]).history
    record = record.divide([one_set(train=[3])]).history
    (third,) = record.divide([one_set(train=[1, 2, 3])]).sets
    assert numbers_of(third.training_set.heldout) == [2]


def test_a_prompt_counts_whatever_its_dialect_and_target():
    record = PairHistory().divide([one_set(train=[1], heldout=[2])]).history
    other = TrainingSet(DIALECTS[1], pairs(2, 3, target="u"), pairs(1, target="u"))
    (later,) = record.divide([other]).sets
    assert (numbers_of(later.training_set.train), numbers_of(later.training_set.heldout)) == ([3, 1], [2])


@pytest.mark.parametrize(
    "sets",
    [
        [one_set(train=[1, 2], heldout=[2, 3])],
        [one_set(train=[1], heldout=[2, 3]), one_set(train=[2], dialect=DIALECTS[1])],
    ],
    ids=["in one dialect", "in another"],
)
def test_a_pair_whose_prompt_is_learned_in_the_same_training_is_not_held_out(sets):
    division = PairHistory().divide(sets)
    first = division.sets[0]
    assert (numbers_of(first.training_set.heldout), first.known) == ([3], 1)
    (later,) = division.history.divide([one_set(train=[2, 3, 4])]).sets
    assert numbers_of(later.training_set.train) == [2, 4]


def numeric(train=(), heldout=()) -> TrainingSet:
    """Pairs of a dialect whose prompts show a register, written `STEP@REGISTER`."""

    def made(texts):
        return [Pair(f"SUCC n={text}", "t") for text in texts]

    def key(prompt):
        step, _, register = prompt.partition("@")
        return StepKey(step, f"PTR={register}")

    return TrainingSet("toy/numeric", made(train), made(heldout), step_key=key)


def held(division) -> list[list[str]]:
    return [[pair.prompt.partition("=")[2] for pair in each.training_set.heldout] for each in division.sets]


def test_registers_make_a_pair_new_only_where_both_prompts_show_some():
    division = PairHistory().divide([numeric(["1@5", "2@5"], ["1@6", "2@5", "3@6", "4@6"]), one_set([3], [1, 4])])
    assert held(division) == [["1@6", "4@6"], ["4"]]
    assert [each.known for each in division.sets] == [2, 1]
    history = division.history
    assert held(history.divide([one_set([1, 2], [5])])) == [["5"]]  # 1 was learned, so only 1@6 stays out
    assert held(history.divide([one_set([2, 4], [5])])) == [["5", "4"]]
    assert held(history.divide([numeric(["1@6", "1@7", "4@9"])])) == [["1@6", "4@9"]]


def test_a_record_of_prompts_says_nothing_about_steps():
    record = PairHistory().divide([one_set(train=[1], heldout=[2])]).history
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "_FORMAT", 1)
        before = record.to_bytes(OWNER)
    assert PairHistory.from_bytes(before, "it", OWNER) == PairHistory(complete=False)


def test_a_training_with_nothing_left_to_learn_is_refused():
    record = PairHistory().divide([one_set(train=[1], heldout=[2, 3])]).history
    with pytest.raises(UsageError, match="held out every training pair of toy/stack; train on other pairs, or leave"):
        record.divide([one_set(train=[1]), one_set(train=[2, 3])])
    assert record.divide([one_set(train=[2], heldout=[1])]).sets[0].reused == 1  # is learned instead


def test_a_set_without_pairs_stays_one():
    assert PairHistory().divide([TrainingSet("toy/stack", ())]).sets[0].training_set.train == []


@pytest.mark.parametrize(("name", "sets"), [("MOST_HELD_OUT", ([1], [2, 3])), ("MOST_TRAINED", ([1, 2], [3]))])
def test_more_prompts_than_can_be_recorded_are_refused(monkeypatch, name, sets):
    monkeypatch.setattr(history, name, 1)
    with pytest.raises(UsageError, match=r"a checkpoint can record .* pairs .*; train on fewer pairs"):
        PairHistory().divide([one_set(*sets)])


def test_half_of_a_surrogate_pair_is_a_text_too():
    odd = TrainingSet("toy/stack", [Pair("\ud800", "t")], [Pair("\ud801", "t")])
    assert PairHistory().divide([odd]).sets[0].training_set == odd


def test_the_record_of_a_checkpoint_is_read_again(tmp_path):
    record = PairHistory().divide([one_set(train=[1, 2, 3], heldout=[4, 5])]).history
    (tmp_path / PAIR_HISTORY).write_bytes(record.to_bytes(OWNER))
    assert PairHistory.read(tmp_path, OWNER) == record
    assert repr(record) == "PairHistory(complete, 2 digests held out, 3 trained on)"


def test_a_checkpoint_without_a_record_may_have_learned_anything(tmp_path):
    record = PairHistory.read(tmp_path, OWNER)
    assert repr(record) == "PairHistory(incomplete, 0 digests held out, 0 trained on)"
    later = record.divide([one_set(train=[1], heldout=[2])]).history
    assert not later.complete
    assert numbers_of(later.divide([one_set(train=[2, 3])]).sets[0].training_set.heldout) == [2]


def test_the_record_has_the_same_bytes_on_every_machine(monkeypatch):
    record = PairHistory(True, array("Q", [1, 2 << 32]), array("I", [3, 258]))
    body = record.to_bytes(OWNER).partition(b"\n")[2]
    assert body == bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2, 1, 0, 0])
    monkeypatch.setattr(history.sys, "byteorder", "big")
    swapped = record.to_bytes(OWNER)
    assert swapped.partition(b"\n")[2] == bytes(
        [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 2]
    )
    assert PairHistory.from_bytes(swapped, "it", OWNER) == record


def test_every_flipped_bit_of_a_record_is_noticed(tmp_path):
    data = PairHistory().divide([one_set(train=[1, 2], heldout=[4])]).history.to_bytes(OWNER)
    for index, bit in product(range(len(data)), range(8)):
        flipped = bytearray(data)
        flipped[index] ^= 1 << bit
        with pytest.raises(ArtefactError):
            PairHistory.from_bytes(bytes(flipped), "it", OWNER)


def test_every_cut_of_a_record_is_noticed():
    data = PairHistory().divide([one_set(train=[1, 2], heldout=[4])]).history.to_bytes(OWNER)
    for end in range(len(data)):
        with pytest.raises(ArtefactError):
            PairHistory.from_bytes(data[:end], "it", OWNER)
    with pytest.raises(ArtefactError, match="it is damaged"):
        PairHistory.from_bytes(data + b"\0", "it", OWNER)


def forged(body: bytes = b"", **facts: object) -> bytes:
    """A record with such contents and the right sum."""
    header = {"format": 1, "checkpoint": OWNER, "complete": True, "held_out": 0, "trained": 0} | facts
    header["sha256"] = history._sum(header.values(), body)
    return json.dumps(header).encode() + b"\n" + body


@for_each(
    ("data", "fault"),
    [
        (forged(complete=1), "a value of a wrong kind"),
        (forged(held_out=-1, trained=2), "does not have the digests that its first line counts"),
        (forged(held_out=1, trained=-2), "does not have the digests that its first line counts"),
        (forged(held_out=0.0), "a value of a wrong kind"),
        (forged(trained=True), "a value of a wrong kind"),
        (forged(trained="0"), "a value of a wrong kind"),
        (forged(checkpoint="1" * 64), "belongs to another checkpoint"),
        (forged(checkpoint=None), "belongs to another checkpoint"),
        (forged(format=3), "is damaged, or not a record"),
        (forged(more=2), "is damaged, or not a record"),
        (forged(held_out=10**18), "does not have the digests that its first line counts"),
        (forged(bytes(8), trained=1), "does not have the digests that its first line counts"),
        (forged(bytes(16), held_out=2), "the digests are not in order"),
        (forged(bytes([1, 0, 0, 0, 0, 0, 0, 0]), trained=2), "the digests are not in order"),
        (b"", "is not strict JSON"),
        (b"{}\n", "is damaged"),
        (b"[" * 5_000, "is not strict JSON"),
        (b"\x80\x04\n", "is not strict JSON"),
    ],
)
def test_a_forged_record_is_refused(tmp_path, data, fault):
    (tmp_path / PAIR_HISTORY).write_bytes(data)
    with pytest.raises(ArtefactError, match=rf"{PAIR_HISTORY}.*{fault}.*; delete it: coc then takes it as unknown"):
        PairHistory.read(tmp_path, OWNER)


def test_a_record_larger_than_any_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "MOST_HELD_OUT", 1)
    monkeypatch.setattr(history, "MOST_TRAINED", 1)
    with (tmp_path / PAIR_HISTORY).open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(ArtefactError, match="and at most 1,036 are allowed"):
        PairHistory.read(tmp_path, OWNER)
