"""A sample of what `benchmarks/fuzz.py` tries in millions, and the fuzzer itself."""

import random
from functools import cache

import pytest
from attrs import evolve

from coc_core.arithmetic import ArithmeticOracle, Symbolic
from coc_core.errors import ArithmeticFault
from coc_core.memories.tape import TapeWrite
from tests.support.hostile_texts import KINDS, STEP, Broken, Walk, every_setting, fuzz, right_target, setting
from tests.support.machines import EXECUTORS, machine, solve
from tests.support.toy_parts import Scripted

TEXTS = 10_000
_NAMES = every_setting()


@cache
def foreign():
    """A target of each setting."""
    return [right_target(setting(*names)) for names in _NAMES]


@cache
def tally_of(names):
    return fuzz(setting(*names), random.Random("-".join(names)), TEXTS // len(_NAMES), foreign(), slow=float("inf"))


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("names", _NAMES, ids="-".join)
def test_each_text_is_a_step_or_a_fault_that_changes_nothing(names):
    tally = tally_of(names)
    assert tally.findings == []
    assert tally.kinds.total() == TEXTS // len(_NAMES)
    assert {STEP, "protocol"} <= set(tally.kinds) <= {STEP, *KINDS}


@pytest.mark.slow
@pytest.mark.no_cover
def test_texts_of_every_kind_were_among_them():
    assert {kind for names in _NAMES for kind in tally_of(names).kinds} == {STEP, *KINDS}


class Careless(ArithmeticOracle):
    """Has a bug: it knows no sums with a 9."""

    name = "careless"
    notation = "symbolic"

    def _resolve(self, expressions, registers):
        if any("9" in expression for expression in expressions):
            raise KeyError("9")
        return Symbolic().resolve(expressions, registers)


def test_the_fuzzer_finds_a_bug():
    flawed = evolve(setting("hanoi", "tape", "symbolic"), arithmetic=Careless())
    tally = fuzz(flawed, random.Random(0), 500, slow=float("inf"))
    assert tally.kinds.total() + len(tally.findings) == 500
    assert tally.findings
    assert all(each.error.startswith("PluginError: Careless 'careless' raised KeyError") for each in tally.findings)
    assert all("9" in each.text for each in tally.findings)


class Meddling(ArithmeticOracle):
    """Changes what the machine holds and then refuses."""

    name = "meddling"
    notation = "symbolic"

    def _resolve(self, expressions, registers):
        machine = self.walk.machine
        machine.contents = machine.memory.write(machine.contents, TapeWrite(((registers["NEXT_ID"], "x"),), 0))
        raise ArithmeticFault("no")


def test_a_fault_that_changed_something_is_found():
    oracle = Meddling()
    walk = Walk(evolve(setting("hanoi", "tape", "symbolic"), arithmetic=oracle), 3, 0, 0)
    oracle.walk = walk
    assert walk.try_text("nonsense") == "protocol"
    with pytest.raises(Broken, match="a fault has changed the memory"):
        walk.try_text(walk.right)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_register_does_not_grow_without_end(executor):
    twelve = "+".join(["prev"] * 12)
    first = "APPEND[NEXT_ID] MOVE d=1 src=1 dst=3 prev=7\nPTR=NEXT_ID NEXT_ID=NEXT_ID+1"
    subject = machine("tape", "symbolic")
    outcome = solve(subject, executor, Scripted(first, then=lambda _: first.replace("prev=7", f"prev={twelve}")))
    assert (outcome.status, outcome.fault.kind) == ("fault", "arithmetic")
    assert outcome.fault.message == f"the value of '{twelve}' has more than 19 digits"
    assert outcome.steps == 17  # 7 * 12 ** 17 has 20 digits
    assert outcome.fault.text == twelve


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_sum_may_have_19_digits_and_no_more(sign):
    most = f"{sign}{'9' * 19}"
    assert Symbolic().resolve([most], {}) == (int(most),)
    with pytest.raises(ArithmeticFault, match="has more than 19 digits") as fault:
        Symbolic().resolve(["1", f"prev{sign or '+'}1"], {"prev": int(most)})
    assert fault.value.text == f"prev{sign or '+'}1"
