"""coc's validator of plans in PDDL beside others: the same verdicts on right and wrong plans, and plans a second.

Examples:
    python tests/benchmarks/validators.py --plans 10000
    python tests/benchmarks/validators.py --plans 10000 --val build/bin/Validate  # of github.com/KCL-Planning/VAL
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from coc_planning.pddl.validation import validate_pddl
from tests.support.other_validators import Unified
from tests.support.validator_checks import compared, drawn, plan_text


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plans", type=int, default=1_000)
    options.add_argument("--val", help="the program Validate of VAL")
    chosen = options.parse_args()
    seconds = timed(min(chosen.plans, 500))
    for name, each in seconds.items():
        print(f"{name}: {1 / each:,.0f} plans a second")
    verdicts, differences, overlooked = compared(chosen.plans, chosen.val)
    print(f"{verdicts.total():,} plans: {', '.join(f'{count:,} {name}' for name, count in verdicts.items())}")
    if chosen.val:
        print(f"{overlooked} plans with surplus arguments or undeclared objects are valid to VAL")
    print(f"{len(differences)} other differences")
    for each in differences[:20]:
        print(*each)
    return 1 if differences else 0


def timed(plans):
    """The seconds that a call from Python takes for a plan, in turns; each reads its files. VAL is a program, so untimed."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("domain.pddl", "problem.pddl", "plan")]
        ways = {
            "coc": lambda domain, problem, plan: validate_pddl(*files),
            "unified-planning": lambda domain, problem, plan: Unified(domain, problem).validated(plan),
            "pddl-pyvalidator": lambda domain, problem, plan: Unified(domain, problem).simulated(plan),
        }
        spent = dict.fromkeys(ways, 0.0)
        for seed in range(plans):
            domain, problem, (plan, *_) = drawn(seed)
            for path, text in zip(files, (domain, problem, plan_text(plan)), strict=True):
                path.write_text(text)
            for name, way in ways.items():
                started = time.perf_counter()
                way(domain, problem, plan)
                spent[name] += time.perf_counter() - started
    return {name: each / plans for name, each in spent.items()}


if __name__ == "__main__":
    sys.exit(main())
