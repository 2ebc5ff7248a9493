"""The whole plan in one target: the actions and notes of a run on a stack, and nothing else."""

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import LimitFault, UsageError
from coc_core.execution import Sequential
from coc_core.setting import Setting
from coc_core.types import Expectation, Limits, Step
from coc_learn.datasets import teacher_pairs
from coc_problems import policy_steps
from coc_puzzles.hanoi.instructions import Call
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

DOMAINS = ("hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake")
PROMPT = "INSTR CALL n=2 src=1 dst=3 aux=2"
PLAN = "OUTPUT Move disk 1 from 1 to 2\nOUTPUT Move disk 2 from 1 to 3\nOUTPUT Move disk 1 from 2 to 3"


def setting(domain="hanoi", memory="whole-plan", limits=Limits()):
    return Setting.of(REGISTRY, domain, memory, "symbolic", limits)


def run(setting, problem, *targets):
    """What a machine has done after these targets, by default those of the reference model."""
    records = []
    machine = setting.machine(problem, [records.append])
    if targets:
        for target in targets:
            machine.step(target)
    else:
        Sequential().run([machine], setting.model("reference"))
    return machine, records


def test_two_disks_are_these_texts():
    machine, (record,) = run(setting(), setting().domain.problem(2))
    assert (record.prompt, record.target, machine.status) == (PROMPT, PLAN, "solved")


@given(st.sampled_from(DOMAINS), st.integers(1, 7), st.integers(0, 99))
def test_the_plan_is_that_of_a_stack_in_one_step(domain, n, seed):
    whole, stack = setting(domain), setting(domain, "pda")
    problem = whole.domain.problem(n, seed)
    machine, (record,) = run(whole, problem)
    other, records = run(stack, problem)
    assert record.actions == tuple(action for each in records for action in each.actions)
    assert record.prompt == records[0].prompt
    assert record.after == records[-1].after
    assert (machine.status, other.status) == ("solved", "solved")
    emits = [emitted for _, step in policy_steps(whole.domain, problem) for emitted in step.emits]
    assert list(whole.convention.parse(record.target).target.emits) == emits


@for_each(
    ("answer", "status", "kind"),
    [
        ("", "fault", "protocol"),
        (f"{PLAN}\n", "fault", "protocol"),
        (f"{PLAN}\nPUSH CALL n=1 src=1 dst=2 aux=3", "fault", "protocol"),
        ("PUSH CALL n=1 src=1 dst=2 aux=3", "fault", "protocol"),
        (f"{PLAN}\n{PLAN}", "fault", "action"),
        (PLAN.rpartition("\n")[0], "unsolved", None),
    ],
)
def test_a_wrong_plan_is_no_solution(answer, status, kind):
    machine, records = run(setting(), setting().domain.problem(2), answer)
    assert machine.status == status
    assert (machine.fault and machine.fault.kind) == kind
    assert len(records) == (kind is None)
    assert machine.peek() is None


def test_a_plan_has_to_fit_into_a_target():
    exact = setting(limits=Limits(target_chars=len(PLAN)))
    machine, _ = run(exact, exact.domain.problem(2))
    assert machine.status == "solved"
    tight = setting(limits=Limits(target_chars=len(PLAN) - 1))
    machine, records = run(tight, tight.domain.problem(2))
    assert machine.fault is not None
    assert (machine.fault.kind, machine.fault.step, records) == ("limit", 1, [])
    assert machine.fault.message == "the whole plan does not fit into a target of 91 characters"


def test_a_plan_of_64_disks_is_given_up_soon():
    convention = setting(limits=Limits(target_chars=1_000)).convention
    with pytest.raises(LimitFault, match="does not fit into a target of 1,000 characters"):
        convention.compose(Step(then=(Call(64, 1, 3, 2),)), {})


def test_a_run_has_one_step_whatever_the_policy_takes():
    convention, problem = setting().convention, setting().domain.problem(4)
    assert convention.expect(problem) == Expectation(actions=15, steps=1)
    assert setting(memory="transcript").convention.expect(problem) == Expectation(actions=15, steps=22)
    assert setting("pancake").convention.expect(setting("pancake").domain.problem(4)) is None


def test_a_plan_that_does_not_fit_makes_no_pair():
    tight = setting(limits=Limits(target_chars=50))
    with pytest.raises(UsageError, match=r"no pairs of n=2 src=1 dst=3: the whole plan .* choose a smaller n"):
        list(teacher_pairs(tight, [tight.domain.problem(n) for n in (1, 2)]))
