"""Certifying: what is proved of a model, and what is refused."""

import json
import math

import pytest

from coc_certify.certify import Refutation, prove, setting_to_certify
from coc_core.errors import UsageError
from coc_core.setting import Setting
from coc_problems import ManyProblems, Problems
from tests.support.installed_plugins import REGISTRY
from tests.support.known_margins import Stated


def setting_of(domain="hanoi", memory="pda", arith="symbolic"):
    return setting_to_certify(Setting.of(REGISTRY, domain, memory, arith))


def certified(domain="hanoi", sizes=range(1, 4), memory="pda", bounded=True, **model):
    setting = setting_of(domain, memory)
    problems = Problems.of(setting.domain, ManyProblems(sizes=sizes, exhaustive=True))
    return prove(setting, Stated(setting.convention, **model), problems, bounded=bounded)


def test_steps_are_composed_on_a_stack():
    found = certified(sizes=[2, 64])
    assert (found.verdict, found.composed, len(found.rules)) == ("certified", True, 375)
    assert (found.margin, found.ratio) == (2.0, 2.0)
    assert [(claim.actions, claim.steps) for claim in found.claims] == [(3, 4), (2**64 - 1, 3 * 2**63 - 2)]
    assert repr(found) == "<Certificate: certified, 2 problems, 375 prompts>"


def test_the_text_has_each_rule_and_each_problem():
    document = json.loads(certified(sizes=[2]).format())
    assert (document["domain"], document["dialect"], document["verdict"]) == ("hanoi", "hanoi/stack", "certified")
    assert [rule["then"] for rule in document["rules"]] == [[1, 2, 3], [], [], []]
    assert document["rules"][0] == {
        "prompt": "INSTR CALL n=2 src=1 dst=3 aux=2",
        "target": "PUSH CALL n=1 src=2 dst=3 aux=1\nPUSH MOVE d=2 src=1 dst=3\nPUSH CALL n=1 src=1 dst=2 aux=3",
        "margin": 2.0,
        "bound": 1.0,
        "does": [],
        "then": [1, 2, 3],
        "actions": 3,
        "steps": 4,
        "needs": [[1, 1], [2, 1]],
        "sets": [[1, 3], [2, 3]],
    }
    assert document["actions"][1] == {"action": "Move disk 2 from 1 to 3", "needs": [[1, 2], [2, 1]], "sets": [[2, 3]]}
    assert document["problems"] == [{"problem": "n=2 src=1 dst=3", "first": 0, "actions": 3, "steps": 4}]


def test_other_problems_are_followed_step_by_step():
    found = certified("river-crossing")
    document = json.loads(found.format())
    assert (found.composed, len(found.claims), document["actions"]) == (False, 27, [])
    assert document["rules"][0].keys() == {"prompt", "target", "margin", "bound"}
    setting = setting_of("river-crossing")
    drawn = [*Problems.of(setting.domain, ManyProblems(sizes=range(1, 4), exhaustive=True))]
    texts = [setting.domain.problems.format(each.problem) for each in drawn]
    assert [claim.problem for claim in found.claims] == texts
    assert prove(setting, Stated(setting.convention), drawn + drawn[:3]).claims == found.claims
    tape = certified(memory="tape")
    assert (tape.composed, [claim.steps for claim in tape.claims]) == (False, [1, 4, 10])


def test_a_margin_within_its_bound_is_exact_here_only():
    assert certified(bound=2.0).verdict == "exact on this machine"
    unknown = certified(bounded=False)
    assert (unknown.verdict, unknown.ratio) == ("exact on this machine", 0)
    assert json.loads(unknown.format())["rules"][0]["bound"] is None


@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_a_problem_that_is_not_solved_is_named(memory):
    prompt = {"pda": "INSTR MOVE d=2 src=1 dst=3", "tape": "INSTR MOVE d=2 src=1 dst=3 prev=prev"}[memory]
    end = {"pda": "", "tape": " PTR=prev NEXT_ID=NEXT_ID"}[memory]
    illegal = certified(memory=memory, wrong={prompt: f"OUTPUT Move disk 1 from 1 to 3{end}"})
    assert illegal == Refutation(
        "n=2 src=1 dst=3", "step 3, action: disk 1 can't be taken from peg 1, which has disk 2 on top"
    )
    first = prompt.replace("MOVE d=2", "CALL n=1").replace("dst=3", "dst=3 aux=2")
    elsewhere = certified(memory=memory, wrong={first: f"OUTPUT Move disk 1 from 1 to 2{end}"})
    assert elsewhere == Refutation("n=1 src=1 dst=3", "the goal is not reached")


def test_an_unsolvable_problem_has_no_certificate():
    setting = setting_of("river-crossing")
    problems = [type("Given", (), {"problem": setting.domain.problems.parse("pairs=4 boat=2")})]
    found = prove(setting, Stated(setting.convention), problems)
    assert found == Refutation("pairs=4 boat=2", "at most 3 pairs can cross in a boat for 2, not 4")


@pytest.mark.parametrize("margin", [-1.0, 0.0, math.nan])
def test_another_target_in_float64_is_a_doubt(margin):
    found = certified(sizes=[1], margin=margin)
    assert found == Refutation("INSTR CALL n=1 src=1 dst=3 aux=2", "in float64 the model writes another target")


def test_what_can_not_be_certified_is_refused(monkeypatch):
    setting = setting_of()
    with pytest.raises(UsageError, match="the model 'reference' gives no logit margins; name a checkpoint"):
        prove(setting, setting.model("reference"), Problems.of(setting.domain, ManyProblems(sizes=[1])))
    with pytest.raises(UsageError, match="there is no problem to certify"):
        prove(setting, Stated(setting.convention), [])
    learned = Setting.of(REGISTRY, "hanoi", "tape", "learned", arith_model="reference")
    with pytest.raises(UsageError, match="learned arithmetic calls a second model, which no certificate covers"):
        setting_to_certify(learned)
    most = len(certified(memory="tape").rules) - 1
    monkeypatch.setattr("coc_certify.certify.MOST_PROMPTS", most)
    with pytest.raises(UsageError, match=f"these are more than {most} prompts; certify fewer problems at a time"):
        certified(memory="tape")


def test_effects_that_have_no_room_are_not_composed(monkeypatch):
    monkeypatch.setattr("coc_certify.certify._MOST_VALUES", 0)
    assert certified(sizes=[2]) == Refutation("n=2 src=1 dst=3", "the steps can't be composed")
