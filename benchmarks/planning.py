"""Whether coc is right as a planner: how many of drawn problems it solves, refuses or finds unsolvable, as it should.

    python benchmarks/planning.py --model reference

Problems of blocks are written here from the rules alone. Their plans are judged by two validators that others wrote, and
by the rules as `block_states` has them.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

import coc_core as coc
from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_planning.models import MODELS
from coc_planning.translate import translate
from tests.support.block_states import atoms, draw_contradiction, draw_problem, draw_state, play
from tests.support.judged_plans import by_both
from tests.support.reworded_pddl import damaged, problem_of, shuffled, write

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
    """A problem in PDDL."""
    initial, goal = (sorted(map(_in_pddl, each)) for each in (atoms(start), wanted))
    objects = sorted({block for _, *blocks in initial for block in blocks})
    return f"""(define (problem drawn) (:domain blocks-world)
  (:objects {" ".join(objects)})
  (:init {" ".join(map(_text, initial))})
  (:goal (and {" ".join(map(_text, goal))})))
"""


def plays(start, wanted, lines):
    """Whether a plan reaches the goal by the rules of `block_states`."""
    names = {_in_pddl((block,) * 2)[1]: block for _, *blocks in atoms(start) for block in blocks}
    actions = [line.strip("()").split(" ") for line in lines]
    end = play(start, (" ".join((name, *(names[each] for each in rest))) for name, *rest in actions))
    return atoms(end) >= set(wanted)


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
    place, plans = folder / "drawn", folder / "plans"
    place.mkdir()
    (place / "domain.pddl").write_text(DOMAIN)
    problems = {}
    for number in range(count):
        rng = random.Random(f"drawn {number}")
        problems[f"p{number}.pddl"] = drawn = draw(rng)
        (place / f"p{number}.pddl").write_text(written(*drawn))
    report = coc.evaluate(domain, problems=place, plans=plans, plan_format="pddl", model=model)
    assert report.total.instances == count
    found = 0
    for name, drawn in problems.items():
        plan = plans / f"{name}.plan"
        lines = plan.read_text().splitlines() if plan.exists() else None
        if lines is not None and plays(*drawn, lines):
            found += by_both(place / "domain.pddl", place / name, plan)
    return found


def unsolvable(folder, count, model):
    """How many of drawn contradictory goals are found to be unsolvable before any step."""
    domain, problem = folder / "domain.pddl", folder / "problem.pddl"
    domain.write_text(DOMAIN)
    found = 0
    for number in range(count):
        rng = random.Random(f"contradiction {number}")
        problem.write_text(written(*draw_contradiction(rng, rng.randint(3, 40))))
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
        found += solution.solved and by_both(*files)
    return found


def refused(count):
    """How many domains that differ from one of coc's in one atom are refused with that difference."""
    registry, found = Registry.installed(), 0
    for number in range(count):
        model = WRITING[number % len(WRITING)]
        rng = random.Random(f"damaged {number}")
        _, lifted, facts = problem_of(model, 4, number)
        try:
            translate(registry, *shuffled(damaged(lifted, rng), facts, rng))
        except UsageError as error:
            found += " has the " in str(error) or " lacks the " in str(error)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=None, help="the model for the domain blocks")
    parser.add_argument("--part", type=int, default=1, help="take one problem of so many")
    parser.add_argument("--only", default="", metavar="TEXT", help="make only the checks with this in their names")
    chosen = parser.parse_args()
    checks = (
        ("drawn problems solved, plans accepted", 2_000, solved, (chosen.model,)),
        ("goals of one tower reached by the model that ships", 200, one_tower, (None,)),
        ("contradictory goals found unsolvable", 200, unsolvable, (chosen.model,)),
        ("shuffled domains solved, plans accepted", 200, recognised, ()),
        ("damaged domains refused, the difference named", 50, lambda _, count: refused(count), ()),
    )
    print("| check | problems | right | seconds |\n|---|---|---|---|")
    for name, count, check, more in (each for each in checks if chosen.only in each[0]):
        count //= chosen.part
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            right = check(Path(folder), count, *more)
        print(f"| {name} | {count:,} | {right:,} | {time.perf_counter() - started:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
