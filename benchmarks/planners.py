"""coc beside two planners that search, on blocks: how many problems each solves, how long the plans are, and how long it takes.

    python benchmarks/planners.py [--model reference] [--planners coc pyperplan fast-downward]

A planner that solved nothing of one size is not run at larger ones. The others: `pip install up-fast-downward up-pyperplan`.
"""

import argparse
import multiprocessing
import random
import time
import warnings
from contextlib import ExitStack

import unified_planning.shortcuts as up
from planning import DOMAIN, written
from unified_planning.exceptions import UPNoRequestedEngineAvailableException
from unified_planning.io import PDDLReader

import coc_planning.engine  # noqa: F401 - adds the engine
from tests.support.block_states import atoms, draw_state, lower_bound

SIZES = (10, 20, 40, 100, 200, 500)
PLANNERS = ("coc", "pyperplan", "fast-downward")
UNLIMITED = ("pyperplan",)  # planners that keep no time limit of their own


def drawn(n, number):
    """A pair of states of n blocks."""
    rng, names = random.Random(f"planners {n} {number}"), [f"b{each}" for each in range(1, n + 1)]
    return draw_state(rng, names), draw_state(rng, names)


def solve(engine, problem, limit):
    """The length of the plan, and the seconds from the problem as an object to the plan; None if there is no plan."""
    started = time.perf_counter()
    result = engine.solve(problem, timeout=limit)
    return (len(result.plan.actions), time.perf_counter() - started) if result.plan else None


def forked(engine, problem, limit):
    """The same in a process of its own, which is ended when its time is over."""
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=lambda: writer.send(solve(engine, problem, None)))
    process.start()
    found = reader.recv() if reader.poll(limit) else None
    process.kill()
    process.join()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=None, help="the model of coc; by default the trained one")
    parser.add_argument("--problems", type=int, default=5, help="how many problems of each size")
    parser.add_argument("--limit", type=float, default=30, help="seconds for a problem")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--planners", nargs="+", choices=PLANNERS, default=PLANNERS)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    up.get_environment().credits_stream = None
    with ExitStack() as stack:
        engines = {}
        for name in chosen.planners:
            params = {"model": chosen.model} if name == "coc" else {}
            try:
                engines[name] = stack.enter_context(up.OneshotPlanner(name=name, params=params))
            except UPNoRequestedEngineAvailableException:
                parser.error(f"{name} is not installed: pip install up-fast-downward up-pyperplan")
            engines[name].solve(problem_of(3, 0))  # loads what there is to load
        print("| n | planner | solved | length / lower bound | seconds |\n|---|---|---|---|---|")
        for n in chosen.sizes:
            for name, engine in [*engines.items()]:
                found = {}
                for number in range(chosen.problems):
                    run = forked if name in UNLIMITED else solve
                    found[number] = run(engine, problem_of(n, number), chosen.limit)
                solved = {number: each for number, each in found.items() if each is not None}
                ratios = [each[0] / max(1, lower_bound(*drawn(n, number))) for number, each in solved.items()]
                times = [each[1] for each in solved.values()]
                means = (f"{sum(each) / len(each):.2f}" if each else "" for each in (ratios, times))
                print(f"| {n} | {name} | {len(solved)} of {len(found)} | {' | '.join(means)} |", flush=True)
                if not solved:
                    engines.pop(name)


def problem_of(n, number):
    """The problem, as unified-planning has it, whose goal is all of the second state."""
    start, goal = drawn(n, number)
    return PDDLReader().parse_problem_string(DOMAIN, written(start, sorted(atoms(goal))))


if __name__ == "__main__":
    main()
