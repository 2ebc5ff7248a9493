"""coc's validator of plans in PDDL beside those that others wrote, on drawn tasks and plans that are right and wrong."""

import random
import tempfile
from collections import Counter
from itertools import count, permutations
from pathlib import Path

from coc_planning.pddl.reading import read_task
from coc_planning.pddl.validation import validation
from tests.support import ipc_logistics
from tests.support.drawn_tasks import DrawnTask, damaged, plan_text, problem_text, reached, walk
from tests.support.ipc_domains import BRIEFCASE, TRANSPORT
from tests.support.ipc_problems import GENERATORS
from tests.support.other_validators import Unified, by_val

PLANS = 10
"""How many plans there are for a task: one that is right, and damaged ones."""


def _briefcase(rng, n):
    things, places = [f"o{number}" for number in range(n)], [f"l{number}" for number in range(rng.randint(2, 4))]
    initial = [f"(at {each} {rng.choice(places)})" for each in things] + [f"(is-at {rng.choice(places)})"]
    objects = f"{' '.join(things)} - portable {' '.join(places)} - location"
    return BRIEFCASE, problem_text("briefcase", objects, initial, "(and)")


def _transport(rng, n):
    places, packages = [f"city{number}" for number in range(n)], [f"p{n}" for n in range(rng.randint(1, 3))]
    initial = ["(= (total-cost) 0)", "(capacity-predecessor c0 c1)", "(capacity-predecessor c1 c2)", "(capacity t c2)"]
    for one, other in permutations(places, 2):
        initial += [f"(road {one} {other})", f"(= (road-length {one} {other}) {rng.randint(1, 50)})"]
    initial += [f"(at {each} {rng.choice(places)})" for each in ["t", *packages]]
    kinds = f"{' '.join(packages)} - package {' '.join(places)} - location t - vehicle c0 c1 c2 - capacity-number"
    return TRANSPORT, problem_text("transport", kinds, initial, "(and)", "(:metric minimize (total-cost))")


def _logistics(rng, n):
    return ipc_logistics.drawn(rng, n, typed=rng.random() < 0.5, cities=2, size=2)


COMPETITIONS = [*GENERATORS.values(), _briefcase, _transport, _logistics]


class Competition:
    """A small problem of a domain of the planning competitions, drawn by a random number generator."""

    def __init__(self, rng):
        self.domain, self._text = rng.choice(COMPETITIONS)(rng, rng.randint(2, 4))

    def problem(self, goal="(and)"):
        before, _, after = self._text.partition("(:goal")
        metric = after.partition("(:metric")
        return f"{before}(:goal {goal})\n{''.join(metric[1:]) or ')'}\n"


def drawn(seed):
    """A drawn task as two texts, and plans for it; every other one is of a domain of the competitions."""
    rng = random.Random(f"validate {seed}")
    task = DrawnTask(rng, typed=rng.random() < 0.7, adl=rng.random() < 0.7) if seed % 2 else Competition(rng)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("domain.pddl", "problem.pddl")]
        files[0].write_text(task.domain)
        files[1].write_text(task.problem())
        read = read_task(*files)
        plan, simulation = walk(rng, read, rng.randint(0, 12))
    goal = reached(rng, simulation)
    if seed % 2 and task.adl and rng.random() < 0.3:
        goal = task.goal()
    plans = [plan, *(damaged(rng, plan, read) for _ in range(PLANS - 1))]
    return task.domain, task.problem(goal), plans


def compared(plans, val=None, first=0):
    """Counts of what coc said of so many plans; each difference: the seed, the plan, who, and what both said; and how
    many plans VAL takes that have what it overlooks.

    Args:
        plans: How many plans are validated.
        val: The program Validate of VAL, if it is to be asked, too.
        first: The first seed.
    """
    verdicts, differences, overlooked = Counter(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("domain.pddl", "problem.pddl", "plan")]
        for seed in count(first):
            if verdicts.total() >= plans:
                break
            domain, problem, several = drawn(seed)
            files[0].write_text(domain)
            files[1].write_text(problem)
            task = read_task(*files[:2])
            others = Unified(domain, problem)
            for plan in several:
                found = validation(task, plan_text(plan))
                verdicts[found.verdict] += 1
                mine = found.solved, found.at
                for name, theirs in (("unified-planning", others.validated), ("pddl-pyvalidator", others.simulated)):
                    said = theirs(plan)
                    if said != mine:
                        differences.append((seed, plan, name, mine, said))
                if val is not None:
                    files[2].write_text(plan_text(plan))
                    valid, cost, output = by_val(val, *files)
                    if valid and not found.solved and found.at and val_overlooks(task, plan[found.at - 1]):
                        overlooked += 1
                        continue
                    if valid != found.solved or (valid and cost != float(found.cost)):
                        differences.append((seed, plan, "VAL", (found.solved, found.cost), (valid, cost, output)))
    return verdicts, differences, overlooked


def val_overlooks(task, action):
    """Whether an action has more arguments than parameters, or an object that is not declared: VAL takes both."""
    name, *arguments = action
    many = name in task.actions and len(arguments) > len(task.actions[name].parameters)
    return many or not {*arguments} <= task.objects.keys()
