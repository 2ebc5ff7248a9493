"""Checks of coc as a planner at any number: drawn problems, contradictions, other words.

Problems of blocks are written here from the rules alone. Their plans are judged by unified-planning's validator, by
pddl-pyvalidator, whose files unified-planning reads, and by the rules as `block_states` has them.
"""

import random
from functools import cache

import pyval
import unified_planning.shortcuts as up
from unified_planning.io import PDDLReader
from unified_planning.plans import ActionInstance, SequentialPlan

import coc_core as coc
from coc_planning.models import MODELS
from tests.support.block_states import atoms, draw_contradiction, draw_problem, draw_state, play
from tests.support.reworded_pddl import problem_of, shuffled, write

DOMAIN = """(define (domain blocks-world)
  (:requirements :strips)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x)
    :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y)
    :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""
WRITING = tuple({model.domain: model for model in reversed(MODELS)}.values())
"""The models that write problems, one for each domain."""

_RESERVED = ("on", "clear")  # a validator refuses objects that are called like predicates


def _in_pddl(atom):
    name, *blocks = atom
    return name, *(f"{block}-1" if block in _RESERVED else block.lower() for block in blocks)


def _text(atom):
    return f"({' '.join(atom)})"


def written(start, wanted):
    """The objects, the atoms at the beginning and those of the goal, and the problem in PDDL."""
    initial, goal = (sorted(map(_in_pddl, each)) for each in (atoms(start), wanted))
    objects = sorted({block for _, *blocks in initial for block in blocks})
    text = f"""(define (problem drawn) (:domain blocks-world)
  (:objects {" ".join(objects)})
  (:init {" ".join(map(_text, initial))})
  (:goal (and {" ".join(map(_text, goal))})))
"""
    return objects, initial, goal, text


@cache
def _four_operators(domain):
    return PDDLReader().parse_problem(str(domain))


def unified(domain, objects, initial, goal):
    """The problem as unified-planning has it. Its reader takes a second for each, so only the domain is read by it."""
    problem = _four_operators(domain).clone()
    things = {name: problem.add_object(name, up.UserType("object")) for name in objects}
    for atoms_, add in ((initial, lambda atom: problem.set_initial_value(atom, True)), (goal, problem.add_goal)):
        for name, *blocks in atoms_:
            add(problem.fluent(name)(*(things[block] for block in blocks)))
    return problem


def plays(start, wanted, lines):
    """Whether a plan reaches the goal by the rules of `block_states`."""
    names = {_in_pddl((block,) * 2)[1]: block for _, *blocks in atoms(start) for block in blocks}
    actions = [line.strip("()").split(" ") for line in lines]
    end = play(start, (" ".join((name, *(names[each] for each in rest))) for name, *rest in actions))
    return atoms(end) >= set(wanted)


def accepted(problem, lines, *files):
    """Whether unified-planning's validator and, independently, pddl-pyvalidator accept a plan."""
    steps = [line.strip("()").split(" ") for line in lines]
    actions = [ActionInstance(problem.action(name), tuple(map(problem.object, rest))) for name, *rest in steps]
    with up.PlanValidator(name="sequential_plan_validator") as validator:
        first = bool(validator.validate(problem, SequentialPlan(actions, problem.environment)))
    return first and pyval.PDDLValidator().validate(*map(str, files)).is_valid


def solved(folder, count, model, most=40):
    """How many of drawn problems of 3 to 40 blocks are solved with plans that all three accept."""
    return _solved(folder, count, "blocks", model, lambda rng: draw_problem(rng, rng.randint(3, most)))


def one_tower(folder, count, model, most=40):
    """The same for goals of one tower of all blocks, by the model of Extended BlocksWorld."""

    def draw(rng):
        names = rng.sample([f"block{number}" for number in range(100)], rng.randint(3, most))
        return draw_state(rng, names), sorted(atoms((frozenset([tuple(rng.sample(names, len(names)))]), ())))

    return _solved(folder, count, "blocksworld-extended", model, draw)


def _solved(folder, count, domain, model, draw):
    up.get_environment().credits_stream = None
    place, plans = folder / "drawn", folder / "plans"
    place.mkdir()
    (place / "domain.pddl").write_text(DOMAIN)
    problems = {}
    for number in range(count):
        rng = random.Random(f"drawn {number}")
        problems[f"p{number}.pddl"] = drawn = draw(rng)
        (place / f"p{number}.pddl").write_text(written(*drawn)[-1])
    report = coc.evaluate(domain, problems=place, plans=plans, plan_format="pddl", model=model)
    assert report.total.instances == count
    found = 0
    for name, drawn in problems.items():
        plan = plans / f"{name}.plan"
        lines = plan.read_text().splitlines() if plan.exists() else None
        if lines is not None and plays(*drawn, lines):
            problem = unified(place / "domain.pddl", *written(*drawn)[:-1])
            found += accepted(problem, lines, place / "domain.pddl", place / name, plan)
    return found


def unsolvable(folder, count, model):
    """How many of drawn contradictory goals are found to be unsolvable before any step."""
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(DOMAIN)
    found = 0
    for number in range(count):
        rng = random.Random(f"contradiction {number}")
        problem.write_text(written(*draw_contradiction(rng, rng.randint(3, 40)))[-1])
        solution = coc.solve_pddl(domain, problem, model=model)
        found += (solution.status, solution.run.steps) == ("unsolvable", 0)
    return found


def recognised(folder, count):
    """How many problems are solved with all names and orders shuffled, of each domain in turn."""
    files = [folder / name for name in ("domain.pddl", "problem.pddl", "plan")]
    found = 0
    for number in range(count):
        model = WRITING[number % len(WRITING)]
        _, lifted, facts = problem_of(model, 3 + number % 4, number)
        lifted, facts = shuffled(lifted, facts, random.Random(f"shuffled {number}"))
        write(folder, lifted, facts)
        solution = coc.solve_pddl(*files[:2])
        solution.write(files[2])
        problem = PDDLReader().parse_problem(*map(str, files[:2]))
        found += solution.solved and accepted(problem, solution.actions, *files)
    return found
