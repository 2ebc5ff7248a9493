"""Plans as grammars: sequences of actions, with states on their way, however long they are; their files; from Python."""

import json
import sys
from itertools import islice

import pytest
from hypothesis import given, strategies as st

import coc_core as coc
from coc_certify.plans import Grammar, GrammarPlan, GrammarRecorder, format_plan, read_plan
from coc_core.cli import main
from coc_core.errors import ArtefactError, UsageError
from coc_core.execution import Sequential, Summary
from coc_core.types import Limits
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import machine, solve
from tests.support.toy_parts import Line, Queue, Take
from tests.support.wrong_hanoi_models import WrongModel

HANOI = Hanoi()


def plan_of(problem, model=None):
    """The plan of a run, as a grammar."""
    recorder = GrammarRecorder(HANOI)
    outcome = solve(machine(problem=problem, limits=Limits(steps=10**100), listeners=[recorder]), Summary, model)
    return recorder.plan(problem, outcome)


def by_step(problem, model=None):
    """The texts of the plan, and the states."""
    records = []
    subject = machine(problem=problem, listeners=[records.append])
    solve(subject, Sequential, model)
    actions, states = [], [HANOI.initial(problem)]
    for action in [action for record in records for action in record.actions]:
        actions.append(HANOI.actions.format(action))
        states.append(HANOI.apply(states[-1], action))
    return actions, states


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_a_plan_is_a_sequence_of_the_same_texts(n):
    plan, (actions, states) = plan_of(Tower(n)), by_step(Tower(n))
    assert (list(plan), len(plan), plan.length) == (actions, len(actions), len(actions))
    assert [plan[place] for place in range(-len(actions), len(actions))] == 2 * actions
    assert [plan.state(place) for place in range(len(states))] == states
    assert list(reversed(plan)) == actions[::-1]
    assert plan.reaches_goal
    assert plan.outcome.status == "solved"
    assert actions[-1] in plan
    assert "fly" not in plan
    assert 0 not in plan
    assert plan.index(actions[-1]) == actions.index(actions[-1])
    with pytest.raises(IndexError):
        plan[len(actions)]


@given(st.slices(63))
def test_slices_are_those_of_a_list(cut):
    assert PLAN[cut] == list(PLAN)[cut]


PLAN = plan_of(Tower(6))


@given(st.integers(1, 8), st.integers(0, 10**9))
def test_the_plan_of_a_run_that_goes_wrong_is_what_it_did(n, seed):
    plan = plan_of(Tower(n), WrongModel(machine().convention, Tower(n), seed))
    actions, states = by_step(Tower(n), WrongModel(machine().convention, Tower(n), seed))
    assert list(plan) == actions
    assert plan.state(plan.length) == states[-1]
    assert plan.first_illegal is None
    assert plan.reaches_goal == (plan.outcome.status == "solved") or plan.outcome.status == "fault"


def test_a_plan_may_have_more_actions_than_len_can_count():
    plan = plan_of(Tower(64))
    assert plan.length == 2**64 - 1 > sys.maxsize
    with pytest.raises(OverflowError):
        len(plan)
    assert plan
    assert list(islice(plan, 2)) == ["Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"]
    assert plan[2**63 - 1] == "Move disk 64 from 1 to 3"
    assert plan[10**19 : 10**19 + 3 : 2] == [plan[10**19 - 2**64 + 1], plan[10**19 + 2]]
    assert plan.reaches_goal
    assert HANOI.is_goal(plan.problem, plan.state(plan.length))
    assert not HANOI.is_goal(plan.problem, plan.state(10**19))
    assert repr(plan) == "<GrammarPlan: hanoi, 18,446,744,073,709,551,615 actions, 186 rules>"


def test_a_plan_that_is_illegal_has_states_up_to_there():
    rules = (("Move disk 1 from 1 to 2", "Move disk 2 from 1 to 3"), (0, "Move disk 1 from 1 to 2", 0))
    plan = GrammarPlan(HANOI, Tower(2), Grammar(rules))
    assert plan.first_illegal == 2
    assert not plan.reaches_goal
    assert plan.state(2) == HANOI.assign(HANOI.initial(Tower(2)), {1: 2, 2: 3})
    with pytest.raises(UsageError, match="action 3 of the plan is illegal"):
        plan.state(3)


def test_without_operators_there_are_actions_alone():
    plan = GrammarPlan(Queue(), Line((2, 1)), Grammar((("Take 2", "Take 1"),)))
    assert list(plan) == [Queue.actions.format(Take(item)) for item in (2, 1)]
    with pytest.raises(UsageError, match="the actions of queue aren't operators"):
        plan.state(1)


def test_an_action_that_is_legal_nowhere_is_found():
    class Never(Hanoi):
        def operator(self, action):
            return None

    plan = GrammarPlan(Never(), Tower(1), Grammar((("Move disk 1 from 1 to 3",),)))
    assert plan.first_illegal == 0


@st.composite
def grammars(draw):
    """A grammar, and its texts written out."""
    rules, written = [], []
    for number in range(draw(st.integers(1, 6))):
        items = st.sampled_from("abcd") | st.integers(0, number - 1) if number else st.sampled_from("abcd")
        rule = tuple(draw(st.lists(items, max_size=4)))
        rules.append(rule)
        written.append([text for item in rule for text in (written[item] if isinstance(item, int) else [item])])
    return Grammar(tuple(rules)), written[-1]


@given(grammars(), st.data())
def test_any_part_is_the_same_part_of_the_whole(both, data):
    grammar, texts = both
    assert grammar.lengths[-1] == len(texts)
    start, stop = (data.draw(st.integers(0, len(texts))) for _ in range(2))
    assert list(grammar.texts(start, stop)) == texts[start:stop]


@given(grammars(), st.data())
def test_the_parts_before_a_place_are_written_out_as_all_that_is_before_it(both, data):
    grammar, texts = both
    place = data.draw(st.integers(0, len(texts)))
    parts = list(grammar.before(place))
    written = [Grammar((*grammar.rules, (part,))) for part in parts]
    assert [text for each in written for text in each.texts(0, each.lengths[-1])] == texts[:place]


def test_a_huge_one_is_read_anywhere_at_once():
    grammar = Grammar((("a", "b"), *((number, number) for number in range(300))))
    assert grammar.lengths[-1] == 2**301
    assert list(grammar.texts(2**300 - 1, 2**300 + 2)) == ["b", "a", "b"]
    assert len(list(grammar.before(2**300 - 1))) == 300
    assert repr(grammar) == "Grammar(rules=<301 rules>)"


THREE = """\
{"format": "coc-plan-grammar", "version": 1, "domain": "hanoi", "problem": "n=3 src=1 dst=3", "rules": [
["Move disk 1 from 1 to 3", "Move disk 2 from 1 to 2", "Move disk 1 from 3 to 2"],
["Move disk 1 from 2 to 1", "Move disk 2 from 2 to 3", "Move disk 1 from 1 to 3"],
[0, "Move disk 3 from 1 to 3", 1]
]}
"""


def named(name):
    if name != "hanoi":
        raise UsageError(f"unknown domain {name!r}")
    return Hanoi()


def test_a_plan_is_written_as_rules():
    assert format_plan(plan_of(Tower(3))) == THREE


@given(st.integers(1, 8), st.integers(0, 10**9))
def test_what_is_written_is_read(tmp_path_factory, n, seed):
    plan = plan_of(Tower(n), WrongModel(machine().convention, Tower(n), seed))
    path = tmp_path_factory.mktemp("plans") / "plan"
    path.write_text(format_plan(plan))
    found = read_plan(path, named)
    assert (found.problem, found.grammar.rules) == (plan.problem, plan.grammar.rules)


def _replaced(**fields):
    return json.dumps({**json.loads(THREE), **fields})


@for_each(
    ("text", "reason"),
    [
        ("Move disk 1 from 1 to 3\n", "is not a plan as a grammar"),
        ('{"format": "coc', "is not strict JSON"),
        ("{}", "is not a plan as a grammar"),
        (_replaced(version=2), "has version 2, this is version 1"),
        (_replaced(problem=3), "problem is 3, not a text"),
        (_replaced(rules={}), "rules is {}, not a list"),
        (_replaced(domain="gears"), "can't be read: unknown domain 'gears'"),
        (_replaced(problem="n=0"), "can't be read: not a problem of hanoi"),
        (_replaced(rules=[]), "has no rules, or unused ones"),
        (_replaced(rules=[[], []]), "has no rules, or unused ones"),
        (_replaced(rules=["Move disk 1 from 1 to 3"]), "rules[0] is 'Move disk 1 from 1 to 3', not a list"),
        (_replaced(rules=[[0]]), "has a rule 0 with '0', which is neither an action nor an earlier rule"),
        (_replaced(rules=[[], [0, 1]]), "has a rule 1 with '1', which"),
        (_replaced(rules=[[], [-1]]), "has a rule 1 with '-1', which"),
        (_replaced(rules=[[], [False]]), "has a rule 1 with 'False', which"),
        (_replaced(rules=[["Move disk 01 from 1 to 3"]]), "has a rule 0 with 'Move disk 01 from 1 to 3', which"),
        (_replaced(rules=[[["x" * 1000]]]), "which is neither an action nor an earlier rule"),
        (_replaced(rules=[["Move disk 1 from 1 to 3"]] + [2 * [each] for each in range(665)]), "10^200 actions"),
        (THREE.replace("\n[0", " [0"), "is not written as coc writes it"),
        (_replaced(more=1), "has the unknown key 'more'"),
    ],
)
def test_any_other_file_is_refused(tmp_path, text, reason):
    (tmp_path / "plan").write_text(text)
    with pytest.raises(ArtefactError) as caught:
        read_plan(tmp_path / "plan", named)
    assert reason in caught.value.message
    assert len(str(caught.value)) < 400 + len(str(tmp_path))


def test_a_plan_is_solved_for_and_written_and_read(tmp_path):
    plan = coc.plan("hanoi", 64, model="reference")
    assert (plan.outcome.status, plan.length) == ("solved", 2**64 - 1)
    words = ["run", "-d", "hanoi", "-n", "64", "--model", "reference", "--plan", str(tmp_path / "p")]
    assert main([*words, "--plan-format", "grammar"]) == 0
    found = coc.load_plan(tmp_path / "p")
    assert found.grammar.rules == plan.grammar.rules
    assert found[10**19] == plan[10**19]


def test_the_model_that_ships_is_the_default_and_warns_beyond_its_training():
    with pytest.warns(UserWarning, match="n=64 is outside that range"):
        assert coc.plan("hanoi", 64).reaches_goal


@pytest.mark.parametrize(
    "choices",
    [{"memory": "tape"}, {"domain": "pancake"}, {"executor": "cached"}, {"memory": "tape", "executor": "summary"}],
)
def test_where_no_step_can_be_skipped_there_is_no_grammar(choices):
    with pytest.raises(UsageError, match="a plan is a grammar only where steps can be skipped"):
        coc.plan(**{"domain": "hanoi", "n": 4, "model": "reference", **choices})


def test_a_limit_holds():
    cut = coc.plan("hanoi", 8, model="reference", max_steps=100)
    assert (cut.outcome.steps, cut.outcome.fault.kind) == (100, "limit")
    assert list(cut) == list(coc.plan("hanoi", 8, model="reference")[: cut.length])
    assert coc.plan("hanoi", 8, model="reference", max_steps=1000).length == 255


def test_a_recorded_run_has_a_limit_and_no_grammar(tmp_path):
    with pytest.raises(
        UsageError, match=r"the limit is 100,000,000; choose a smaller n.*without what needs every step"
    ):
        coc.run("hanoi", 64, model="reference")
    with pytest.raises(UsageError, match="a plan in the format 'grammar' is not a list of actions"):
        coc.run("hanoi", 2, model="reference").plan.write(tmp_path / "plan", "grammar")
    assert not list(tmp_path.iterdir())
