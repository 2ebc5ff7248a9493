"""How long the policy's plans of `blocks` are: beside the shortest ones, and beside a lower bound where no search can go.

python tests/benchmarks/plan_lengths.py [--sizes 5 6 7 10 20 30 40]
"""

import argparse
import random

from tests.support.block_problems import plan_of, problem_of
from tests.support.block_states import atoms, distances, draw_state, lower_bound

GOALS, STARTS = 10, 200  # of the sizes that are searched
PAIRS = 500  # of the others


def searched(rng, names):
    """The length of the plan and of the shortest one, for drawn pairs of states."""
    for _ in range(GOALS):
        goal = draw_state(rng, names)
        optimum = distances(goal)
        for start in (draw_state(rng, names) for _ in range(STARTS)):
            yield len(plan_of(problem_of(start, sorted(atoms(goal))))), optimum[start]


def bounded(rng, names):
    """The length of the plan and the lower bound, for drawn pairs of states."""
    for _ in range(PAIRS):
        start, goal = draw_state(rng, names), draw_state(rng, names)
        yield len(plan_of(problem_of(start, sorted(atoms(goal))))), lower_bound(start, goal)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=(5, 6, 7, 10, 20, 30, 40), help="numbers of blocks")
    options = parser.parse_args()
    print("| n | compared with | pairs | mean ratio | largest |\n|---|---|---|---|---|")
    for n in options.sizes:
        rng, names = random.Random(n), [f"B{number}" for number in range(1, n + 1)]
        pairs = (searched if n < 8 else bounded)(rng, names)
        ratios = [taken / fewest for taken, fewest in pairs if fewest]
        beside = "the shortest plan" if n < 8 else "a lower bound"
        print(f"| {n} | {beside} | {len(ratios):,} | {sum(ratios) / len(ratios):.3f} | {max(ratios):.2f} |")


if __name__ == "__main__":
    main()
