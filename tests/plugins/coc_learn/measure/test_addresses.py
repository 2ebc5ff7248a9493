import pytest
from hypothesis import given, strategies as st

from coc_core.errors import NumericFault, PluginError, UsageError
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses.dialect import AddressReference
from coc_learn.addresses.pairs import drawn_addresses
from coc_learn.measure.addresses import AddressCheck, addresses_document, expressions, small_problems
from coc_learn.measure.exactness import WrongTarget
from tests.support.toy_parts import Scripted

LINKED = ["NEXT_ID", "NEXT_ID+1", "NEXT_ID+2", "NEXT_ID+3", "prev"]


def setting(domain, memory="tape", arith="symbolic"):
    return Setting.of(Registry.installed(), domain, memory, arith)


def exact(prompt):
    return AddressReference().complete([prompt])[0]


@pytest.mark.parametrize(
    ("domain", "found"),
    [
        ("hanoi", LINKED),
        ("blocksworld", ["-1", "PTR+1"]),
        ("blocksworld-extended", ["-1", "PTR+1"]),
        ("pancake", ["-1", "PTR+1"]),
    ],
)
def test_the_expressions_of_small_runs_are_those_of_all_runs(domain, found):
    subject = setting(domain)
    assert expressions(subject, small_problems(subject)) == found
    assert expressions(subject, [subject.domain.problem(7, 5)]) == found


def test_the_model_is_called_once_for_each_expression_and_address(monkeypatch):
    monkeypatch.setattr(AddressCheck, "batch", 7)
    model = Scripted(then=exact)
    check = AddressCheck(model, ["-1", "PTR+1", "prev"], range(3, 23))
    check.run()
    expected = ["-1", *(f"PTR={v} PTR+1" for v in range(3, 23)), *(f"prev={v} prev" for v in (-1, *range(3, 23)))]
    assert model.prompts == expected
    assert (check.pairs, check.total, check.wrong, check.wrong_targets) == (42, 42, 0, [])


def test_wrong_targets_are_counted_and_the_first_are_recorded(monkeypatch):
    monkeypatch.setattr(AddressCheck, "most_wrong", 2)
    bad = {"PTR=4 PTR+1": "9", "PTR=6 PTR+1": NumericFault("no finite logits", text="x"), "PTR=7 PTR+1": "8 "}
    check = AddressCheck(Scripted(then=lambda prompt: bad.get(prompt) or exact(prompt)), ["PTR+1"], range(10))
    check.run()
    recorded = [WrongTarget("PTR=4 PTR+1", "5", "9"), WrongTarget("PTR=6 PTR+1", "7", "x", "no finite logits")]
    assert (check.pairs, check.wrong, check.wrong_targets) == (10, 3, recorded)
    assert addresses_document(check) == {
        "expressions": ["PTR+1"],
        "first": 0,
        "last": 9,
        "checked": 10,
        "wrong": 3,
        "by_digits": {1: {"checked": 10, "wrong": 3}},
        "margin": None,
        "interrupted": False,
        "lost": 0,
        "wrong_targets": [
            {"prompt": "PTR=4 PTR+1", "expected": "5", "got": "9", "fault": None},
            {"prompt": "PTR=6 PTR+1", "expected": "7", "got": "x", "fault": "no finite logits"},
        ],
        "wrong_targets_left_out": 1,
    }


def test_it_stops_after_the_current_batch(monkeypatch):
    monkeypatch.setattr(AddressCheck, "batch", 4)
    check = AddressCheck(Scripted(then=lambda prompt: check.interrupt() or exact(prompt)), ["PTR", "PTR+1"], range(10))
    check.run()
    assert (check.pairs, check.interrupted) == (4, True)


def test_an_expression_of_several_registers_is_refused():
    with pytest.raises(UsageError, match="NEXT_ID-PTR names several registers"):
        AddressCheck(AddressReference(), ["NEXT_ID-PTR"], range(3)).run()


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        (KeyError("x"), PluginError, "the model 'scripted' raised KeyError: 'x'"),
        (UsageError("not today"), UsageError, "not today"),
    ],
)
def test_a_model_that_raises_is_named(raised, kind, message):
    with pytest.raises(kind, match=message):
        AddressCheck(Scripted(raised), ["PTR"], range(1)).run()


def test_the_exact_targets_are_the_drafts():
    class Drafted(Scripted):
        def _complete(self, prompts, drafts):
            return list(drafts)

    check = AddressCheck(Drafted(), ["-1", "PTR+1", "prev"], range(5))
    check.run()
    assert (check.pairs, check.wrong) == (12, 0)


@given(first=st.integers(0, 10**6), size=st.integers(1, 10**13), count=st.integers(1, 30), seed=st.integers(0, 9))
def test_so_many_addresses_of_each_number_of_digits_are_drawn(first, size, count, seed):
    values = range(first, first + size)
    drawn = drawn_addresses(values, count, seed)
    assert drawn == sorted(set(drawn)) == drawn_addresses(values, count, seed)
    assert all(value in values for value in drawn)
    for digits in range(len(str(values[0])), len(str(values[-1])) + 1):
        least, end = max(first, 10 ** (digits - 1) if digits > 1 else 0), min(values.stop, 10**digits)
        assert sum(len(str(value)) == digits for value in drawn) == min(count, end - least)


def test_carries_and_repeated_digits_are_drawn():
    drawn = [str(value) for value in drawn_addresses(range(10**18, 10**19 - 3), 300, 0)]
    assert sum(value[-3:] >= "997" for value in drawn) > 60
    assert sum(len(set(value)) <= 2 for value in drawn) > 60
    assert drawn != [str(value) for value in drawn_addresses(range(10**18, 10**19 - 3), 300, 1)]


def test_a_result_with_too_many_digits_is_refused_before_the_model_is_called():
    check = AddressCheck(Scripted(KeyError("called")), ["PTR", "PTR+2"], [3, 10**19 - 2])
    with pytest.raises(UsageError, match=r"for the address 9,999,999,999,999,999,998, the value of 'PTR\+2' has more"):
        check.run()


def test_wrong_results_are_counted_by_the_number_of_digits():
    check = AddressCheck(Scripted(then=lambda prompt: "5" if "=1" in prompt else exact(prompt)), ["prev"], [7, 11, 100])
    check.run()
    assert check.by_digits == {1: [2, 0], 2: [1, 1], 3: [1, 1]}
