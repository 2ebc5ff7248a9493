"""Measure how long composed runs take beside the model's responses, and how long a plan takes to look into.

    python benchmarks/composing.py [--model NAME] [--times 5]

For Towers of Hanoi of 10, 20, 40 and 64 disks on a stack: the number of steps, of model calls, the seconds of the run,
those of them that were not spent in the model, the microseconds that an action and a state at a random place take, and
the bytes of the plan as a grammar. Seconds are processor time, the least of
several runs, each in a new setting.
"""

import argparse
import random
import sys
import time

from coc_certify.plans import GrammarRecorder, format_plan
from coc_core.execution import Summary
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import MOST_STEPS, Limits

SIZES = (10, 20, 40, 64)
PLACES = 200


def run_once(n, choice):
    setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic", Limits(steps=MOST_STEPS))
    model, recorder, spent = setting.model(choice), GrammarRecorder(setting.domain), []
    complete = model.complete

    def timed(*arguments):
        started = time.process_time()
        try:
            return complete(*arguments)
        finally:
            spent.append(time.process_time() - started)

    model.complete = timed
    problem = setting.domain.problem(n)
    started = time.process_time()
    (outcome,) = Summary().run([setting.machine(problem, [recorder])], model)
    seconds = time.process_time() - started
    assert outcome.status == "solved"
    return outcome, seconds, seconds - sum(spent), recorder.plan(problem)


def microseconds(call, places):
    started = time.process_time()
    for place in places:
        call(place)
    return 1e6 * (time.process_time() - started) / len(places)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=None, help="by default the checkpoint that ships")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    print("  n                       steps  calls  seconds  beside the model  µs/action  µs/state  bytes")
    for n in SIZES:
        runs = [run_once(n, options.model) for _ in range(options.times)]
        outcome, _, _, plan = runs[0]
        seconds, beside = (min(run[column] for run in runs) for column in (1, 2))
        plan.state(0)  # composes the rules
        rng = random.Random(n)
        places = [rng.randrange(plan.length) for _ in range(PLACES)]
        print(
            f"{n:3} {outcome.steps:27,} {outcome.model_calls:6} {seconds:8.3f} {1000 * beside:14.1f} ms"
            f" {microseconds(plan.__getitem__, places):10.0f} {microseconds(plan.state, places):9.0f}"
            f" {len(format_plan(plan)):6,}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
