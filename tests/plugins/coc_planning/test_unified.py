"""Problems of unified-planning are read as files are."""

import pytest

from coc_core.plugin import Registry
from coc_planning.lifting import lift
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.task import Atom
from coc_planning.translate import translate
from tests.support.late_import import Late, needs

up, pddl = Late("unified_planning.shortcuts"), Late("unified_planning.io")
unified = Late("coc_planning.unified")
pytestmark = [pytest.mark.slow, needs("unified_planning")]


@pytest.mark.parametrize("name", ["blocks", "hanoi-4", "blocks-3"])
def test_a_problem_is_the_same_from_a_file_and_from_unified_planning(files, name):
    domain, problem = files(name, 4)
    registry = Registry.installed()
    one = translate(registry, *lift(read_task(domain, problem)))
    other = translate(registry, *lift(unified.task_of(pddl.PDDLReader().parse_problem(str(domain), str(problem)))[0]))
    assert (one.domain, one.problem, one.names) == (other.domain, other.problem, other.names)


@pytest.mark.parametrize("default", [True, False])
def test_values_that_are_left_out_are_the_default_ones(default):
    """Of two kinds of lamps one kind can be switched off."""
    lamp = up.UserType("lamp")
    old, new = up.UserType("old", lamp), up.UserType("new", lamp)
    lit = up.Fluent("lit", up.BoolType(), which=lamp)
    problem = up.Problem("lights")
    problem.add_fluent(lit, default_initial_value=default)
    problem.add_objects([up.Object("a", old), up.Object("b", new)])
    action = up.InstantaneousAction("off", which=old)
    action.add_precondition(lit(action.which))
    action.add_effect(lit(action.which), False)
    problem.add_action(action)
    domain, facts = lift(unified.task_of(problem)[0])
    assert len([atom for atom in facts.initial if atom.predicate == "lit"]) == (2 if default else 0)
    (off,) = domain.operators
    assert sorted(off.needs) == [Atom("lit", off.parameters), Atom("type:old", off.parameters)]
