"""Tokens a second of the model backends numpy and torch on the same prompts: alone and in batches, with and without drafts.

    OMP_NUM_THREADS=1 python benchmarks/backends.py [--domain hanoi --memory tape --arith inline --n 10 --pairs 200]

The backends take turns. Of each, the best of `--rounds` counts, in processor time, with the time of the tokenizer.
"""

import argparse
import time
from itertools import islice

import torch

from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs

TOGETHER = 64


def spent(model: Model, prompts: list[str], drafts: list[str] | None, together: int) -> tuple[float, list[str]]:
    """The seconds that targets take, and the targets."""
    begun, targets = time.process_time(), list[str]()
    for start in range(0, len(prompts), together):
        part = slice(start, start + together)
        targets += model.complete(prompts[part], None if drafts is None else drafts[part])
    return time.process_time() - begun, targets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("domain", "hanoi"), ("memory", "tape"), ("arith", "inline")):
        parser.add_argument(f"--{name}", default=default)
    for name, number in (("n", 10), ("pairs", 200), ("rounds", 5)):
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    torch.set_num_threads(1)
    setting = Setting.of(Registry.installed(), options.domain, options.memory, options.arith)
    models = {name: setting.model(f"{name}:") for name in ("numpy", "torch")}
    pairs = list(islice(teacher_pairs(setting, [setting.domain.problem(options.n)]), options.pairs))
    prompts, targets = [pair.prompt for pair in pairs], [pair.target for pair in pairs]
    tokens = sum(len(models["torch"].encode(target)) + 1 for target in targets)
    print(f"{len(pairs)} prompts, {tokens:,} tokens of targets\n{'':<26} {'numpy':>9} {'torch':>9} {'ratio':>6}  right")
    for together, drafts in ((1, None), (TOGETHER, None), (1, targets), (TOGETHER, targets)):
        best, right = dict.fromkeys(models, float("inf")), True
        for _ in range(options.rounds):
            for name, model in models.items():
                seconds, found = spent(model, prompts, drafts, together)
                best[name], right = min(best[name], seconds), right and found == targets
        shown = f"{'alone' if together == 1 else f'in batches of {together}'}{', drafts' if drafts else ''}"
        speeds = [f"{tokens / best[name]:>9,.0f}" for name in models]
        print(f"{shown:<26} {' '.join(speeds)} {best['torch'] / best['numpy']:>6.2f}  {'yes' if right else 'no'}")


if __name__ == "__main__":
    main()
