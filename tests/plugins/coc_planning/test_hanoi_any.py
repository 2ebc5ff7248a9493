"""Tower of Hanoi from any state to any other, in the encodings that benchmarks have."""

import random

from attrs import evolve

import coc_core as coc
from coc_planning.lifted import Lifted
from coc_planning.models import MODELS
from tests.support.for_each import for_each
from tests.support.reworded_pddl import problem_of, write


def with_types(domain, facts, kinds):
    """The same with types in place of the predicates `type:disk` and `type:peg`."""

    def operator(each):
        known = {atom.arguments[0]: atom.predicate for atom in each.needs if ":" in atom.predicate}
        typed = tuple(f"{name} - {known.get(name, 'type:object')[5:]}" for name in each.parameters)
        return evolve(each, parameters=typed, needs=frozenset(atom for atom in each.needs if ":" not in atom.predicate))

    objects = tuple(f"{atom.arguments[0]} - {atom.predicate[5:]}" for atom in sorted(kinds))
    return Lifted.of("towers) (:types disk peg", *map(operator, domain.operators)), evolve(facts, objects=objects)


@for_each("model", MODELS[8:])
@for_each("form", ("plain", "predicates", "types"))
def test_any_state_leads_to_any_goal(model, form, tmp_path):
    for number in (0, 2, 4):
        rng = random.Random(f"{model.forms} {form} {number}")
        problem, _, facts = problem_of(model, 1 + number, number)
        kinds = model.typed(problem)
        if rng.random() < 0.5:
            facts = evolve(facts, goal=tuple(rng.sample(facts.goal, rng.randint(1, len(facts.goal)))))
        domain = model.forms[form != "plain"]
        if form == "types":
            files = write(tmp_path, *with_types(domain, facts, kinds))
            files[1].write_text(files[1].read_text().replace(") (:types disk peg)", ")", 1))
        else:
            stated = {atom for atom in kinds if atom.predicate in domain.predicates}
            files = write(tmp_path, domain, evolve(facts, initial=facts.initial | stated))
            for file in files:
                file.write_text(file.read_text().replace("type:", "type-"))
        solution = coc.solve_pddl(*files, model="reference")
        assert solution.solved
        assert coc.validate_pddl(*files, solution.actions).solved


@for_each(
    ("line", "reason"),
    [
        ("(move d1 peg1 peg3)", "d1 is not on peg1"),
        ("(move d1 d2 peg2)", "peg2 is not clear"),
        ("(move d3 peg2 d1)", "can't lie on the smaller disk 1"),
    ],
)
def test_what_is_moved_is_where_the_action_says(line, reason):
    report = coc.validate("hanoi-any", line, problem="pegs=3 start=[1, 1, 2] goal=[1, 3, 2]", plan_format="pddl")
    assert report.verdict == "illegal"
    assert reason in report.reason
