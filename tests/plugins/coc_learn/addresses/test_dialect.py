from collections import Counter

import pytest
from hypothesis import given, strategies as st

from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.models import SizeResult
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses.dialect import (
    LARGEST_ADDRESS,
    AddressReference,
    address_pairs,
    address_prompt,
    address_prompts,
    address_training_set,
    read_number,
    results_of,
)
from coc_learn.datasets.pairs import hold_out
from coc_learn.measure.addresses import expressions
from tests.support.for_each import for_each

EXAMPLES = {
    "NEXT_ID=29998 NEXT_ID+2": "30000",
    "prev=12 prev": "12",
    "prev=-1 prev": "-1",
    "PTR=7 PTR+1": "8",
    "-1": "-1",
    "NEXT_ID=9 PTR=5 NEXT_ID-PTR": "4",
    "prev=-1 prev-1": "-2",
}
REGISTERS = {"NEXT_ID": 9, "PTR": 5, "prev": -1, "unused": 3}


@for_each(("prompt", "target"), EXAMPLES.items())
def test_a_prompt_shows_the_registers_that_the_expression_names(prompt, target):
    *assignments, expression = prompt.split(" ")
    registers = {name: int(value) for name, value in (item.split("=") for item in assignments)}
    assert address_prompt(expression, registers | {"other": 1}) == prompt
    assert AddressReference().complete([prompt]) == [target]
    assert read_number(target, prompt) == int(target)


def test_the_prompts_of_a_block_are_those_of_its_values():
    values = range(-1, 12)
    assert address_prompts("prev+2", "prev", values) == [address_prompt("prev+2", {"prev": value}) for value in values]


@given(st.integers(-(10**19) + 1, 10**19 - 1))
def test_a_number_is_read_as_it_is_written(number):
    assert read_number(str(number), "q") == number


@for_each("text", ["", "-", "-0", "--1", "+1", "01", "-01", " 1", "1 ", "1\n", "٣", "1_0", "1" * 20, "PTR"])
def test_a_response_that_is_not_a_number_is_a_fault(text):
    with pytest.raises(ArithmeticFault, match="the arithmetic model's response to 'PTR=7 PTR' is not a number") as it:
        read_number(text, "PTR=7 PTR")
    assert it.value.text == text


NO_PROMPTS = "|prev|PTR=7 prev|PTR=7|PTR=x PTR|PTR=7  PTR|What is 1+1?|PTR=7 PTR=7 PTR|PTR=7 prev=1 PTR"
NO_PROMPTS += "|PTR=1 NEXT_ID=2 NEXT_ID-PTR|PTR=-0 PTR|PTR=07 PTR|PTR=7 PTR+0"


@for_each("prompt", NO_PROMPTS.split("|"))
def test_only_prompts_have_a_target(prompt):
    with pytest.raises(ArithmeticFault):
        AddressReference().complete([prompt])


@for_each("seed", [0, 1])
def test_pairs_are_distinct_and_exact(seed):
    pairs = list(address_pairs(seed, 5_000))
    assert len(pairs) == len({pair.prompt for pair in pairs}) == 5_000
    assert pairs == list(address_pairs(seed, 5_000))
    for prompt, target in pairs:
        *assignments, expression = prompt.split(" ")
        registers = {name: int(value) for name, value in (item.split("=") for item in assignments)}
        assert all(-1 <= value <= LARGEST_ADDRESS for value in registers.values())
        assert Symbolic().resolve([expression], registers) == (int(target),)
        assert address_prompt(expression, registers) == prompt


def test_all_small_values_come_first():
    pairs = list(address_pairs(0, 1_300))
    assert list(address_pairs(0, 7)) == pairs[:7]
    assert [pair.prompt for pair in pairs[:3]] == ["-1", "prev=-1 prev", "NEXT_ID=0 NEXT_ID"]
    values = [int(pair.prompt.split(" ")[0].partition("=")[2]) for pair in pairs[2:]]
    assert set(values[:1_200]) == set(range(100))
    assert min(values[1_200:]) >= 100


def test_lengths_and_carries_are_drawn_equally():
    values = [pair.prompt.split(" ")[0].partition("=")[2] for pair in list(address_pairs(0, 21_202, 9_999_999))[1_202:]]
    lengths = Counter(map(len, values))
    assert set(lengths) == {3, 4, 5, 6, 7}
    assert all(3_700 < lengths[length] < 4_700 for length in (4, 5, 6, 7))
    assert lengths[3] < 4_700  # some of them come twice
    million = [value for value in values if len(value) == 7]
    nines = Counter(len(value[:-1]) - len(value[:-1].rstrip("9")) for value in million if value[-1] in "789")
    assert all(nines[run] > 150 for run in range(6))  # nines in front of the last digit
    assert nines[6] == 36  # all that there are: 9,999,997 to 9,999,999


def test_only_larger_numbers_are_held_out():
    drawn, made = list(address_pairs(3, 2_202, 9_999_999)), address_training_set(3, 2_202, 0.25, 9_999_999)
    train, heldout = hold_out(drawn[1_202:], 0.25, 3)
    assert (made.dialect, made.train, made.heldout) == ("arithmetic", drawn[:1_202] + train, heldout)
    assert made.source == "address arithmetic up to 9,999,999, hold-out 25% of the values from 100, seed 3"
    assert made.sizes == range(10_000_000)
    with pytest.raises(UsageError, match="leaves nothing to train on"):
        address_training_set(3, 1_300, 1)


@for_each(("domain", "n"), [("hanoi", 4), ("blocksworld", 6), ("blocksworld-extended", 6), ("pancake", 6)])
def test_every_expression_of_a_run_is_among_the_pairs(domain, n):
    known = {pair.prompt.split(" ")[-1] for pair in address_pairs(0, 1_202)}
    setting = Setting.of(Registry.installed(), domain, "tape", "symbolic")
    for seed in range(3):
        assert set(expressions(setting, [setting.domain.problem(n, seed)])) <= known


@for_each("largest", [999, 10**12])
def test_another_largest_address_can_be_chosen(largest):
    training_set = address_training_set(0, largest=largest)
    assert len(training_set.train) + len(training_set.heldout) == min(100_000, 3 * largest)
    values = [int(pair.prompt.split(" ")[0].partition("=")[2]) for pair in training_set.train if "=" in pair.prompt]
    assert 0.9 * largest < max(values) <= largest
    assert training_set.sizes == range(largest + 1)


def test_tests_in_words():
    exact, wrong = SizeResult(5, 2, 21, 21), SizeResult(7, 2, 33, 30)
    each = " (2 problems of each size)"
    assert results_of("hanoi/stack", [exact]) == f"n=5: all of 21 targets exact{each}"
    assert results_of("hanoi/stack", [wrong]) == f"n=7: 3 of 33 targets wrong{each}"
    assert results_of("arithmetic", [exact, SizeResult(6, 1, 27, 27), wrong]) == (
        "addresses of 5-6 digits: all of 48 targets exact; addresses of 7 digits: 3 of 33 targets wrong"
    )
