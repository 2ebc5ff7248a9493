"""Run wrong models by `summary` and step by step, and compare how the runs end.

    python benchmarks/summaries.py [--domains hanoi hanoi-4 blocks checkers] [--models 10000] [--most 14] [--seed 0]

Each model is wrong about one to four prompts of a problem of n = 1 to 14: targets are mutated or swapped, recursion is
made endless, actions are illegal, the numbers are not finite. A third of the runs has tight limits. The
status, the step and the action count, each part of the fault, the state and the stack that are left must be the same,
and `summary` may call the model only once for each prompt. Prints a table of how the runs ended in each domain, the
numbers of runs that differ and of steps, and the time of each executor. Exits with 1 if anything differs.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from attrs import evolve

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "coc-checkers"))

from coc_checkers.domain import Checkers
from coc_core.execution import Sequential, Summary
from coc_core.types import Limits
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.four_pegs import HanoiFour
from tests.support.machines import contents, convention, machine, solve
from tests.support.wrong_hanoi_models import WrongModel

ENDS = ("solved", "unsolved", "unsolvable", "action", "limit", "protocol", "loop", "numeric")
DOMAINS = {domain.name: domain for domain in (Hanoi(), HanoiFour(), Blocks(), Checkers())}


def limits_of(rng: random.Random) -> Limits:
    if rng.random() < 2 / 3:
        return Limits()
    return Limits(
        steps=rng.choice((0, 1, 10, 100, 1000, 10_000)),
        stack_depth=rng.choice((1, 3, 10, 1_000_000)),
        windows_per_step=rng.choice((1, 2, 3, 1000)),
    )


def end(outcome) -> str:
    return outcome.fault.kind if outcome.fault else outcome.status


def compare(domain, options, seconds) -> tuple[Counter, int]:
    """How the runs of wrong models ended, and the number of all steps; `different` counts those that disagree."""
    ends, steps, spoken = Counter[str](), 0, convention(domain=domain)
    for number in range(options.models):
        rng = random.Random(f"{options.seed} {number}")
        problem, limits = domain.problem(rng.randint(1, options.most), number), limits_of(rng)
        found = []
        for executor in (Sequential, Summary):
            model = WrongModel(spoken, problem, f"{options.seed} {number}")
            subject = machine(problem=problem, domain=domain, limits=limits)
            outcome = solve(subject, executor, model)
            seconds[executor.name] += outcome.seconds
            found.append((evolve(outcome, model_calls=0, seconds=0.0), contents(subject)))
        if found[0] != found[1] or outcome.model_calls > len(model.asked):
            ends["different"] += 1
            print(f"number {number}, {problem}, {limits}, wrong about {model.ways}: {found[0][0]} and {found[1][0]}")
        ends[end(found[0][0])] += 1
        steps += found[0][0].steps
    return ends, steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domains", nargs="+", choices=DOMAINS, default=list(DOMAINS))
    parser.add_argument("--models", type=int, default=10_000, help="for each domain")
    parser.add_argument("--most", type=int, default=14, help="the largest n")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    seconds, different = Counter[str](), 0
    print(f"| domain | {' | '.join(ENDS)} | different | steps |\n|---|{'---|' * (len(ENDS) + 2)}", flush=True)
    for name in options.domains:
        ends, steps = compare(DOMAINS[name], options, seconds)
        assert ends.keys() <= {*ENDS, "different"}
        counts = " | ".join(f"{ends[kind]:,}" for kind in (*ENDS, "different"))
        print(f"| `{name}` | {counts} | {steps:,} |", flush=True)
        different += ends["different"]
    for name, total in seconds.items():
        print(f"{total:8.1f}  seconds by {name}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
