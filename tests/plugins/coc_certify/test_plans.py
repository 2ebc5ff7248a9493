"""`coc.plan` and `coc.load_plan`: plans as grammars, from Python."""

import pytest

import coc_core as coc
from coc_core.cli import main
from coc_core.errors import UsageError


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
