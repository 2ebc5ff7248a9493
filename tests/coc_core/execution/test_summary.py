"""`summary` ends each run as Algorithm 1 does, however long the run is and whatever is wrong with the model."""

import pytest
from attrs import evolve
from hypothesis import example, given, strategies as st

from coc_check.scripted import PromptByPrompt, Scripted, right_target
from coc_core.domain import KnowsUnsolvable
from coc_core.execution import Sequential, Summary, SummaryListener
from coc_core.memories import Reference
from coc_core.types import Limits
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move, Tower
from tests.support.machines import contents, convention, machine, solve
from tests.support.toy_parts import Line, Queue
from tests.support.wrong_hanoi_models import WrongModel, prompts_of

SPOKEN = convention()
FOR_EVER = Limits(steps=10**100)
TIGHT = st.builds(
    Limits,
    steps=st.sampled_from([0, 1, 5, 40, 100, 10**9]),
    stack_depth=st.sampled_from([1, 2, 5, 9, 10**6]),
    windows_per_step=st.sampled_from([1, 2, 3, 1000]),
)


def ended(executor, n, seed, limits=Limits(), before=0):
    """How the run of a wrong model ends, and what it leaves."""
    subject = machine(problem=Tower(n), limits=limits)
    for _ in range(before):
        prompt = subject.peek()
        if prompt is not None:
            subject.step(SPOKEN.target_for(prompt))
    outcome = solve(subject, executor, WrongModel(SPOKEN, Tower(n), seed))
    return evolve(outcome, model_calls=0, seconds=0.0), contents(subject)


@given(st.integers(1, 7), st.integers(0, 10**9), st.just(Limits()) | TIGHT, st.integers(0, 20))
@example(3, 0, Limits(steps=21), 0)
def test_wrong_models_end_as_they_do_step_by_step_wherever_they_begin(n, seed, limits, before):
    assert ended(Summary, n, seed, limits, before) == ended(Sequential, n, seed, limits, before)


@given(st.integers(1, 5), st.integers(0, 10**9), st.integers(1, 30), st.integers(0, 100))
def test_a_bound_on_what_is_kept_changes_no_run(n, seed, prompts, values):
    class Small(Summary):
        max_prompts, max_values = prompts, values

    assert ended(Small, n, seed) == ended(Sequential, n, seed)


@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from([(1, 3), (2, 1)])), max_size=6), st.integers(1, 40))
def test_several_runs_share_what_is_known(towers, prompts):
    class Small(Summary):
        max_machines, max_prompts = 2, prompts

    problems = [Tower(n, *pegs) for n, pegs in towers]
    machines = [machine(problem=problem) for problem in problems]
    for outcome, problem in zip(Small().run(machines, Reference(SPOKEN)), problems, strict=True):
        assert (outcome.status, outcome.steps) == ("solved", SPOKEN.expect(problem).steps)


def test_a_run_may_be_longer_than_anybody_could_wait_for():
    outcome = solve(machine(problem=Tower(64), limits=FOR_EVER), Summary)
    assert (outcome.status, outcome.steps, outcome.actions) == ("solved", 3 * 2**63 - 2, 2**64 - 1)
    assert outcome.model_calls == len(prompts_of(SPOKEN, Tower(64))) == 375
    limit = 12_345_678_901_234_567_890
    outcome = solve(machine(problem=Tower(64), limits=Limits(steps=limit)), Summary)
    assert (outcome.fault.kind, outcome.fault.step, outcome.steps) == ("limit", limit + 1, limit)


class NeverFour(Hanoi, KnowsUnsolvable):
    """Hanoi that says of four disks that they can't be moved."""

    def unsolvable(self, problem):
        return "four" if problem.n == 4 else None


@pytest.mark.parametrize("sizes", [(4,), (4, 3), (3, 4)])
def test_an_unsolvable_problem_ends_before_the_first_step(sizes):
    domain = NeverFour()
    machines = [machine(problem=Tower(n), domain=domain) for n in sizes]
    model = Reference(convention(domain=domain))
    outcomes = dict(zip(sizes, Summary().run(machines, model), strict=True))
    assert (outcomes[4].status, outcomes[4].reason, outcomes[4].steps) == ("unsolvable", "four", 0)
    assert model.calls == (len(prompts_of(SPOKEN, Tower(3))) if 3 in outcomes else 0)
    assert 3 not in outcomes or outcomes[3].status == "solved"


class Wrong(PromptByPrompt):
    """The policy, but for the targets of some prompts."""

    name = "wrong"

    def __init__(self, targets):
        super().__init__()
        self.targets = targets

    def _respond(self, prompt):
        return self.targets.get(prompt) or right_target(SPOKEN, prompt)


def test_a_limit_that_a_run_just_keeps_skips_all_of_its_steps():
    for limits, steps, skipped in (
        (Limits(steps=22), 22, 22),
        (Limits(steps=21), 21, 18),
        (Limits(windows_per_step=3), 22, 22),
        (Limits(windows_per_step=2), 0, 0),
        (Limits(stack_depth=7), 22, 22),
    ):
        subject = machine(problem=Tower(4), limits=limits)
        solve(subject, Summary)
        assert (subject.steps, subject.skipped) == (steps, skipped)


def test_no_step_is_skipped_where_a_window_may_never_be_run():
    subject = machine()
    assert subject.skippable
    subject.convention.runs_every_window = False
    assert not subject.skippable


def test_a_fault_deep_in_a_long_run_has_its_exact_step():
    model = Wrong({"INSTR MOVE d=64 src=1 dst=3": "OUTPUT Move disk 64 from 1 to 2"})
    outcome = solve(machine(problem=Tower(64), limits=FOR_EVER), Summary, model)
    assert (outcome.status, outcome.fault.step) == ("fault", outcome.steps + 1)
    # Disk 64 lands on the wrong peg, legally or not; before it, 63 disks are moved.
    assert outcome.fault.message == "disk 64 can't lie on the smaller disk 1 of peg 2"
    assert (outcome.steps, outcome.actions) == (1 + (3 * 2**62 - 2), 2**63 - 1)


def test_a_loop_is_named_by_its_prompts():
    model = Wrong({"INSTR MOVE d=2 src=1 dst=3": "PUSH CALL n=2 src=1 dst=3 aux=2\nPUSH MOVE d=2 src=1 dst=3"})
    executor = Summary()
    (outcome,) = executor.run([machine(problem=Tower(2))], model)
    assert outcome.fault.kind == "loop"
    assert executor.remarks == ("recursion without end: INSTR MOVE d=2 src=1 dst=3 -> INSTR MOVE d=2 src=1 dst=3",)
    executor.run([machine(problem=Tower(2))], Reference(SPOKEN))
    assert executor.remarks == ()


def test_a_cycle_among_too_many_prompts_is_not_named():
    class Small(Summary):
        max_values = 0

    call, move, executor = "CALL n=2 src=1 dst=3 aux=2", "MOVE d=1 src=1 dst=2", Small()
    there_and_back = "OUTPUT Move disk 1 from 1 to 2\nOUTPUT Move disk 1 from 2 to 1"
    model = Wrong({f"INSTR {call}": f"PUSH {call}\nPUSH {move}", f"INSTR {move}": there_and_back})
    (outcome,) = executor.run([machine(problem=Tower(2))], model)
    assert (outcome.fault.kind, executor.remarks) == ("loop", ())


class Recorder(SummaryListener):
    """Counts what it hears."""

    def __init__(self):
        self.steps = self.skipped = 0
        self.moves = []

    def __call__(self, record):
        self.steps += 1
        self.moves += record.actions

    def skip(self, summary):
        self.skipped += summary.steps
        self.moves.append(summary)


def test_a_listener_of_summaries_hears_what_was_skipped_and_what_was_taken():
    heard = Recorder()
    solve(machine(problem=Tower(5), listeners=[heard]), Summary)
    assert (heard.steps, heard.skipped) == (0, 46)
    heard = Recorder()
    model = Wrong({"INSTR MOVE d=2 src=1 dst=3": "OUTPUT Move disk 3 from 1 to 3"})
    outcome = solve(machine(problem=Tower(2), listeners=[heard]), Summary, model)
    assert (heard.steps, heard.skipped, outcome.steps, outcome.status) == (1, 1, 2, "fault")


def test_with_a_listener_that_needs_every_step_it_is_cached():
    records, heard, executor = [], Recorder(), Summary()
    executor.run([machine(problem=Tower(4), listeners=[records.append, heard])], Reference(SPOKEN))
    assert (len(records), heard.steps, heard.skipped, executor.used) == (22, 22, 0, "cached")


def test_so_are_those_of_a_domain_without_operators():
    line = convention(domain=Queue())
    model = Wrong({})
    model._respond = lambda prompt: right_target(line if "left" in prompt else SPOKEN, prompt)
    machines = [machine(problem=Tower(3)), machine(problem=Line((2, 1)), domain=Queue())]
    assert [outcome.status for outcome in Summary().run(machines, model)] == ["solved", "solved"]


@given(st.integers(1, 12), st.integers(0, 10**9), TIGHT)
def test_the_steps_of_a_chain_are_composed_as_well(n, seed, limits):
    problem, found = Blocks().problem(n, seed), []
    for executor in (Sequential, Summary):
        subject = machine(problem=problem, domain=Blocks(), limits=limits)
        found.append((evolve(solve(subject, executor), model_calls=0, seconds=0.0), contents(subject)))
    assert found[0] == found[1]
    assert subject.skippable


def test_a_machine_that_is_asked_to_stop_skips_nothing_more():
    subject = machine(problem=Tower(6))
    assert subject.peek() is not None
    subject.interrupt()
    outcome = solve(subject, Summary)
    assert (outcome.status, outcome.steps) == ("interrupted", 1)


def test_an_operator_that_is_legal_nowhere_is_left_to_the_machine():
    class Never(type(SPOKEN.domain)):
        def operator(self, action):
            return None if action == Move(1, 1, 3) else super().operator(action)

        def why_illegal(self, state, action):
            return "never"

    subject = machine(problem=Tower(1), domain=Never())
    outcome = solve(subject, Summary, Reference(subject.convention))
    assert (outcome.fault.kind, outcome.fault.message) == ("action", "never")


def test_a_prompt_is_called_once_even_if_it_leads_to_itself():
    call = "CALL n=1 src=1 dst=3 aux=2"
    model = Scripted({f"INSTR {call}": f"PUSH {call}\nPUSH {call}"})
    outcome = solve(machine(problem=Tower(1)), Summary, model)
    assert (outcome.fault.kind, model.prompts) == ("loop", [f"INSTR {call}"])
