"""Goals that are one tower of all blocks: problems of the paper's BlocksWorlds, if they are asked to be."""

import random
from itertools import pairwise

import pytest
from attrs import evolve

import coc_core as coc
from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin import DomainSpec
from coc_planning.lifted import written_domain, written_problem
from coc_planning.models import MODELS
from coc_planning.pddl.task import Atom
from coc_planning.translate import translate
from coc_planning.validation import check_plan
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.late_import import Late
from tests.support.reworded_pddl import problem_of, shuffled

planning_checks, pddl = Late("tests.support.planning_checks"), Late("unified_planning.io")
TOWERS = {f"{model.domain}{' by hand' * model.hand}": model for model in MODELS if not model.reads}


def problem(model, n=4, seed=0):
    _, lifted, facts = problem_of(REGISTRY.create(DomainSpec, model.domain), model, n, seed)
    return lifted, facts


@pytest.mark.parametrize("name", TOWERS)
def test_plans_are_in_the_words_of_the_problem(tmp_path, name):
    model, rng = TOWERS[name], random.Random(name)
    lifted, facts = shuffled(*problem(model, 5, 1), rng)
    files = [tmp_path / each for each in ("domain.pddl", "problem.pddl", "plan")]
    files[0].write_text(written_domain(lifted))
    files[1].write_text(written_problem(lifted, facts, "p"))
    assert coc.solve_pddl(*files[:2], model="reference").run.setting.domain.name == "blocks"
    solution = coc.solve_pddl(*files[:2], solve_as=model.domain, model="reference")
    assert (solution.status, solution.run.setting.domain.name) == ("solved", model.domain)
    solution.write(files[2])
    assert planning_checks.accepted(pddl.PDDLReader().parse_problem(*map(str, files[:2])), solution.actions, *files)
    translation = translate(REGISTRY, lifted, facts, solve_as=model.domain)
    form = translation.plan_format(solution.run.setting.domain, solution.run.plan.problem)
    assert check_plan(form, solution.actions).verdict == "solved"
    assert check_plan(form, solution.actions[:-2]).verdict == "unsolved"


def on(*names):
    return [Atom("on", (upper, lower)) for lower, upper in pairwise(names)]


@pytest.mark.parametrize("goal", [on("b2", "b1", "b3"), [*on("b2", "b1", "b3"), Atom("clear", ("b3",))]])
def test_a_goal_may_say_more_or_less(goal):
    lifted, facts = problem(TOWERS["blocksworld"], 3)
    translated = translate(REGISTRY, lifted, evolve(facts, goal=tuple(goal)), solve_as="blocksworld")
    assert translated.problem.endswith("goal=[B2, B1, B3]")


@for_each(
    ("goal", "reason"),
    [
        ([], "blocksworld needs one tower of all blocks in the goal"),
        (on("b1", "b2"), "blocksworld needs one tower of all blocks in the goal"),
        (on("b1", "b2", "b3", "b1"), "blocksworld needs one tower of all blocks in the goal"),
        ([*on("b2", "b1"), *on("b2", "b3")], "blocksworld needs one tower of all blocks in the goal"),
        ([*on("b2", "b1", "b3"), Atom("clear", ("b1",))], r"the goal \(clear b1\) does not hold of the tower"),
        ([*on("b2", "b1", "b3"), Atom("ontable", ("b3",))], r"the goal \(ontable b3\) does not hold of the tower"),
    ],
)
def test_another_goal_is_refused(goal, reason):
    lifted, facts = problem(TOWERS["blocksworld"], 3)
    with pytest.raises(UsageError, match=reason):
        translate(REGISTRY, lifted, evolve(facts, goal=tuple(goal)), solve_as="blocksworld")


def test_several_towers_are_a_problem_of_the_extended_domain():
    lifted, facts = problem(TOWERS["blocksworld"], 3)
    flat = {Atom(name, (block,)) for block in facts.objects for name in ("ontable", "clear")}
    with pytest.raises(UsageError, match="blocksworld needs one tower of all blocks at the beginning"):
        translate(REGISTRY, lifted, evolve(facts, initial=frozenset(flat)), solve_as="blocksworld")
    extended = translate(REGISTRY, lifted, evolve(facts, initial=frozenset(flat)), solve_as="blocksworld-extended")
    assert extended.problem.startswith("start=[[B1], [B2], [B3]] & goal=[B")


def test_what_the_hand_can_not_do_is_named():
    lifted, facts = problem(TOWERS["blocksworld by hand"], 2, 1)
    translation = translate(REGISTRY, lifted, facts, solve_as="blocksworld")
    domain = REGISTRY.create(DomainSpec, "blocksworld")
    form = translation.plan_format(domain, domain.problems.parse(translation.problem))
    for lines, reason in (
        (["(stack b1 b2)"], r"it is neither \(pick-up BLOCK\) nor \(unstack BLOCK FROM\)"),
        (["(unstack b1 b2)", "(pick-up b2)"], r"it is neither \(put-down b1\) nor \(stack b1 TO\)"),
        (["(unstack b1 b2)"], "it ends in the middle of a move"),
    ):
        with pytest.raises(ArtefactError, match=reason):
            check_plan(form, lines)
