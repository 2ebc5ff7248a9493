"""coc beside two planners that search, on blocks: how many problems each solves, how long the plans are, and how long it takes.

python tests/benchmarks/planners.py --model reference
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))

SIZES = (5, 10, 20, 30, 40)
PLANNERS = ("coc", "pyperplan", "fast-downward")
STARTING = 30  # seconds more for a process to start, and to solve a small problem first


def drawn(n, number):
    """A pair of states of n blocks."""
    from block_states import draw_state

    rng, names = random.Random(f"planners {n} {number}"), [f"b{each}" for each in range(1, n + 1)]
    return draw_state(rng, names), draw_state(rng, names)


def solve(planner, n, number, model):
    """In a process of its own, the length of the plan and the seconds from the problem as an object to the plan."""
    import unified_planning.shortcuts as up
    from block_states import atoms
    from planning_checks import DOMAIN, unified, written

    import coc_planning.engine  # noqa: F401 - adds the engine

    up.get_environment().credits_stream = None
    params = {"model": model} if planner == "coc" else {}
    with tempfile.TemporaryDirectory() as folder, up.OneshotPlanner(name=planner, params=params) as engine:
        domain = Path(folder) / "domain.pddl"
        domain.write_text(DOMAIN)
        for each in ((3, 0), (n, number)):  # the first one loads what there is to load
            start, goal = drawn(*each)
            problem = unified(domain, *written(start, sorted(atoms(goal)))[:-1])
            started = time.perf_counter()
            result = engine.solve(problem)
            seconds = time.perf_counter() - started
    print(json.dumps([len(result.plan.actions) if result.plan else None, seconds]))


def result_of(planner, n, number, model, limit):
    """What `solve` prints; None if it takes too long or fails."""
    command = [sys.executable, __file__, "--model", model, "--solve", planner, str(n), str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + STARTING, check=False)
    except subprocess.TimeoutExpired:
        return None
    found = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else [None, limit]
    return found if found[0] is not None and found[1] <= limit else None


def main():
    from block_states import lower_bound

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="reference", help="the model of coc")
    parser.add_argument("--problems", type=int, default=5, help="how many problems of each size")
    parser.add_argument("--limit", type=float, default=30, help="seconds for a problem")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--solve", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.solve:
        planner, n, number = chosen.solve
        solve(planner, int(n), int(number), chosen.model)
        return
    print("| n | planner | solved | length / lower bound | seconds |\n|---|---|---|---|---|")
    for n in chosen.sizes:
        for planner in PLANNERS:
            ratios, times = [], []
            for number in range(chosen.problems):
                found = result_of(planner, n, number, chosen.model, chosen.limit)
                if found is not None:
                    ratios.append(found[0] / max(1, lower_bound(*drawn(n, number))))
                    times.append(found[1])
            mean = (f"{sum(each) / len(each):.2f}" if each else "" for each in (ratios, times))
            print(f"| {n} | {planner} | {len(times)} of {chosen.problems} | {' | '.join(mean)} |", flush=True)


if __name__ == "__main__":
    main()
