"""Each way in which a model can fail: what the fault says, and that nothing of the step was applied."""

import pytest

from coc_core.cli.solve.run import exit_code
from coc_core.errors import FAULT_KINDS
from coc_core.types import Limits
from tests.support.for_each import for_each
from tests.support.machines import EXECUTORS, contents, machine, solve
from tests.support.toy_parts import Scripted, broken_arithmetic

GOOD = {
    ("pda", "symbolic"): "PUSH MOVE d=1 src=1 dst=3",
    ("tape", "inline"): "APPEND[1] MOVE d=1 src=1 dst=3 prev=-1\nPTR=1 NEXT_ID=2",
    ("tape", "symbolic"): "APPEND[NEXT_ID] MOVE d=1 src=1 dst=3 prev=prev\nPTR=NEXT_ID NEXT_ID=NEXT_ID+1",
}
"""A first step that is fine in each setting; the second step is the one that fails."""

PDA, INLINE, SYMBOLIC = GOOD

BAD = [
    ("garbage", PDA, "protocol", "I'm sorry, I can't do that."),
    ("garbage on a tape", INLINE, "protocol", "I'm sorry, I can't do that."),
    ("empty", PDA, "protocol", ""),
    ("empty on a tape", SYMBOLIC, "protocol", ""),
    ("not ASCII", PDA, "protocol", "OUTPUT Move disk １ from 1 to 3"),
    ("terminal escapes", PDA, "protocol", "OUTPUT \x1b[2J"),
    ("too long", PDA, "protocol", "OUTPUT " * 10_000),
    ("half a target", INLINE, "protocol", "OUTPUT Move disk 1 from 1 to 3\nPTR="),
    ("the same line twice", INLINE, "protocol", "PTR=0 NEXT_ID=2\nPTR=0 NEXT_ID=2"),
    ("a good action, then garbage", PDA, "protocol", "OUTPUT Move disk 1 from 1 to 3\nthat was it"),
    ("PTR beyond the tape", INLINE, "address", "PTR=2 NEXT_ID=2"),
    ("PTR beyond the tape", SYMBOLIC, "address", "PTR=NEXT_ID NEXT_ID=NEXT_ID"),
    ("PTR below -1", SYMBOLIC, "address", "PTR=prev-1 NEXT_ID=NEXT_ID"),
    ("a huge PTR", INLINE, "address", f"PTR={'9' * 19} NEXT_ID=2"),
    ("wrong NEXT_ID", INLINE, "address", "PTR=-1 NEXT_ID=3"),
    ("wrong NEXT_ID", SYMBOLIC, "address", "PTR=-1 NEXT_ID=NEXT_ID+1"),
    ("APPEND over a window", INLINE, "address", "APPEND[1] MOVE d=1 src=1 dst=3 prev=-1\nPTR=1 NEXT_ID=2"),
    ("APPEND with a gap", INLINE, "address", "APPEND[3] MOVE d=1 src=1 dst=3 prev=-1\nPTR=3 NEXT_ID=4"),
    ("APPEND at -1, and on", INLINE, "address", "APPEND[-1] MOVE d=1 src=1 dst=3 prev=-1\nPTR=1 NEXT_ID=2"),
    ("a good action, then a bad address", INLINE, "address", "OUTPUT Move disk 1 from 1 to 3\nPTR=7 NEXT_ID=2"),
    ("an unknown register", SYMBOLIC, "arithmetic", "PTR=first NEXT_ID=NEXT_ID"),
    ("no sum", SYMBOLIC, "arithmetic", "PTR=prev+ NEXT_ID=NEXT_ID"),
    ("an expression for inline", INLINE, "arithmetic", "PTR=prev NEXT_ID=NEXT_ID"),
    ("a leading zero", INLINE, "arithmetic", "PTR=-1 NEXT_ID=02"),
    ("twenty digits", INLINE, "arithmetic", f"PTR={'1' * 20} NEXT_ID=2"),
    ("a long expression", SYMBOLIC, "arithmetic", f"PTR=-1{'+1' * 40} NEXT_ID=NEXT_ID"),
    ("a disk that is not there", PDA, "action", "OUTPUT Move disk 1 from 2 to 3"),
    ("a disk that is covered", PDA, "action", "OUTPUT Move disk 2 from 1 to 3"),
    ("a larger disk on a smaller", PDA, "action", "OUTPUT Move disk 1 from 1 to 3\nOUTPUT Move disk 2 from 1 to 3"),
    ("an illegal action on a tape", INLINE, "action", "OUTPUT Move disk 2 from 1 to 3\nPTR=-1 NEXT_ID=2"),
]


@for_each("executor", EXECUTORS)
@for_each(("setting", "kind", "answer"), [case[1:] for case in BAD])
def test_a_bad_target_ends_the_run_and_changes_nothing(setting, kind, answer, executor):
    seen = []
    subject = machine(*setting, listeners=[lambda record: seen.append(contents(subject)[:3])])
    outcome = solve(subject, executor, Scripted(GOOD[setting], answer))
    assert outcome.status == "fault"
    assert (outcome.fault.kind, outcome.fault.step) == (kind, 2)
    assert (outcome.steps, outcome.actions, outcome.model_calls) == (1, 0, 2)
    assert [contents(subject)[:3]] == seen
    assert outcome.fault.text in answer
    assert outcome.fault.text or not answer
    assert exit_code(outcome) == FAULT_KINDS[kind].exit_code == 1
    assert subject.peek() is None


@pytest.mark.parametrize("executor", EXECUTORS)
def test_logits_that_are_not_finite_end_the_run(executor):
    subject = machine()
    before = contents(subject)
    outcome = solve(subject, executor, Scripted(then=broken_arithmetic))
    assert (outcome.status, outcome.fault.kind, outcome.fault.step) == ("fault", "numeric", 1)
    assert outcome.fault.text == "INSTR CALL n=3 src=1 dst=3 aux=2"
    assert contents(subject) == before
    assert outcome.model_calls == 0
    assert exit_code(outcome) == 7


LIMITED = {
    "steps of a stack": (PDA, Limits(steps=5), 5),
    "depth of a stack": (PDA, Limits(stack_depth=4), 1),
    "windows of a step": (PDA, Limits(windows_per_step=2), 0),
    "windows of a step on a tape": (SYMBOLIC, Limits(windows_per_step=2), 0),
}


@for_each("executor", EXECUTORS)
@for_each("name", LIMITED)
def test_a_run_that_uses_too_much_is_stopped(name, executor):
    setting, limits, steps = LIMITED[name]
    seen = []
    subject = machine(*setting, limits=limits, listeners=[lambda record: seen.append(contents(subject)[:3])])
    seen.append(contents(subject)[:3])
    outcome = solve(subject, executor)
    assert (outcome.status, outcome.fault.kind) == ("fault", "limit")
    assert outcome.steps == len(seen) - 1 == steps
    assert outcome.fault.step == outcome.steps + 1
    assert contents(subject)[:3] == seen[-1]
    assert exit_code(outcome) == 6
