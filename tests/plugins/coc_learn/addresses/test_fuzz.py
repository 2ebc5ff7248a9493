"""An arithmetic model that writes anything: its response is a number, or an arithmetic fault of the step."""

import re
from itertools import cycle

import pytest
from hypothesis import given, strategies as st

from coc_check.hostile import BREAKS, DIGITS, NUMBERS
from coc_core.errors import ArithmeticFault
from coc_core.execution import Cached, Lockstep, Sequential
from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.addresses.dialect import AddressReference
from coc_learn.addresses.learned import Learned
from tests.support.toy_parts import Scripted

HOSTILE = [*NUMBERS, *BREAKS, *DIGITS, "1 + 1", "-01", "--1", "９", "1" * 5_000, "-" + "1" * 5_000]
HOSTILE += ["NaN", "inf", "NEXT_ID=5"]
REGISTERS = {"PTR": 5, "NEXT_ID": 9, "prev": -1}


def is_number(text):
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 19 and text == str(int(text))


@given(st.one_of(st.text(), st.from_regex(r"[+-]?[0-9_]{1,25}", fullmatch=True), st.sampled_from(HOSTILE)))
def test_a_response_is_a_number_or_an_arithmetic_fault(response):
    oracle = Learned(Scripted(then=lambda _: response))
    for expression in ("NEXT_ID+1", "NEXT_ID-PTR"):  # one prompt in a block, one alone
        try:
            (number,) = oracle.resolve([expression], REGISTERS)
        except ArithmeticFault as fault:
            refused = fault.text
            assert (is_number(response), refused) == (False, response)
        else:
            assert is_number(response)
            assert number == int(response)


def run(executor, response):
    """A machine whose arithmetic model has written `response` for an address, and its outcome."""
    right, setting = AddressReference(), Setting.of(Registry.installed(), "hanoi", "tape", "symbolic")
    model = Scripted(then=lambda prompt: response if "NEXT_ID+2" in prompt else right.complete([prompt])[0])
    machine = setting.machine(setting.domain.problem(4))
    machine.arithmetic = Learned(model)
    (outcome,) = executor().run([machine], Reference(setting.convention))
    return machine, outcome


def test_a_run_meets_it_with_an_arithmetic_fault():
    for executor, response in zip(cycle([Sequential, Cached, Lockstep]), HOSTILE, strict=False):
        machine, outcome = run(executor, response)
        what = executor.name, response
        assert (outcome.status, outcome.fault.kind, outcome.steps) == ("fault", "arithmetic", 0), what
        assert re.match(r"the arithmetic model( wrote|'s response to) ", outcome.fault.message), what
        assert len(machine.windows) == 1, what
        assert is_number(response) or not response or outcome.fault.text == response, what


def test_a_sum_that_is_too_large_is_the_planning_models_fault():
    oracle = Learned(AddressReference())
    assert oracle.resolve(["prev+prev"], {"prev": 4}) == (8,)
    with pytest.raises(ArithmeticFault, match=r"the arithmetic model did not respond to .*has more than 19 digits"):
        oracle.resolve(["prev+prev"], {"prev": 9 * 10**18})
    with pytest.raises(ArithmeticFault, match="the value of 'prev-3' has more than 19 digits"):
        oracle.resolve(["prev-3"], {"prev": -(10**19) + 2})
