"""The file of a plan that is a grammar: what is written is read, and nothing else is."""

import json

import pytest
from hypothesis import given, strategies as st

from coc_certify.plans import GrammarRecorder, format_plan, read_plan
from coc_core.errors import ArtefactError, UsageError
from coc_core.execution import Summary
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import machine, solve
from tests.support.wrong_hanoi_models import WrongModel

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


def plan_of(problem, model=None, executor=Summary):
    recorder = GrammarRecorder(Hanoi())
    solve(machine(problem=problem, listeners=[recorder]), executor, model)
    return recorder.plan(problem)


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
