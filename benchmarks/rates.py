"""Steps a second of each executor, and of its model alone: one prompt at a time, and 64.

    OMP_NUM_THREADS=1 python benchmarks/rates.py [--domain hanoi --memory tape --arith symbolic --n 12]

`--device cuda` runs them on a GPU.
"""

import argparse
import time
from contextlib import nullcontext
from itertools import islice
from threading import Timer

from coc_core.memories import Reference
from coc_core.models import on_device
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs

TOGETHER = 64


def driven(fresh, executor, model, seconds):
    """How many steps a second an executor takes; what runs then is interrupted."""
    steps, begun = 0, time.perf_counter()
    while (left := begun + seconds - time.perf_counter()) > 0:
        machines = [machine.fork() for machine in fresh]
        timer = Timer(left, lambda some: [each.interrupt() for each in some], [machines])
        timer.start()
        steps += sum(outcome.steps for outcome in executor.run(machines, model))
        timer.cancel()
    return steps / (time.perf_counter() - begun)


def called(complete, prompts, together, seconds):
    """How many prompts a second are completed, so many together."""
    calls, begun = 0, time.perf_counter()
    while time.perf_counter() < begun + seconds:
        start = calls % len(prompts)
        calls += len(complete(prompts[start : start + together]))
    return calls / (time.perf_counter() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("domain", "hanoi"), ("memory", "tape"), ("arith", "symbolic"), ("model", None)):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--device", help="by default the CPU")
    parser.add_argument("--n", type=int, default=12)
    parser.add_argument("--problems", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each row is measured")
    options = parser.parse_args()
    registry, seconds = Registry.installed(), options.seconds
    setting = Setting.of(registry, options.domain, options.memory, options.arith)
    problems = [setting.domain.problem(options.n, seed) for seed in range(options.problems)]
    fresh = [setting.machine(problem) for problem in problems]
    with on_device(options.device) if options.device else nullcontext():
        model = setting.model(options.model)
        runners = {spec.name: registry.create(ExecutorSpec, spec.name) for spec in registry.specs(ExecutorSpec)}
        print(
            f"{'the loop alone':34}{driven(fresh, runners['cached'], Reference(setting.convention), seconds):>12,.1f}"
        )
        for name, runner in runners.items():
            if name not in ("summary", "vote"):  # the first skips steps, the second draws them
                print(f"{name:34}{driven(fresh, runner, model, seconds):>12,.1f}", flush=True)
    prompts = [pair.prompt for pair in islice(teacher_pairs(setting, problems), 256)]
    for together in (1, TOGETHER):
        name = f"the model, {together} together"
        print(f"{name:34}{called(model.complete, prompts, together, seconds):>12,.1f}", flush=True)


if __name__ == "__main__":
    main()
