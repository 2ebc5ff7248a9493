"""Translating problems: what coc solves is what was asked, and what it can't solve is refused with the reason."""

import random

import pytest
from attrs import evolve

import coc_core as coc
from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin import DomainSpec
from coc_planning.models import MODELS
from coc_planning.pddl.task import Atom
from coc_planning.translate import translate
from coc_planning.validation import check_plan
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.late_import import Late
from tests.support.reworded_pddl import problem_of, shuffled, write

judged = Late("tests.support.judged_plans")
BLOCKS, _, HANOI, HANOI_4, TOWERS = MODELS[:5]
ONE_TOWER = {f"{model.domain}{' by hand' * model.hand}": model for model in MODELS if not model.reads}


def atoms(text):
    return tuple(Atom(name, tuple(rest)) for name, *rest in map(str.split, filter(None, text.split(", "))))


def less(text):
    return lambda facts: facts.initial - {*atoms(text)}


def more(text):
    return lambda facts: facts.initial | {*atoms(text)}


def translated(model, n=3, solve_as=None, **changes):
    """A problem of a model, changed: atoms are given as text, or as a function of all facts."""
    _, lifted, facts = problem_of(model, n)
    found = {
        name: atoms(each) if isinstance(each, str) else each(facts) if callable(each) else each
        for name, each in changes.items()
    }
    found |= {"initial": frozenset(found.get("initial", facts.initial))}
    return translate(REGISTRY, lifted, evolve(facts, **found), solve_as=solve_as)


def pegs(count):
    """Changes that make so many pegs for three disks."""
    new = [f"peg{peg}" for peg in range(4, count + 1)]
    atoms = [f"clear {peg}, smaller d1 {peg}, smaller d2 {peg}, smaller d3 {peg}" for peg in new]
    return {"objects": lambda facts: (*facts.objects, *new), "initial": more(", ".join(atoms))}


def standing(*blocks):
    return ", ".join(["handempty", *(f"ontable {each}, clear {each}" for each in blocks)])


def tower(goal):
    return {"goal": goal, "solve_as": "blocksworld"}


MANY = tuple(f"b{number}" for number in range(10_001))
FLAT = standing("b1", "b2", "b3").removeprefix("handempty, ")
START = "start=[1, 1, 1] goal="
NO_STATE = "no state of the disks has all that the goal says"
NO_TOWER = "blocksworld needs one tower of all blocks in the goal"


@for_each(
    ("model", "changes", "text"),
    [
        # What a goal of hanoi leaves out follows, or is chosen so that little moves.
        *((HANOI, {"goal": each}, "n=3 src=1 dst=2") for each in ("on d3 peg2", "clear peg3, on d3 peg2")),
        (HANOI, {"goal": "on d1 d2, on d2 d3, on d3 peg2"}, "n=3 src=1 dst=2"),
        (HANOI, {"goal": "on d1 peg2"}, f"pegs=3 {START}[2, 1, 1]"),
        (HANOI, {"goal": "on d3 peg1"}, f"pegs=3 {START}[1, 1, 1]"),
        (HANOI, {"goal": "on d1 d3, on d3 peg1, on d2 peg2"}, f"pegs=3 {START}[1, 2, 1]"),
        (HANOI, {"goal": "clear peg1, on d2 peg2, on d3 peg3"}, f"pegs=3 {START}[2, 2, 3]"),
        (HANOI, {**pegs(4), "solve_as": "hanoi-4"}, "n=3 src=1 dst="),
        (HANOI, pegs(5), "pegs=5 start=[1, 1, 1]"),
        # Blocks keep their names unless coc can't say them.
        (
            BLOCKS,
            {"objects": ("red-block",), "initial": standing("red-block"), "goal": ""},
            "start=[[red-block]] & hand=[] & goal=[]",
        ),
        (BLOCKS, {"objects": ("ö",), "initial": standing("ö"), "goal": ""}, "start=[[b1]] & hand=[] & goal=[]"),
        (TOWERS, tower("on b1 b2, on b3 b1"), " & goal=[B2, B1, B3]"),
        (TOWERS, tower("on b1 b2, on b3 b1, clear b3"), " & goal=[B2, B1, B3]"),
        (TOWERS, {"initial": FLAT, "solve_as": "blocksworld-extended"}, "start=[[B1], [B2], [B3]] & goal=[B"),
    ],
)
def test_what_is_asked_is_a_problem_of_coc(model, changes, text):
    assert text in translated(model, **changes).problem


@for_each(
    ("model", "changes", "message"),
    [
        (HANOI, {"goal": "on d1 peg2", "solve_as": "hanoi"}, "hanoi moves one whole tower"),
        (HANOI, {"goal": "on d2 d3", "solve_as": "hanoi"}, "hanoi moves a tower"),
        (HANOI, {"goal": "on d2 d1", "solve_as": "hanoi"}, "hanoi moves one whole tower"),
        (HANOI, {"goal": "on d3 peg1", "solve_as": "hanoi"}, "hanoi moves a tower"),
        (HANOI, {"goal": "on d2 d1"}, NO_STATE),
        (HANOI, {"goal": "on d1 d2, on d1 d3"}, NO_STATE),
        (HANOI, {"goal": "on d1 peg1, on d2 peg1"}, NO_STATE),
        (HANOI, {"goal": "clear d2, on d1 d2"}, NO_STATE),
        (HANOI, {**pegs(5), "solve_as": "hanoi"}, "it has 5 pegs; hanoi has 3"),
        (HANOI, {**pegs(5), "solve_as": "hanoi-4"}, "it has 5 pegs; hanoi-4 has 4"),
        (HANOI, {"initial": less("clear peg2")}, "at the beginning .* does not hold"),
        (HANOI, {"initial": more("clear d3")}, "at the beginning .* holds"),
        (HANOI, {"initial": less("smaller d1 d2")}, "beginning"),
        (BLOCKS, {"objects": MANY, "initial": standing(*MANY)}, "10,001 blocks are too many"),
        # Without a hand, operators may move a block onto itself, so such a goal is not unsolvable there.
        (TOWERS, {"goal": "on b1 b1"}, r"the goal \(on b1 b1\) puts a block on itself"),
        (TOWERS, tower(""), NO_TOWER),
        (TOWERS, tower("on b2 b1"), NO_TOWER),
        (TOWERS, tower("on b2 b1, on b3 b2, on b1 b3"), NO_TOWER),
        (TOWERS, tower("on b1 b2, on b3 b2"), NO_TOWER),
        (TOWERS, tower("on b1 b2, on b3 b1, clear b1"), r"the goal \(clear b1\) does not hold of the tower"),
        (TOWERS, tower("on b1 b2, on b3 b1, ontable b3"), r"the goal \(ontable b3\) does not hold of the tower"),
        (TOWERS, {"initial": FLAT, "solve_as": "blocksworld"}, "needs one tower of all blocks at the beginning"),
    ],
)
def test_what_is_no_problem_of_coc_is_refused(model, changes, message):
    with pytest.raises(UsageError, match=message):
        translated(model, **changes)


@pytest.mark.parametrize("model", [HANOI, HANOI_4], ids=["hanoi", "hanoi-4"])
def test_types_are_read_and_have_to_be_right(model):
    problem, lifted, facts = problem_of(model, 3)
    (typed,) = [each for each in model.forms if each != lifted]
    kinds = model.typed(problem)
    assert translate(REGISTRY, typed, evolve(facts, initial=facts.initial | kinds)).domain == model.domain
    some = {atom for atom in kinds if "3" not in str(atom)}
    with pytest.raises(UsageError, match=r"at the beginning \(type:\w+ \w3\) does not hold"):
        translate(REGISTRY, typed, evolve(facts, initial=facts.initial | some))


@pytest.mark.parametrize("name", ONE_TOWER)
def test_plans_for_one_tower_are_in_the_words_of_the_problem(tmp_path, name):
    model = ONE_TOWER[name]
    lifted, facts = shuffled(*problem_of(model, 5, 1)[1:], random.Random(name))
    files = [*write(tmp_path, lifted, facts), tmp_path / "plan"]
    assert coc.solve_pddl(*files[:2], model="reference").run.setting.domain.name == "blocks"
    solution = coc.solve_pddl(*files[:2], solve_as=model.domain, model="reference")
    assert (solution.status, solution.run.setting.domain.name) == ("solved", model.domain)
    solution.write(files[2])
    assert judged.by_both(*files)
    translation = translate(REGISTRY, lifted, facts, solve_as=model.domain)
    form = translation.plan_format(solution.run.setting.domain, solution.run.plan.problem)
    assert check_plan(form, solution.actions).verdict == "solved"
    assert check_plan(form, solution.actions[:-2]).verdict == "unsolved"


def test_what_the_hand_can_not_do_is_named():
    _, lifted, facts = problem_of(ONE_TOWER["blocksworld by hand"], 2, 1)
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
