"""A sample of what `benchmarks/fuzz.py` tries in millions, and the fuzzer itself."""

import pytest
from attrs import evolve

from coc_core.arithmetic import ArithmeticOracle
from coc_core.errors import ArithmeticFault
from coc_core.memories.tape import TapeWrite
from tests.support.hostile_texts import Broken, Walk, setting
from tests.support.machines import EXECUTORS, machine, solve
from tests.support.toy_parts import Scripted


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
