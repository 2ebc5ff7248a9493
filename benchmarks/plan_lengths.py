"""How long a policy's plans are: beside the shortest ones, and beside a lower bound where no search can go.

    python benchmarks/plan_lengths.py [--sizes 5 6 7 10 20 30 40] [--pancakes 7 9 40]

The lower bound of flips is the number of neighbours in the stack, the plate among them, that are none in the end: a flip
parts one pair. Flips that change nothing do not count.
"""

import argparse
import random
from itertools import pairwise

from coc_core.plugin import DomainSpec, Registry
from coc_problems import effects, levels, policy_actions
from tests.support.block_problems import plan_of, problem_of
from tests.support.block_states import atoms, distances, draw_state, lower_bound

GOALS, STARTS = 10, 200  # of the sizes that are searched
PAIRS = 500  # of the others
STACKS = 5_000  # of pancakes


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


def flipped(n):
    """The flips of the policy, and the fewest ones or the lower bound, for drawn stacks of n pancakes."""
    domain = Registry.installed().create(DomainSpec, "pancake")
    found = enumerate(levels(domain, domain.problem(n).goal, 10**6)) if n < 10 else ()
    fewest = {state: distance for distance, level in found for state in level}
    for number in range(STACKS):
        problem = domain.problem(n, number)
        taken = sum(1 for _ in effects(domain, problem.start, policy_actions(domain, problem)))
        parted = sum(abs(lower - upper) > 1 for lower, upper in pairwise((0, *problem.start)))
        yield taken, fewest.get(problem.start, parted)


def show(n, what, pairs, beside):
    """Print a row of the table."""
    ratios = [taken / fewest for taken, fewest in pairs if fewest]
    print(f"| {n} {what} | {beside} | {len(ratios):,} | {sum(ratios) / len(ratios):.3f} | {max(ratios):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=(5, 6, 7, 10, 20, 30, 40), help="numbers of blocks")
    parser.add_argument("--pancakes", type=int, nargs="+", default=(), help="numbers of pancakes")
    options = parser.parse_args()
    print("| n | compared with | pairs | mean ratio | largest |\n|---|---|---|---|---|")
    for n in options.sizes:
        rng, names = random.Random(n), [f"B{number}" for number in range(1, n + 1)]
        pairs = (searched if n < 8 else bounded)(rng, names)
        show(n, "blocks", pairs, "the shortest plan" if n < 8 else "the lower bound")
    for n in options.pancakes:
        show(n, "pancakes", flipped(n), "the shortest plan" if n < 10 else "the lower bound")


if __name__ == "__main__":
    main()
