"""No atom of a goal is lost: one more is refused, makes the problem unsolvable, or holds in the end."""

import random
from itertools import product

import pytest
from attrs import evolve

import coc_core as coc
from coc_core.errors import CocError
from coc_planning.models import MODELS, renamed
from coc_planning.pddl.task import EQUALS, Atom
from tests.support.reworded_pddl import problem_of, write

MORE = 15  # atoms that are tried with each model


def ends(lifted, facts, lines):
    """What holds after a plan, by the operators alone."""
    operators, state = {each.name: each for each in lifted.operators}, facts.initial
    for line in lines:
        name, *arguments = line.strip("()").split(" ")
        names = dict(zip(operators[name].parameters, arguments, strict=True))
        needs, _, adds, deletes = ({*renamed(part, names)} for part in operators[name].parts)
        assert needs <= state
        state = (state - deletes) | adds
    return state


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{type(model).__name__} {MODELS.index(model)}")
def test_no_atom_of_a_goal_is_lost(tmp_path, model):
    _, lifted, facts = problem_of(model, 2, 1)
    known = [(name, arity) for name, arity in lifted.predicates.items() if name != EQUALS]
    atoms = [Atom(name, each) for name, arity in known for each in product(facts.objects, repeat=arity)]
    for atom in random.Random(0).sample(atoms, min(MORE, len(atoms))):
        wanted = evolve(facts, goal=(*facts.goal, atom))
        try:
            solution = coc.solve_pddl(*write(tmp_path, lifted, wanted), solve_as=model.domain, model="reference")
        except CocError:
            continue
        if solution.solved:
            assert {*wanted.goal} <= ends(lifted, facts, solution.actions), atom
