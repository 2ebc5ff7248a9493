"""Whether coc is right as a planner: how many of drawn problems it solves, refuses or finds unsolvable, as it should.

python benchmarks/planning.py --model reference
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

from coc_core.errors import UsageError
from coc_core.plugin import Registry
from coc_planning.translate import translate
from tests.support import planning_checks
from tests.support.reworded_pddl import damaged, problem_of, shuffled


def refused(count):
    """How many domains that differ from one of coc's in one atom are refused with that difference."""
    registry, found = Registry.installed(), 0
    for number in range(count):
        model = planning_checks.WRITING[number % len(planning_checks.WRITING)]
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
        ("drawn problems solved, plans accepted", 2_000, planning_checks.solved, (chosen.model,)),
        ("goals of one tower reached by the model that ships", 200, planning_checks.one_tower, (None,)),
        ("contradictory goals found unsolvable", 200, planning_checks.unsolvable, (chosen.model,)),
        ("shuffled domains solved, plans accepted", 200, planning_checks.recognised, ()),
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
