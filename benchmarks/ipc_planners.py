"""coc beside planners that search, in domains of the planning competitions: how many problems each solves, and how well.

    python benchmarks/ipc_planners.py [--model reference] [--planners coc fast-downward pyperplan]

Each planner reads the same files. Fast Downward stops at the first plan of LAMA, and pyperplan searches greedily by the
FF heuristic. A planner that solved nothing of a domain at one size is not run at larger ones. Plans are judged by
`coc validate`'s rules. The others: `pip install up-fast-downward up-pyperplan`.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import coc_core as coc
from tests.support.ipc_logistics import drawn
from tests.support.ipc_problems import GENERATORS

PLANNERS = ("coc", "fast-downward", "pyperplan")
SIZES = (10, 50, 200, 500)
PER_THING = {"gripper": 1, "ferry": 1.5, "miconic": 3, "spanner": 3.3, "childsnack": 4.7, "floortile": 8, "sokoban": 35}
"""How many objects a problem has for each of what is counted; a grid has a place each, and a city three places."""


def texts(domain, objects, number):
    """A domain and a problem of about so many objects."""
    rng = random.Random(f"{domain} {objects} {number}")
    if domain == "logistics":
        cities = max(2, round(objects**0.5 / 2))
        return drawn(rng, max(1, objects - 5 * cities - 2), cities=cities, size=3)
    n = objects**0.5 if domain == "visit-all" else objects / PER_THING[domain]
    return GENERATORS[domain](rng, max(1, round(n)))


def command(planner, files):
    """What runs a planner that searches."""
    if planner == "pyperplan":
        return [sys.executable, "-m", "pyperplan", "-H", "hff", "-s", "gbf", *files]
    script = Path(find_spec("up_fast_downward").origin).parent / "downward/fast-downward.py"
    return [sys.executable, script, "--alias", "lama-first", *files]


def solve(planner, domain, model, files, limit):
    """The number of actions and the seconds; None if there is no valid plan in time."""
    started = time.perf_counter()
    if planner == "coc":
        solution = coc.solve_pddl(*files, solve_as=domain, model=model or domain)
        seconds, plan = time.perf_counter() - started, files[0].with_name("plan")
        solution.write(plan)
    else:
        folder = files[0].parent
        try:
            run = command(planner, files)
            subprocess.run(run, cwd=folder, capture_output=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None
        seconds = time.perf_counter() - started
        plan = folder / ("sas_plan" if planner == "fast-downward" else f"{files[1].name}.soln")
        if not plan.exists():
            return None
    lines = re.findall(r"^\(.*\)$", plan.read_text(), re.M)
    plan.unlink()
    found = coc.validate_pddl(*files, lines)
    assert found.solved, found
    return len(lines), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=None, help="the model of coc; by default the trained one of each domain")
    parser.add_argument("--problems", type=int, default=3, help="how many problems of each size")
    parser.add_argument("--limit", type=float, default=30, help="seconds for a problem")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of objects")
    parser.add_argument("--domains", nargs="+", default=["logistics", *GENERATORS])
    parser.add_argument("--planners", nargs="+", choices=PLANNERS, default=PLANNERS)
    chosen = parser.parse_args()
    print("| domain | objects | planner | solved | actions | seconds |\n|---|---|---|---|---|---|")
    for domain in chosen.domains:

        def run(planner, objects, number, domain=domain):
            with tempfile.TemporaryDirectory() as folder:
                files = Path(folder) / "domain.pddl", Path(folder) / "problem.pddl"
                for file, text in zip(files, texts(domain, objects, number), strict=True):
                    file.write_text(text)
                return solve(planner, domain, chosen.model, files, chosen.limit)

        run("coc", 5, 0)  # loads what there is to load
        lost = set()
        for objects in chosen.sizes:
            for planner in chosen.planners:
                if planner in lost:
                    continue
                found = [run(planner, objects, number) for number in range(chosen.problems)]
                solved = [each for each in found if each is not None]
                means = (f"{sum(each) / len(each):.4g}" if each else "" for each in zip(*solved, strict=True))
                row = " | ".join(means) if solved else " | "
                print(f"| {domain} | {objects} | {planner} | {len(solved)} of {len(found)} | {row} |", flush=True)
                if not solved:
                    lost.add(planner)


if __name__ == "__main__":
    main()
