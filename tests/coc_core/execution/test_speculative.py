"""The speculative executor takes the same steps as the sequential one, whatever the model writes, and at what cost."""

import pytest
from hypothesis import given, strategies as st

from coc_check import strategies
from coc_check.scripted import before_a_fault, until_wrong
from coc_core.errors import PluginError, UsageError
from coc_core.execution import Lockstep, Sequential, Speculative
from coc_core.execution.speculative import draft_steps
from coc_core.memories import Reference
from coc_core.models import DraftVerifier
from coc_core.types import Limits
from coc_puzzles.hanoi.instructions import Tower
from tests.support.flawed_models import DOMAINS, LARGEST, Flawed, small_setting, traces
from tests.support.for_each import for_each
from tests.support.machines import SETTINGS, contents, convention, machine, recorded, solve
from tests.support.toy_parts import Scripted

DOMAIN_SETTINGS = [(domain, memory, arith) for domain in DOMAINS for memory, arith in SETTINGS]
RATES = [0, 0.001, 0.05, 0.5, 1]


class Checking(Flawed, DraftVerifier):
    """Stops at a wrong draft or a fault, as a model that checks drafts does."""

    name = "checking"

    def _verify(self, prompts, drafts):
        found = until_wrong(before_a_fault(map(self.answer, prompts)), drafts)
        self.batches.append(prompts[: len(found)])
        return found


def speculative(
    first=Speculative.first_draft,
    most=Speculative.max_draft,
    lookahead=Speculative.lookahead,
    cache_bytes=Speculative.cache_bytes,
):
    executor = Speculative()
    executor.first_draft, executor.max_draft = first, most
    executor.lookahead, executor.cache_bytes = lookahead, cache_bytes
    return executor


executors = st.builds(
    speculative, st.integers(1, 9), st.integers(1, 20), st.integers(1, 70), st.sampled_from([0, 1_000, 10_000, 1 << 20])
)


@given(data=st.data())
def test_a_run_is_the_one_step_by_step(data):
    names = data.draw(st.sampled_from(DOMAIN_SETTINGS))
    setting = small_setting(*names)
    sizes = range(1, LARGEST.get(names[0], 5) + 1)
    problems = data.draw(st.lists(strategies.problems(setting.domain, sizes), max_size=4))
    share, seed = data.draw(st.sampled_from(RATES)), data.draw(st.integers(0, 10**6))
    kind, executor = data.draw(st.sampled_from([Flawed, Checking])), data.draw(executors)
    alone = traces(setting, problems, Flawed(setting.convention, share, seed), Sequential())
    assert traces(setting, problems, kind(setting.convention, share, seed), executor) == alone


@given(st.integers(0, 70), st.sampled_from(SETTINGS), executors)
def test_an_interruption_leaves_the_machine_at_the_end_of_a_step(when, setting, executor):
    commits = []
    subject = machine(*setting, Tower(4), listeners=[commits.append])
    teacher, model = Reference(subject.convention), Scripted()

    def answer(prompt):
        if len(model.prompts) >= when:
            subject.interrupt()
        return teacher.complete([prompt])[0]

    model.then = answer
    (outcome,) = executor.run([subject], model)
    assert outcome.fault is None
    assert (outcome.status == "solved") == (subject.pointer < 0)
    assert outcome.status in ("solved", "interrupted")
    assert outcome.steps == len(commits)
    fresh = machine(*setting, Tower(4))
    for record in commits:
        assert fresh.peek() == record.prompt
        fresh.step(record.target)
    assert contents(fresh) == contents(subject)


def asked_by(executor, setting, share=0, problem=Tower(6)):
    """The batches of prompts that a model answered on the way."""
    subject = machine(*setting, problem, limits=Limits(steps=10_000, tape_bytes=1_000_000, stack_depth=1_000))
    model = Checking(subject.convention, share, 1)
    executor.run([subject], model)
    return model.batches


@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_no_prompt_is_asked_twice(memory):
    batches = asked_by(Speculative(), (memory, "symbolic"), problem=Tower(12))
    assert (sum(map(len, batches)), len(batches) < 20) == (63, True)


def test_an_exact_model_is_called_in_large_batches():
    sizes = [len(batch) for batch in asked_by(Speculative(), ("tape", "inline"), problem=Tower(9))]
    assert sizes[:5] == [4, 8, 16, 32, 64]
    assert set(sizes[5:-1]) == {64}


def idle(prompt):
    """The same instruction once more, at the next address."""
    instruction, _, prev = prompt.split("] ")[1].rpartition(" prev=")
    free = int(prompt.split(" ")[1].partition("=")[2])
    return f"APPEND[{free}] {instruction} prev={prev}\nPTR={free} NEXT_ID={free + 1}"


@pytest.mark.parametrize("right", [0, 1, 2, 3])
def test_after_a_wrong_draft_as_many_are_drafted_as_were_right(right):
    """At least one; and twice as many again as soon as all are right."""
    subject = machine("tape", "inline", Tower(5))
    model = Checking(subject.convention, 0, 0)
    wrong = recorded("tape", "inline", Tower(5))[0][right][0]
    teacher, drafts = model.convention.target_for, []
    model.answer = lambda prompt: idle(prompt) if prompt == wrong else teacher(prompt)
    verify, complete = model._verify, model._complete
    model._verify = lambda prompts, given: drafts.append(len(prompts)) or verify(prompts, given)
    model._complete = lambda prompts, given: drafts.append(len(prompts)) or complete(prompts, given)
    assert solve(subject, Speculative, model).status == "solved"
    shrunk = max(1, right)
    assert drafts[:4] == [4, shrunk, 2 * shrunk, 4 * shrunk]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
@given(taken=st.integers(0, 20), most=st.integers(1, 40), lookahead=st.integers(1, 60))
def test_drafted_steps_are_the_next_steps_and_change_nothing(setting, taken, most, lookahead):
    commits = []
    subject = machine(*setting, Tower(4), listeners=[commits.append])
    teacher = Reference(subject.convention)
    for _ in range(taken):
        subject.step(teacher.complete([subject.peek()])[0])
    asked, before = subject.peek(), contents(subject)
    found = draft_steps(subject, most, {}, lookahead)
    assert (subject.peek(), contents(subject)) == (asked, before)
    assert (len(commits), subject.fault) == (taken, None)
    pairs = recorded(*setting, Tower(4))[0][taken:]
    assert list(found.items()) == list(dict(pairs[:lookahead]).items())[:most]


def test_known_targets_are_followed_and_not_drafted():
    subject = machine(problem=Tower(3))
    first = subject.peek()
    found = draft_steps(subject, 9, {first: "PUSH CALL n=1 src=1 dst=2 aux=3"}, 50)
    assert found == {"INSTR CALL n=1 src=1 dst=2 aux=3": "OUTPUT Move disk 1 from 1 to 2"}


@pytest.mark.parametrize(
    "known",
    ["What?", "PUSH CALL n=1 src=1 dst=2 aux=9", "OUTPUT Move disk 3 from 1 to 2\nPUSH CALL n=1 src=1 dst=2 aux=3"],
)
def test_nothing_is_drafted_after_a_fault(known):
    subject = machine(problem=Tower(3))
    before = contents(subject)
    assert draft_steps(subject, 9, {subject.peek(): known}, 50) == {}
    assert (subject.fault, contents(subject)) == (None, before)


def test_nothing_is_drafted_beyond_the_step_limit():
    subject = machine("tape", "inline", limits=Limits(steps=4))
    assert len(draft_steps(subject, 9, {}, 50)) == 4
    subject.step(subject.convention.target_for(subject.peek()))
    assert len(draft_steps(subject, 9, {}, 50)) == 3


@for_each("error", [ValueError("no idea"), UsageError("not today")])
@for_each("step", [1, 3, 9])
def test_an_error_is_raised_at_its_own_step(error, step):
    teacher = Reference(convention())
    bad = recorded("pda", problem=Tower(4))[0][step - 1][0]
    told, taken = [], []

    def answer(prompt):
        return error if prompt == bad else teacher.complete([prompt])[0]

    for executor in (Sequential(), Speculative(), Lockstep()):
        subject = machine(problem=Tower(4))
        with pytest.raises((PluginError, UsageError)) as found:
            executor.run([subject], Scripted(then=answer))
        told.append(str(found.value))
        taken.append(contents(subject))
    assert told == [told[0]] * 3
    assert taken == [taken[0]] * 3
    assert str(error) in told[0]
