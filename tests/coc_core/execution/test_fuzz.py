"""Whatever a model writes is one step, or a fault that changes nothing."""

import random
import re
from functools import cache

import pytest
from hypothesis import given, strategies as st

from coc_check.hostile import damaged
from coc_core.plugin import ArithmeticSpec, DomainSpec, MemorySpec
from coc_core.setting import Setting
from coc_core.types import Limits
from tests.support.installed_plugins import REGISTRY
from tests.support.machines import EXECUTORS, machine, solve
from tests.support.toy_parts import Scripted

EVERY = [
    (domain.name, memory.name, arith.name)
    for domain in REGISTRY.specs(DomainSpec)
    for memory in REGISTRY.specs(MemorySpec)
    if domain.memories is None or memory.name in domain.memories
    for arith in REGISTRY.specs(ArithmeticSpec)
]
FOREIGN = ["OUTPUT Move disk 1 from 1 to 3", "APPEND[1] left=[] PTR=1", "PUSH CALL n=1 src=1 dst=2 aux=3"]
LOW = Limits(tape_bytes=2_000, stack_depth=40)


@cache
def made(domain, memory, arith):
    reference = "reference" if REGISTRY.find(ArithmeticSpec, arith).reference else None
    return Setting.of(REGISTRY, domain, memory, arith, LOW, reference)


def right_target(convention, prompt):
    try:
        return convention.target_for(prompt)
    except Exception:  # no policy knows where a wrong target leads
        return ""


@given(st.sampled_from(EVERY), st.integers(0, 99), st.integers(0, 12), st.integers(0, 10**6))
def test_each_text_is_a_step_or_a_fault_that_changes_nothing(names, seed, steps, number):
    """Accepted steps are kept, so that later texts meet states and memories that no policy leads to."""
    setting, rng = made(*names), random.Random(number)
    sizes, convention = setting.domain.sizes[:4], setting.convention
    subject = setting.machine(setting.domain.problem(sizes[seed % len(sizes)], seed))
    subject.assume(deterministic=False)
    for place in range(steps + 20):
        prompt, before = subject.peek(), subject.fork()
        if prompt is None:
            return
        right = right_target(convention, prompt)
        subject.step(right if place < steps else damaged(right, rng, FOREIGN))
        fault = subject.fault
        if fault is None or fault.step == before.steps + 2:  # it was taken, and after it the run can't go on
            assert subject.steps == before.steps + 1
        else:
            assert fault.step == before.steps + 1
            assert fault.kind in ("protocol", "address", "action", "arithmetic", "limit")
            assert re.fullmatch(r"[\x20-\x7e]{1,1000}", fault.message)
            assert (subject.state, subject.contents) == (before.state, before.contents)
            assert (subject.steps, subject.actions) == (before.steps, before.actions)
            subject = before


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
