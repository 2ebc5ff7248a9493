"""How fast the executors are, compared with one question a step.

    python tests/benchmarks/executors.py [--repeat 3] [--disks 12] [--together 50]

Three loads: one tower on a tape with inline addresses, where every prompt is new, with the checkpoint that ships; many
BlocksWorld problems on a stack, with the reference, so that only the bookkeeping counts; and a tower of twenty disks on
a stack, where prompts come again and again, with the reference. Where each step asks a question of its own, a sample of
the steps is taken. Rates are medians of several runs; ratios of them are what to quote.
"""

import argparse
import statistics
from collections.abc import Sequence
from typing import Any

import torch
from attrs import evolve

from coc_core.executor import Cached, Executor, Sequential
from coc_core.lockstep import Lockstep
from coc_core.model import Model
from coc_core.registry import Registry
from coc_core.setting import Setting
from coc_core.speculative import Speculative
from coc_core.types import Limits

EXECUTORS: tuple[type[Executor], ...] = (Sequential, Cached, Lockstep, Speculative)
SAMPLE = 50  # steps of one question each
LARGE_SAMPLE = 100_000  # the same with the reference


def rate(executor: Executor, setting: Setting, problems: Sequence[Any], model: Model, repeat: int) -> float:
    """Steps a second."""
    rates = []
    for _ in range(repeat):
        outcomes = executor.run([setting.machine(problem) for problem in problems], model)
        rates.append(sum(outcome.steps for outcome in outcomes) / outcomes[0].seconds)
    return statistics.median(rates)


def compare(title: str, setting: Setting, problems: Sequence[Any], model: Model, repeat: int, sample: int) -> None:
    """Print one row for each executor."""
    print(f"\n{title}: {model.describe()}")
    base = 0.0
    for make in EXECUTORS:
        one_by_one = make is Sequential or (make is Cached and not setting.convention.memoryless)
        limited = evolve(setting, limits=Limits(steps=sample)) if one_by_one else setting
        found = rate(make(), limited, problems, model, repeat)
        base = base or found
        print(f"  {make.name:<12} {found:>12,.0f} steps/s {found / base:>8.2f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--disks", type=int, default=12)
    parser.add_argument("--together", type=int, default=50)
    options = parser.parse_args()
    registry = Registry.installed()
    torch.set_num_threads(1)
    hanoi = Setting.of(registry, "hanoi", "tape", "inline")
    problem = hanoi.domain.problem(options.disks)
    compare(f"hanoi, n={options.disks}, inline", hanoi, [problem], hanoi.model(), options.repeat, SAMPLE)
    blocks = Setting.of(registry, "blocksworld", "pda", "symbolic")
    problems = [blocks.domain.problem(40, seed) for seed in range(options.together)]
    title = f"blocksworld, n=40, {options.together} problems"
    compare(title, blocks, problems, blocks.model("reference"), options.repeat, LARGE_SAMPLE)
    stack = Setting.of(registry, "hanoi", "pda", "symbolic")
    compare(
        "hanoi, n=20, stack", stack, [stack.domain.problem(20)], stack.model("reference"), options.repeat, LARGE_SAMPLE
    )


if __name__ == "__main__":
    main()
