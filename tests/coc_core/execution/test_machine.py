from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.arithmetic import Inexact, Symbolic
from coc_core.errors import NumericFault, PluginError
from coc_core.execution import Anchor, Sequential, Summary
from coc_core.memories import PDAStack, PointerTape, Reference
from coc_core.memories.tape import TapeWrite
from coc_core.types import Expectation, Fault, Limits
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import EXECUTORS, SETTINGS, contents, machine, recorded, solve, towers_of
from tests.support.toy_parts import Line, Queue, Scripted, SpokenQueue

problems = st.builds(lambda n, pegs: Tower(n, pegs[0], pegs[1]), st.integers(1, 7), st.permutations([1, 2, 3]))


@pytest.mark.slow
@given(problems)
@settings(max_examples=30)
def test_every_memory_gives_the_plan_of_the_classic_solution(problem):
    expected = towers_of(problem.n, problem.src, problem.dst)
    for memory, arith in SETTINGS:
        _, plan, outcome = recorded(memory, arith, problem)
        assert [(move.disk, move.src, move.dst) for move in plan] == expected
        assert outcome.status == "solved"
        assert outcome.actions == 2**problem.n - 1
        assert outcome.steps == 3 * 2 ** (problem.n - 1) - 2
        assert Hanoi().expect(problem) == Expectation(outcome.actions, outcome.steps)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=30), st.sampled_from([Queue, SpokenQueue]))
@settings(max_examples=30)
def test_every_memory_runs_a_chain(items, domain):
    for memory, arith in SETTINGS:
        _, plan, outcome = recorded(memory, arith, Line(tuple(items)), domain=domain())
        assert [action.item for action in plan] == items
        assert (outcome.status, outcome.steps) == ("solved", len(items))


def test_listeners_see_each_step_with_the_states_around_it():
    commits = []
    subject = machine(problem=Tower(2), listeners=[commits.append])
    before = subject.state
    solve(subject)
    assert [record.step for record in commits] == [1, 2, 3, 4]
    assert commits[0].before is before
    assert commits[-1].after is subject.state
    assert all(one.after is following.before for one, following in pairwise(commits))
    assert [len(record.actions) for record in commits] == [0, 1, 1, 1]
    assert commits[0].window == "CALL n=2 src=1 dst=3 aux=2"
    assert commits[-1].contents is subject.contents


def test_a_run_may_take_as_many_steps_as_its_limit():
    assert solve(machine(limits=Limits(steps=10))).status == "solved"
    outcome = solve(machine(limits=Limits(steps=9)))
    assert (outcome.fault.kind, outcome.fault.step, outcome.steps) == ("limit", 10, 9)
    assert "9 steps without halting" in outcome.fault.message


def test_a_fault_quotes_the_target_but_at_a_limit_or_in_a_loop_no_text():
    subject = machine()
    subject.step("OUTPUT \x1b[2J")
    assert (subject.fault.kind, subject.fault.text, subject.fault.offset) == ("protocol", "OUTPUT \x1b[2J", 7)
    again = Scripted(then=lambda prompt: prompt.replace("INSTR", "PUSH"))
    endless = solve(machine(limits=Limits(steps=9)), model=again).fault
    assert endless.message == "the machine has returned to an earlier configuration and would never halt"
    for fault in (solve(machine(limits=Limits(steps=9))).fault, endless):
        assert (fault.text, fault.offset) == ("", None)


def test_a_fault_from_outside_need_have_no_text():
    subject = machine()
    subject.fail(NumericFault("no finite logits"))
    assert subject.fault == Fault(1, "numeric", "no finite logits")
    assert subject.peek() is None


class Mistaken(Symbolic):
    """Says of all its numbers that they are wrong."""

    mistake = "the sum is off by one"

    def _resolve(self, expressions, registers):
        return Inexact.of(super()._resolve(expressions, registers), self.mistake)


@pytest.mark.parametrize(
    ("answer", "kind", "quoted"),
    [
        ("APPEND[3] MOVE d=1 src=1 dst=3 prev=-1\nPTR=3 NEXT_ID=4", "arithmetic", "MOVE d=1 src=1 dst=3 prev=-1"),
        ("OUTPUT Move disk 2 from 1 to 3 PTR=-1 NEXT_ID=1", "action", None),
    ],
)
def test_a_mistake_in_the_numbers_is_the_cause_where_the_memory_refuses_them(answer, kind, quoted):
    subject = machine("tape")
    subject.run({subject.peek(): answer}.get, 1, Mistaken())
    assert subject.fault.kind == kind
    assert subject.fault.text == (quoted or answer)
    assert subject.fault.message.startswith(Mistaken.mistake + ": ") == (kind == "arithmetic")


def test_a_plan_that_ends_off_the_goal_is_unsolved():
    outcome = solve(machine(problem=Tower(2)), model=Scripted("OUTPUT Move disk 1 from 1 to 3"))
    assert (outcome.status, outcome.steps, outcome.actions, outcome.fault) == ("unsolved", 1, 1, None)


@for_each("after", [1, 5, 9])
@for_each("executor", EXECUTORS)
@for_each(("memory", "arith"), SETTINGS)
def test_an_interrupted_run_is_between_steps(memory, arith, executor, after):
    plan = []

    def listen(record):
        plan.extend(record.actions)
        if record.step == after:
            subject.interrupt()

    subject = machine(memory, arith, listeners=[listen])
    outcome = solve(subject, executor)
    assert (outcome.status, outcome.fault) == ("interrupted", None)
    assert (outcome.steps, subject.steps) == (after, after)
    assert outcome.actions == len(plan)
    assert plan == recorded(memory, arith)[1][: len(plan)]
    assert subject.pointer >= 0
    assert subject.peek() is None


@pytest.mark.parametrize("executor", EXECUTORS)
def test_an_interrupt_at_the_last_step_changes_nothing(executor):
    subject = machine(listeners=[lambda record: subject.interrupt() if record.step == 10 else None])
    assert solve(subject, executor).status == "solved"


def test_a_machine_that_has_ended_or_was_interrupted_has_no_prompt_and_takes_no_step():
    subject, stopped = machine(problem=Tower(1)), machine()
    assert stopped.status == "interrupted"  # as is one that has not ended
    stopped.interrupt()
    solve(subject)
    for each, status, steps in ((subject, "solved", 1), (stopped, "interrupted", 0)):
        before = contents(each)
        each.step("OUTPUT Move disk 1 from 1 to 3")
        assert contents(each) == before
        assert (each.status, each.fault, each.peek(), each.steps) == (status, None, None, steps)


def test_a_target_is_one_step_even_if_the_same_prompt_follows():
    subject = machine(limits=Limits(steps=9))
    subject.assume(deterministic=False)
    prompt = subject.peek()
    again = prompt.replace("INSTR", "PUSH")
    subject.step(again)
    assert (subject.peek(), subject.steps) == (prompt, 1)
    assert (subject.run({prompt: again}.get, 3), subject.steps) == (prompt, 4)


METHODS = [("apply", Sequential, 3), ("is_goal", Sequential, 11), ("expand", Sequential, 1), ("assign", Summary, 1)]


@for_each(("method", "executor", "step"), METHODS)
def test_a_domain_that_raises_is_named_with_its_method_and_step(method, executor, step):
    def fail(self, *_):
        raise ZeroDivisionError("no zero")

    fail.__code__ = fail.__code__.replace(co_name=method)
    subject = machine(domain=type("Broken", (Hanoi,), {method: fail})())
    with pytest.raises(PluginError) as error:
        solve(subject, executor)
    assert str(error.value) == f"Broken 'hanoi' raised ZeroDivisionError in {method} at step {step}: no zero"
    assert error.value.exit_code == 4
    assert subject.steps == step - 1


@for_each("executor", EXECUTORS)
@for_each(("answer", "error"), [(ZeroDivisionError("no zero"), "ZeroDivisionError"), (None, "TypeError")])
def test_a_model_that_raises_or_writes_no_text_is_named(executor, answer, error):
    with pytest.raises(PluginError, match=f"Scripted 'scripted' raised {error} in complete at step 1"):
        solve(machine(), executor, Scripted(then=lambda prompt: answer))


def test_other_errors_are_named_only_if_a_part_raised_them_and_nobody_before():
    subject = machine()
    subject.contents = 7  # its own bug
    with pytest.raises(PluginError, match="PDAStack 'pda' raised TypeError in read at step 1"):
        solve(subject)
    with pytest.raises(PluginError, match=r"^told already$"):
        solve(machine(), model=Scripted(PluginError("told already")))
    with pytest.raises(ZeroDivisionError, match="no zero"), machine().attributing_errors():
        raise ZeroDivisionError("no zero")


def test_a_listener_that_raises_is_not_hidden():
    def listen(record):
        raise ZeroDivisionError("no zero")

    subject = machine(listeners=[listen])
    with pytest.raises(ZeroDivisionError):
        Sequential().run([subject], Reference(subject.convention))
    assert subject.steps == 1


@for_each("taken", range(7))
@for_each(("memory", "arith"), SETTINGS)
def test_a_fork_goes_on_as_the_machine_did(memory, arith, taken):
    """It takes no step for a loop that it took before."""
    told = []
    subject = machine(memory, arith, problem=Tower(3), listeners=[told.append])
    targets = [target for _, target in recorded(memory, arith, problem=Tower(3))[0]]
    for target in targets[:taken]:
        subject.step(target)
    assert subject.peek() == subject.peek()  # it stays until its step is taken
    fork, before = subject.fork(), contents(subject)
    for target in [*targets[taken:8], "nonsense"]:
        subject.step(target)
    assert subject.fault is not None
    assert (contents(fork), fork.fault) == (before, None)
    told.clear()
    for target in targets[taken:]:
        fork.step(target)
    assert fork.status == "solved"
    assert [record.step for record in told] == list(range(taken + 1, 11))


@pytest.mark.parametrize("arithmetic", [Symbolic(), Mistaken()])
def test_a_record_has_the_numbers_only_if_the_arithmetic_knows_that_one_is_wrong(arithmetic):
    records = []
    subject = machine("tape", "symbolic", Tower(2), listeners=[records.append])
    subject.arithmetic = arithmetic
    solve(subject)
    numbers = [record.numbers for record in records]
    assert numbers == [None if type(arithmetic) is Symbolic else (each and tuple(each)) for each in numbers]
    assert any(each is not None for each in numbers) == isinstance(arithmetic, Mistaken)


class Careless(Symbolic):
    """Has a bug."""

    name = "careless"

    def resolve(self, expressions, registers):
        raise ZeroDivisionError("no idea")


def test_an_error_of_borrowed_arithmetic_is_attributed_to_it():
    subject = machine("tape", "symbolic", Tower(2))
    targets, before = dict(recorded("tape", "symbolic", Tower(2))[0]), contents(subject)
    with pytest.raises(PluginError, match="Careless 'careless' raised ZeroDivisionError in resolve at step 1: no idea"):
        subject.run(targets.get, 1, Careless())
    assert contents(subject) == before


def loops_after(keys, anchor=Anchor(), steps=0):
    """After how many more steps a run with these keys is found to be endless; None if it never is."""
    for step, (level, value) in enumerate(keys):
        anchor = anchor.after(steps + step, level, value)
        if anchor is None:
            return step
    return None


def keys_of(memory, contents, writes):
    for write in writes:
        yield memory.key(contents)
        contents = memory.write(contents, write)


def on_tape(length, rounds):
    tape = PointerTape()
    contents = tape.write(tape.start("a"), TapeWrite(tuple((index, "a") for index in range(1, length)), 0))
    return keys_of(tape, contents, [TapeWrite((), (index + 1) % length) for index in range(length)] * rounds)


def on_stack(length, rounds, *below):
    stack = PDAStack()
    return keys_of(stack, stack.start("0"), [(*below, str((index + 1) % length)) for index in range(length)] * rounds)


@for_each("length", [1, 2, 3, 4, 7, 8, 30, 100])
def test_a_loop_is_found_one_round_after_a_power_of_two(length):
    """The anchor lies at the 1st, 2nd, 4th, 8th, … step, and moves up only if the round is longer than that."""
    no_shorter, longer = 1 << (length - 1).bit_length(), 1 << length.bit_length()
    assert loops_after(on_tape(length, 10)) + 1 == no_shorter + length
    assert loops_after(on_stack(length, 10)) + 1 == longer + length


@pytest.mark.parametrize("before", [10, 15, 16, 17, 20])
def test_a_configuration_that_can_not_recur_is_not_an_anchor(before):
    """A tape that has grown, and a stack that has shrunk, look for a loop from there on."""
    tape = [(-1 - step, 0) for step in range(before)]
    stack = [(before - step, "0") for step in range(before)]
    for keys, then in ((tape, [(-1 - before, value) for value in (0, 1, 2)]), (stack, [(0, text) for text in "012"])):
        assert loops_after([*keys, *(3 * then)]) == before + 3


def test_a_memory_that_grows_or_shrinks_is_not_taken_for_a_loop():
    assert loops_after((-step, 0) for step in range(200)) is None
    assert loops_after((100 - step, "a") for step in range(100)) is None


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.integers(1, 20)), max_size=60))
def test_steps_that_are_skipped_change_no_verdict(moves):
    """A stack whose windows are sometimes skipped with all that they lead to is found in a loop at the same step."""
    taken, skipped, steps, depth = Anchor(), Anchor(), 0, 30
    for skip, value, inner in moves:
        taken, skipped = taken.after(steps, depth, value), skipped.after(steps, depth, value)
        assert (taken is None) == (skipped is None)
        if taken is None or skipped is None:
            return
        for _ in range(inner if skip else 0):  # steps above the window, no two alike
            steps += 1
            taken = taken.after(steps, depth + 1, object())
        steps, depth = steps + 1, depth - skip
