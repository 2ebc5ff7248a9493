"""Runs that would never end, by every executor there is: what becomes of them, and when."""

import pytest

from coc_core.memories import Reference
from coc_core.plugin import ExecutorSpec
from coc_core.types import Limits
from coc_puzzles.hanoi.instructions import Tower
from tests.support.installed_plugins import REGISTRY
from tests.support.machines import SETTINGS, convention, machine, recorded
from tests.support.toy_parts import Nondeterministic, Queue, Scripted

EXECUTORS = [REGISTRY.make(spec, spec.factory) for spec in REGISTRY.specs(ExecutorSpec)]
PDA, INLINE, SYMBOLIC = ("pda", "symbolic"), ("tape", "inline"), ("tape", "symbolic")


def alike(make, answer, model=Scripted):
    """How the run ends, which must be the same by every executor that can work with that kind of model; its machine."""
    able = [one for one in EXECUTORS if model.deterministic or not (one.needs_determinism or one.samples)]
    ends = []
    for executor in able:
        subject = make()
        (outcome,) = executor.run([subject], model(then=answer(subject)))
        ends.append((executor.name, (outcome.status, outcome.steps, outcome.actions, outcome.fault)))
    assert len(able) > 1
    assert {name: end for name, end in ends if end != ends[0][1]} == {}
    return outcome, subject


def fault_of(outcome):
    assert outcome.status == "fault"
    assert outcome.fault.step == outcome.steps + 1
    return outcome.fault.kind


AT_ONCE = {
    "a stack with one top": (PDA, lambda prompt: prompt.replace("INSTR", "PUSH")),
    "a stack that grows": (PDA, lambda prompt: "\n".join([prompt.replace("INSTR", "PUSH")] * 2)),
    "a pointer that stays": (SYMBOLIC, lambda prompt: "PTR=PTR NEXT_ID=NEXT_ID"),
    "a pointer that stays, inline": (INLINE, lambda prompt: "PTR=0 NEXT_ID=1"),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_loop_from_the_first_step_on(name):
    setting, answer = AT_ONCE[name]
    outcome, _ = alike(lambda: machine(*setting), lambda _: answer)
    assert (fault_of(outcome), outcome.steps <= 2) == ("loop", True)


def last_new(memory, arith, n):
    """The prompt of a run of n disks that is seen for the first time latest, and the step."""
    firsts = {}
    for step, (prompt, _) in enumerate(recorded(memory, arith, Tower(n))[0], 1):
        firsts.setdefault(prompt, step)
    return max(firsts.items(), key=lambda item: item[1])


@pytest.mark.parametrize("n", [3, 7])
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_loop_that_begins_late(setting, n):
    prompt, step = last_new(*setting, n)
    stays = prompt.replace("INSTR", "PUSH") if setting[0] == "pda" else "PTR=PTR NEXT_ID=NEXT_ID"
    if setting == INLINE:
        stays = prompt[: prompt.index(" INSTR")]

    def answer(subject):
        right = Reference(subject.convention)
        return lambda asked: stays if asked == prompt else right.complete([asked])[0]

    outcome, _ = alike(lambda: machine(*setting, Tower(n)), answer)
    assert fault_of(outcome) == "loop"
    assert step <= outcome.steps <= 4 * step


APPENDS = "APPEND[NEXT_ID] CALL n=3 src=1 dst=3 aux=2 prev=prev\nPTR=NEXT_ID NEXT_ID=NEXT_ID+1"


def back_to_the_start(prompt):
    """Writes a window and goes back to the first one: never twice at the same place with the same tape."""
    free = int(prompt.split(" ")[1].removeprefix("NEXT_ID="))
    return f"APPEND[{free}] CALL n=3 src=1 dst=3 aux=2 prev=-1\nPTR=0 NEXT_ID={free + 1}"


@pytest.mark.parametrize(("setting", "answer"), [(SYMBOLIC, lambda _: APPENDS), (INLINE, back_to_the_start)])
def test_a_tape_that_grows_for_ever_ends_at_a_cap(setting, answer):
    steps, _ = alike(lambda: machine(*setting, limits=Limits(steps=500)), lambda _: answer)
    assert (fault_of(steps), steps.steps) == ("limit", 500)
    size, subject = alike(lambda: machine(*setting, limits=Limits(tape_bytes=8_000)), lambda _: answer)
    assert fault_of(size) == "limit"
    assert "bytes, the limit is 8,000" in size.fault.message
    assert 7_900 < sum(map(len, subject.windows)) <= 8_000


def counting(prompt):
    """Pushes a new instruction on top of itself, so that no top ever comes again."""
    at = int(prompt.rpartition("[")[2].rstrip("]"))
    return f"PUSH left=[{at}]\nPUSH left=[{at + 1}]"


def test_a_stack_that_grows_and_never_repeats_ends_at_its_depth():
    limits = Limits(stack_depth=500)
    outcome, subject = alike(lambda: machine(*PDA, Queue().problem(1), Queue(), limits), lambda _: counting)
    assert (fault_of(outcome), outcome.steps) == ("limit", 499)
    assert "501 deep, the limit is 500" in outcome.fault.message
    assert len(subject.windows) == 500


def longer(prompt):
    """Replaces the instruction by one that is a little longer."""
    return f"PUSH {prompt.removeprefix('INSTR ')[:-1]}, 0]"


def test_a_window_that_grows_ends_at_the_length_of_a_target():
    limits = Limits(target_chars=600)
    outcome, subject = alike(lambda: machine("pda", "symbolic", Queue().problem(1), Queue(), limits), lambda _: longer)
    assert fault_of(outcome) == "protocol"
    assert "characters, the limit is 600" in outcome.fault.message
    assert len(*subject.windows) <= 600


@pytest.mark.parametrize("name", AT_ONCE)
def test_nothing_is_proved_of_a_nondeterministic_model(name):
    setting, answer = AT_ONCE[name]
    outcome, _ = alike(lambda: machine(*setting, limits=Limits(steps=300)), lambda _: answer, Nondeterministic)
    assert (fault_of(outcome), outcome.steps) == ("limit", 300)


def test_one_endless_run_holds_up_no_other():
    right = Reference(convention())
    for executor in EXECUTORS:
        model = Scripted(
            then=lambda asked: asked.replace("INSTR", "PUSH") if "n=5" in asked else right.complete([asked])[0]
        )
        outcomes = executor.run([machine(problem=Tower(n)) for n in (4, 5, 6)], model)
        assert [outcome.fault and outcome.fault.kind for outcome in outcomes] == [None, "loop", "loop"], executor.name
        assert outcomes[0].status == "solved"
