"""Run wrong models by `summary` and step by step, and compare how the runs end.

    python tests/benchmarks/summaries.py [--models 10000] [--most 14] [--seed 0]

Each model is wrong about one to four prompts of a Tower of Hanoi of 1 to 14 disks: targets are mutated or swapped,
recursion is made endless, actions are illegal, the numbers are not finite. A third of the runs has tight limits. The
status, the step and the action count, each part of the fault, the state and the stack that are left must be the same,
and `summary` may call the model only once for each prompt. Prints a table of how the runs ended and the time of each
executor, and exits with 1 if anything differs.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from attrs import evolve

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from build import contents, convention, machine, solve
from wrong_models import WrongModel

from coc_core.execution import Sequential, Summary
from coc_core.types import Limits
from coc_hanoi.instructions import Tower

SPOKEN = convention()


def limits_of(rng: random.Random) -> Limits:
    if rng.random() < 2 / 3:
        return Limits()
    return Limits(
        steps=rng.choice((0, 1, 10, 100, 1000, 10_000)),
        stack_depth=rng.choice((1, 3, 10, 1_000_000)),
        windows_per_step=rng.choice((1, 2, 3, 1000)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=10_000)
    parser.add_argument("--most", type=int, default=14, help="disks")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ends, seconds, different, steps = Counter[str](), Counter[str](), 0, 0
    for number in range(options.models):
        rng = random.Random(f"{options.seed} {number}")
        problem, limits = Tower(rng.randint(1, options.most)), limits_of(rng)
        found = []
        for executor in (Sequential, Summary):
            model, subject = (
                WrongModel(SPOKEN, problem, f"{options.seed} {number}"),
                machine(problem=problem, limits=limits),
            )
            outcome = solve(subject, executor, model)
            seconds[executor.name] += outcome.seconds
            found.append((evolve(outcome, model_calls=0, seconds=0.0), contents(subject)))
        if found[0] != found[1] or outcome.model_calls > len(model.asked):
            different += 1
            print(f"number {number}, {problem}, {limits}, wrong about {model.ways}: {found[0][0]} and {found[1][0]}")
        outcome = found[0][0]
        ends[outcome.fault.kind if outcome.fault else outcome.status] += 1
        steps += outcome.steps
    for end, count in ends.most_common():
        print(f"{count:8,}  {end}")
    for name, total in seconds.items():
        print(f"{total:8.1f}  seconds by {name}")
    print(f"{different:8,}  different, of {options.models:,} models and {steps:,} steps")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
