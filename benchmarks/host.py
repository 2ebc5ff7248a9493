"""What a step of lockstep costs beside the network: texts, tokens, batches, checks.

    python benchmarks/host.py [--domain blocksworld] [--memory pda] [--n 40] [--problems 200]

Processor microseconds a step, with a network that takes no time and agrees with every draft.
"""

import argparse
import gc
import time
from itertools import chain

import numpy as np
import torch

from coc_core.execution import Lockstep
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_transformer import continuation
from coc_transformer.continuation import Ids, Prefix, agreeing
from coc_transformer.model import Decoder


def agree(_runtime: object, _logits: object, targets: Ids) -> list[Prefix]:
    """What follows the logits of a network that chooses every token of the targets."""
    chosen = np.fromiter(chain.from_iterable(targets), np.int64)
    return agreeing(chosen, np.ones(len(chosen), np.float32), targets)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="blocksworld")
    parser.add_argument("--memory", default="pda")
    parser.add_argument("--arith", default="symbolic")
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--machines", type=int, default=1_000, help="the largest number of problems at a time")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    gc.set_threshold(50_000, 20, 20)  # as the command sets it
    Decoder.hidden = lambda self, input_ids, drawn=None, selected=None: input_ids  # type: ignore[method-assign]
    Decoder.project = lambda self, x: x  # type: ignore[method-assign]
    continuation.matching = agree
    setting = Setting.of(Registry.installed(), chosen.domain, chosen.memory, chosen.arith)
    machines = [setting.machine(setting.domain.problem(chosen.n, seed)) for seed in range(chosen.problems)]
    model, executor = setting.model("torch:"), Lockstep()
    executor.max_machines = chosen.machines
    begun = time.process_time()
    outcomes = executor.run(machines, model)
    seconds = time.process_time() - begun
    assert all(outcome.status == "solved" for outcome in outcomes)
    steps = sum(outcome.steps for outcome in outcomes)
    print(f"{setting}: {steps:,} steps, {1e6 * seconds / steps:.1f} µs a step")


if __name__ == "__main__":
    main()
