"""A transcript of everything that was written, and the whole plan in one target, beside the stack."""

from functools import reduce

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from coc_core.errors import LimitFault, ProtocolFault, UsageError
from coc_core.execution import Sequential
from coc_core.memories import StackConvention
from coc_core.setting import Setting
from coc_core.text import Form, Forms
from coc_core.types import Expectation, Limits, Step
from coc_learn.datasets import teacher_pairs
from coc_paper.transcript.transcript import BREAK, Entry, Transcript, TranscriptConvention
from coc_problems import policy_steps
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Call
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.toy_parts import Head, Nobody, Queue

DOMAINS = st.sampled_from(["hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake"])
TWO_DISKS = (
    "INSTR CALL n=2 src=1 dst=3 aux=2",
    "PUSH CALL n=1 src=2 dst=3 aux=1\nPUSH MOVE d=2 src=1 dst=3\nPUSH CALL n=1 src=1 dst=2 aux=3",
    "OUTPUT Move disk 1 from 1 to 2",
    "OUTPUT Move disk 2 from 1 to 3",
    "OUTPUT Move disk 1 from 2 to 3",
)
"""The first prompt and all targets."""
PLAN = "\n".join(TWO_DISKS[2:])


def setting(memory, domain="hanoi", limits=Limits()):
    return Setting.of(REGISTRY, domain, memory, "symbolic", limits)


def run(setting, problem, *targets):
    """A machine after these targets, by default those of the reference model, and what it has recorded."""
    records = []
    machine = setting.machine(problem, [records.append])
    for target in targets:
        machine.step(target)
    if not targets:
        Sequential().run([machine], setting.model("reference"))
    return machine, records


def both(memory, domain, n, seed):
    """What is recorded with a memory, and with a stack."""
    return [run(setting(each, domain), setting(each, domain).domain.problem(n, seed))[1] for each in (memory, "pda")]


def test_two_disks_are_these_texts():
    _, records = run(setting("transcript"), Hanoi().problem(2))
    assert [record.prompt for record in records] == [BREAK.join(TWO_DISKS[:end]) for end in range(1, 5)]
    assert [record.target for record in records] == list(TWO_DISKS[1:])
    _, (record,) = run(setting("whole-plan"), Hanoi().problem(2))
    assert (record.prompt, record.target) == (TWO_DISKS[0], PLAN)


@given(DOMAINS, st.integers(1, 6), st.integers(0, 99), st.randoms())
def test_the_steps_are_those_of_a_stack_and_each_prompt_has_all_before_it(domain, n, seed, rng):
    ours, stack = both("transcript", domain, n, seed)
    assert [(each.target, each.actions, each.after) for each in ours] == [
        (each.target, each.actions, each.after) for each in stack
    ]
    texts = [stack[0].prompt, *(each.target for each in stack)]
    assert [each.prompt for each in ours] == [BREAK.join(texts[: step + 1]) for step in range(len(ours))]
    step = rng.randrange(len(ours))  # its prompt tells which instruction is on top of the stack
    known = StackConvention(setting("pda", domain).domain, "symbolic").parse_prompt(stack[step].prompt)
    assert setting("transcript", domain).convention.parse_prompt(ours[step].prompt) == known


@given(DOMAINS, st.integers(1, 7), st.integers(0, 99))
def test_the_whole_plan_is_that_of_a_stack_in_one_step(domain, n, seed):
    (record,), stack = both("whole-plan", domain, n, seed)
    assert record.actions == tuple(action for each in stack for action in each.actions)
    assert (record.prompt, record.after) == (stack[0].prompt, stack[-1].after)
    whole = setting("whole-plan", domain)
    steps = policy_steps(whole.domain, whole.domain.problem(n, seed))
    emits = [emitted for _, step in steps for emitted in step.emits]
    assert list(whole.convention.parse(record.target).target.emits) == emits


@for_each(
    ("texts", "message"),
    [
        ((), "is not of the form 'INSTR {instruction}'"),
        (TWO_DISKS[1:], "is not of the form 'INSTR {instruction}'"),
        (("INSTR CALL n=2 src=1 dst=1 aux=2", *TWO_DISKS[1:2]), "the pegs must differ"),
        ((*TWO_DISKS[:2], "OUTPUT Move disk"), "'OUTPUT Move disk' is not a target"),
        ((*TWO_DISKS[:2], f"{TWO_DISKS[2]} "), "is not a target"),
        ((*TWO_DISKS[:3], ""), "'' is not a target: the target is empty"),
        (TWO_DISKS, "the transcript has no instruction that is still to be run"),
        ((*TWO_DISKS, TWO_DISKS[4]), "the transcript goes on after its last step, with 'OUTPUT Move disk 1"),
    ],
)
def test_what_is_wrong_with_a_transcript_is_said(texts, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        setting("transcript").convention.parse_prompt(BREAK.join(texts))
    assert message in str(caught.value)


def test_what_the_conventions_say_of_themselves():
    convention = setting("transcript").convention
    assert (convention.growing_prompts, convention.memoryless) == (True, False)
    assert convention.certain_prompts(TWO_DISKS[1]) == ()
    assert convention.dialect == TranscriptConvention(Hanoi(), "numeric").dialect == "hanoi/transcript"
    problem = Hanoi().problem(4)
    assert convention.expect(problem) == Expectation(actions=15, steps=22)
    assert setting("whole-plan").convention.expect(problem) == Expectation(actions=15, steps=1)


@for_each(
    ("memory", "answer", "status", "kind"),
    [
        ("transcript", "OUTPUT Move disk 2 from 1 to 3", "fault", "action"),
        ("transcript", f"{TWO_DISKS[2]}\n\n{TWO_DISKS[3]}", "fault", "protocol"),
        ("whole-plan", "", "fault", "protocol"),
        ("whole-plan", f"{PLAN}\nPUSH CALL n=1 src=1 dst=2 aux=3", "fault", "protocol"),
        ("whole-plan", f"{PLAN}\n{PLAN}", "fault", "action"),
        ("whole-plan", PLAN.rpartition("\n")[0], "unsolved", None),
    ],
)
def test_a_model_that_errs_makes_a_fault_and_nothing_is_written(memory, answer, status, kind):
    before = TWO_DISKS[1:2] if memory == "transcript" else ()
    machine, records = run(setting(memory), Hanoi().problem(2), *before, answer)
    assert (machine.status, machine.fault and machine.fault.kind) == (status, kind)
    assert len(records) == len(before) + (kind is None)
    if before:
        assert machine.windows == (BREAK.join(TWO_DISKS[:2]),)


@frozen
class Silence:
    """A note without a word."""


class Pausing(Queue):
    notes = Forms(Form.of(Head, "The head is {item}."), Form.of(Nobody, "Nobody is left."), Form.of(Silence, ""))


def test_a_target_with_an_empty_line_is_a_fault():
    convention = TranscriptConvention(Pausing(), "symbolic")
    with pytest.raises(ProtocolFault, match="the target holds an empty line"):
        convention.write(convention.parse("OUTPUT Take 1\n\nOUTPUT Take 2"), "", ())


def test_a_plan_has_to_fit_into_a_target():
    machine, _ = run(setting("whole-plan", limits=Limits(target_chars=len(PLAN))), Hanoi().problem(2))
    assert machine.status == "solved"
    tight = setting("whole-plan", limits=Limits(target_chars=len(PLAN) - 1))
    machine, records = run(tight, Hanoi().problem(2))
    assert (machine.fault.kind, machine.fault.step, records) == ("limit", 1, [])
    assert machine.fault.message == "the whole plan does not fit into a target of 91 characters"
    with pytest.raises(LimitFault, match="does not fit into a target of 91 characters"):  # and is given up soon
        tight.convention.compose(Step(then=(Call(64, 1, 3, 2),)), {})
    with pytest.raises(UsageError, match=r"no pairs of n=2 src=1 dst=3: the whole plan .* choose a smaller n"):
        list(teacher_pairs(tight, [Hanoi().problem(n) for n in (1, 2)]))


LIMITS = Limits(tape_bytes=60, stack_depth=4, windows_per_step=2)


@for_each(
    ("entries", "message"),
    [
        ([Entry("a", 3)], "a step pushed 3 windows, the limit is 2"),
        ([Entry("a" * 60, 1)], "the transcript would hold 67 bytes, the limit is 60"),
        ([Entry("a", 2)] * 4, "5 instructions would be pending, the limit is 4"),
    ],
)
def test_a_limit_is_named(entries, message):
    memory = Transcript(LIMITS)
    with pytest.raises(LimitFault, match=message):
        reduce(memory.write, entries, memory.start("first"))
