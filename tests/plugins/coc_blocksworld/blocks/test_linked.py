"""The policy with linked records: the actions of the policy for lists, by steps that look at one block."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from coc_blocksworld.blocks.linked import Contents, LinkedBlocks, Take
from coc_blocksworld.blocks.policy import Blocks
from coc_core.domain import At, Record, policy_steps
from coc_core.execution import Cached
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.text import number_names, rename

LISTS, LINKED = Blocks(), LinkedBlocks()
LONGEST = 260  # characters of a prompt with names of two digits


def plan(domain, problem):
    return [each for _, step in policy_steps(domain, problem) for each in step.emits if each in domain.actions]


def prompts(problem):
    return [LINKED.instructions.format(instruction) for instruction, _ in policy_steps(LINKED, problem)]


def solvable(n, seed):
    problem = LISTS.problem(n, seed)
    return None if LISTS.unsolvable(problem) else problem


@pytest.mark.parametrize("n", range(1, 4))
def test_every_small_problem_is_solved_by_the_same_actions(n):
    for problem in LISTS.every_problem(n):
        assert plan(LINKED, problem) == plan(LISTS, problem)


@given(st.integers(1, 14), st.integers(0, 10**6))
def test_drawn_problems_are_solved_by_the_same_actions(n, seed):
    problem = solvable(n, seed)
    if problem is not None:
        assert plan(LINKED, problem) == plan(LISTS, problem)


@pytest.mark.parametrize("n", [40, 100, 250])
def test_large_problems_are_solved_by_the_same_actions(n):
    problem = solvable(n, 1)
    assert plan(LINKED, problem) == plan(LISTS, problem)


def test_no_prompt_grows_with_the_number_of_blocks():
    longest = {n: max(map(len, prompts(solvable(n, 3)))) for n in (6, 90)}
    assert max(longest.values()) <= LONGEST


def test_all_problems_together_have_few_prompts_up_to_names():
    seen = Counter[str]()
    for n in range(1, 13):
        for seed in range(60):
            problem = solvable(n, seed)
            if problem is not None:
                seen.update(number_names(prompt, {"B"})[0] for prompt in prompts(problem))
    assert 150 <= len(seen) <= 193


@given(st.integers(1, 8), st.integers(0, 10**6), st.data())
def test_a_step_does_not_depend_on_names_or_on_whether_two_are_the_same(n, seed, data):
    problem = solvable(n, seed)
    if problem is None:
        return
    prompt = data.draw(st.sampled_from(prompts(problem)))
    numbered, meant = number_names(prompt, {"B"})
    step = LINKED.expand(LINKED.instructions.parse(numbered))
    named = {local: f"B{data.draw(st.integers(1, 5))}" for local in meant}
    for names in (meant, named):
        other = LINKED.expand(LINKED.instructions.parse(rename(numbered, names)))
        assert texts(other) == [rename(text, names) for text in texts(step)]


def texts(step):
    emitted = [LINKED.actions.format(each) for each in step.emits if each in LINKED.actions]
    return [*emitted, *map(LINKED.instructions.format, step.then)]


@pytest.mark.parametrize("arith", ["inline", "symbolic"])
def test_a_machine_on_a_heap_solves_it_by_the_same_actions(arith):
    setting = Setting.of(Registry.installed(), "blocks", "heap", arith)
    for seed in range(40):
        problem = solvable(1 + seed % 12, seed)
        if problem is None:
            continue
        actions = []
        machine = setting.machine(problem, [lambda record, actions=actions: actions.extend(record.actions)])
        (outcome,) = Cached().run([machine], setting.model("reference"))
        assert outcome.status == "solved"
        assert actions == plan(LISTS, problem)


@pytest.mark.parametrize("on", [0, -1])
def test_what_no_run_reaches_ends_a_run(on):
    """A wrong model may write anything: the policy has a step for each prompt that can be written."""
    seen = Contents(on, -2, 1, -2, False)
    assert not LINKED.expand(Take(1, At(2, seen))).then
    assert not LINKED.expand(Record(2, seen)).then
    assert not LINKED.expand(Take(1, At(2))).then


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CALL take build=B1 AT B2", "'B1' is not in brackets"),
        ("CALL take build=[C1] AT B2", "'C1' is not a block"),
        ("CALL lift block=[] build=[] AT B2", "'' is not a block"),
        (
            "CALL take build=[] AT B2: on=[table] under=[] goal_on=[] goal_under=[] placed=no next_tower=[] next_goal=[]",
            "'' is not a block",
        ),
        (
            "B2: on=[table] under=[] goal_on=[hand] goal_under=[] placed=maybe next_tower=[] next_goal=[]",
            "'maybe' is neither yes nor no",
        ),
    ],
)
def test_a_malformed_instruction_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        LINKED.instructions.parse(text)
