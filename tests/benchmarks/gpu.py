"""Lockstep on a GPU with its options off and on: steps a second, the share of the card's peak, host time a step.

    python tests/benchmarks/gpu.py [--device cuda] [--domain blocksworld] [--n 40] [--problems 4000] [--model torch:]

Each row runs all problems. The peak is the rate at which the card multiplies matrices of float32. All rows have the
same plans, which is checked.
"""

import argparse
import gc
import os
from functools import partial

from coc_bench.benchmark import Metered, measure, multiplications
from coc_core.execution import Lockstep
from coc_core.models import on_device
from coc_core.plugin import Registry
from coc_core.setting import Setting

ROWS = (
    ("one round in flight, 128 problems", 128, False, "float32"),
    ("one round in flight", 4_096, False, "float32"),
    ("two rounds in flight", 4_096, True, "float32"),
    ("two rounds, drafts in TF32", 4_096, True, "tf32"),
    ("two rounds, drafts in bfloat16", 4_096, True, "bfloat16"),
)
"""What a row is called, how many problems run at a time, whether rounds overlap, and the format of drafts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--domain", default="blocksworld")
    parser.add_argument("--memory", default="pda")
    parser.add_argument("--arith", default="symbolic")
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--problems", type=int, default=4_000)
    parser.add_argument("--model", default="torch:")
    parser.add_argument("--seconds", type=float, default=10.0, help="the shortest time of a row")
    chosen = parser.parse_args()
    gc.set_threshold(50_000, 20, 20)  # as the command sets it
    setting = Setting.of(Registry.installed(), chosen.domain, chosen.memory, chosen.arith)
    fresh = [setting.machine(setting.domain.problem(chosen.n, seed)) for seed in range(chosen.problems)]
    ends = set[tuple[tuple[str, int, int], ...]]()

    def run(executor: Lockstep, model: object, _seconds: float) -> int:
        machines = [machine.fork() for machine in fresh]
        outcomes = executor.run(machines, model)  # type: ignore[arg-type]
        ends.add(tuple((outcome.status, outcome.steps, outcome.actions) for outcome in outcomes))
        return sum(outcome.steps for outcome in outcomes)

    with on_device(chosen.device):
        for name, machines, overlaps, drafts in ROWS:
            os.environ["COC_DRAFTS"] = drafts
            model, executor = setting.model(chosen.model), Lockstep()
            model.overlaps, executor.max_machines = overlaps, machines
            fastest = multiplications(model)
            rate = measure(name, Metered(partial(run, executor, model), model, fastest), chosen.seconds)
            print(
                f"{name:36}{rate.per_second or 0:12,.0f} steps/s{100 * (rate.peak or 0):8.2g}% of the peak"
                f"{rate.host or 0:8.1f} µs a step on the host",
                flush=True,
            )
    assert len(ends) == 1, "the rows differ"


if __name__ == "__main__":
    main()
