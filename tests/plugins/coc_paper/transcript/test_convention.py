"""The prompts of a transcript: what was written, in order, and nothing else."""

import random
from contextlib import suppress

import pytest
from attrs import frozen
from hypothesis import given, strategies as st

from coc_check.hostile import mutated
from coc_core.arithmetic import Symbolic
from coc_core.errors import ProtocolFault
from coc_core.execution import Machine
from coc_core.memories import StackConvention
from coc_core.setting import Setting
from coc_core.text import Form, Forms
from coc_paper.transcript.transcript import BREAK, Transcript, TranscriptConvention
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Call, Move
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.toy_parts import Head, Line, Nobody, Queue

DOMAINS = ("hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake")

TWO_DISKS = (
    "INSTR CALL n=2 src=1 dst=3 aux=2",
    "PUSH CALL n=1 src=2 dst=3 aux=1\nPUSH MOVE d=2 src=1 dst=3\nPUSH CALL n=1 src=1 dst=2 aux=3",
    "OUTPUT Move disk 1 from 1 to 2",
    "OUTPUT Move disk 2 from 1 to 3",
    "OUTPUT Move disk 1 from 2 to 3",
)
"""The first prompt and all targets."""


def spoken():
    return TranscriptConvention(Hanoi(), "symbolic")


def transcript(*texts):
    return BREAK.join(texts)


def trace(domain, memory, n, seed=0):
    """The steps of the reference model's run."""
    records = []
    setting = Setting.of(REGISTRY, domain, memory, "symbolic")
    machine = setting.machine(setting.domain.problem(n, seed), [records.append])
    model = setting.model("reference")
    while (prompt := machine.peek()) is not None:
        machine.step(*model.complete([prompt]))
    assert machine.status == "solved"
    return records


def test_two_disks_are_these_texts():
    records = trace("hanoi", "transcript", 2)
    assert [record.prompt for record in records] == [transcript(*TWO_DISKS[:end]) for end in range(1, 5)]
    assert [record.target for record in records] == list(TWO_DISKS[1:])


@given(st.sampled_from(DOMAINS), st.integers(1, 6), st.integers(0, 99))
def test_the_steps_are_those_of_a_stack_and_each_prompt_has_all_before_it(domain, n, seed):
    ours, stacks = trace(domain, "transcript", n, seed), trace(domain, "pda", n, seed)
    assert [(record.target, record.actions, record.after) for record in ours] == [
        (record.target, record.actions, record.after) for record in stacks
    ]
    texts = [stacks[0].prompt, *(record.target for record in stacks)]
    assert [record.prompt for record in ours] == [transcript(*texts[: step + 1]) for step in range(len(ours))]


@given(st.sampled_from(DOMAINS), st.integers(1, 5), st.integers(0, 9), st.randoms())
def test_a_prompt_says_which_instruction_a_stack_would_have_on_top(domain, n, seed, rng):
    setting = Setting.of(REGISTRY, domain, "transcript", "symbolic")
    record = rng.choice(trace(domain, "transcript", n, seed))
    stack = trace(domain, "pda", n, seed)[record.step - 1].prompt
    wanted = StackConvention(setting.domain, "symbolic").parse_prompt(stack)
    assert setting.convention.parse_prompt(record.prompt) == wanted


@given(st.integers(0, 4), st.integers(0, 10**6))
def test_whatever_is_not_a_transcript_is_a_value_error(steps, seed):
    convention = spoken()
    text = mutated(transcript(*TWO_DISKS[: steps + 1]), random.Random(seed))
    with suppress(ValueError):
        instruction, registers = convention.parse_prompt(text)
        assert isinstance(instruction, Call | Move)
        assert registers == {}
        first, *targets = text.split(BREAK)
        convention.domain.instructions.parse(first.removeprefix("INSTR "))
        assert [convention.format(convention.parse(target).target) for target in targets] == targets


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
        spoken().parse_prompt(transcript(*texts))
    assert message in str(caught.value)


def test_prompts_grow_and_there_are_as_many_as_steps():
    convention = spoken()
    assert convention.growing_prompts
    assert not convention.memoryless
    assert convention.certain_prompts(TWO_DISKS[1]) == ()
    assert (convention.dialect, TranscriptConvention(Hanoi(), "numeric").dialect) == (2 * ("hanoi/transcript",))


@frozen
class Silence:
    """A note without a word."""


class Pausing(Queue):
    notes = Forms(Form.of(Head, "The head is {item}."), Form.of(Nobody, "Nobody is left."), Form.of(Silence, ""))


def test_a_target_with_an_empty_line_is_a_fault():
    domain, line = Pausing(), Line((1, 2))
    convention = TranscriptConvention(domain, "symbolic")
    text = "OUTPUT Take 1\n\nPUSH left=[2]"
    machine = Machine(domain, line, Transcript(), convention, Symbolic())
    with pytest.raises(ProtocolFault, match="the target holds an empty line"):
        convention.write(convention.parse("OUTPUT Take 1\n\nOUTPUT Take 2"), "", ())
    machine.step(text)
    assert machine.fault is not None
    assert machine.fault.kind == "protocol"
    assert machine.windows == ("INSTR left=[1, 2]",)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("OUTPUT Move disk 2 from 1 to 3", "action"),
        (f"{TWO_DISKS[2]}\n\n{TWO_DISKS[3]}", "protocol"),
    ],
)
def test_a_model_that_errs_makes_a_fault_and_the_transcript_stays(answer, kind):
    setting = Setting.of(REGISTRY, "hanoi", "transcript", "symbolic")
    machine = setting.machine(setting.domain.problem(2))
    machine.step(TWO_DISKS[1])
    machine.step(answer)
    assert machine.fault is not None
    assert (machine.fault.kind, machine.fault.step) == (kind, 2)
    assert machine.windows == (transcript(*TWO_DISKS[:2]),)
