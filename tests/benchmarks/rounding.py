"""How far float32 really is off, beside the bound that `coc certify` puts on it.

`python tests/benchmarks/rounding.py --passes 1000` evaluates targets of the shipped Hanoi model on a stack in float32,
in batches of 1 to 128, with 1 or 2 threads, fused and unfused attention, and the hidden units in random order.
"""

import argparse
import copy
import random

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from coc_core.models import Pair, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_transformer.model import checkpoint
from coc_transformer.rounding import target_margin

PROMPTS = ("INSTR CALL n=64 src=1 dst=3 aux=2", "INSTR CALL n=5 src=2 dst=1 aux=3", "INSTR MOVE d=64 src=3 dst=2")


def shuffled(decoder, generator):
    """The same function with its hidden units in another order, and so its sums."""
    other = copy.deepcopy(decoder)
    for block in other.blocks:
        order = torch.randperm(len(block.up.weight), generator=generator)
        block.up.weight.data, block.up.bias.data = block.up.weight[order], block.up.bias[order]
        block.down.weight.data = block.down.weight[:, order]
    return other.float()


def differences(decoder, ids, first, target):
    logits = decoder(ids)[:, first - 1 :].double()
    return logits.gather(2, target.expand(len(ids), -1)[..., None]) - logits


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=1000)
    passes = parser.parse_args().passes
    registry, rng = Registry.installed(), random.Random(0)
    spec = next(spec for spec in registry.specs(CheckpointSpec) if spec.name == "hanoi-pda")
    folder = registry.folder(spec)
    decoder, tokenizer = checkpoint.load(folder, read_config(folder)[1])
    setting, exact = Setting.of(registry, "hanoi", "pda", "symbolic"), copy.deepcopy(decoder).double()
    print("| prompt | bound | largest difference | ratio |\n|---|---|---|---|")
    for prompt in PROMPTS:
        ids, first = tokenizer.example(Pair(prompt, setting.convention.target_for(prompt)))
        bound, target = target_margin(exact, ids[:first], ids[first:]).bound, torch.tensor(ids[first:])
        rows, largest = torch.tensor([ids[:-1]]), 0.0
        reference, generator = differences(exact, rows, first, target), torch.Generator().manual_seed(0)
        for _ in range(passes):
            torch.set_num_threads(rng.choice([1, 2]))
            batch = rows.expand(rng.choice([1, 2, 3, 8, 31, 128]), -1)
            with sdpa_kernel(rng.choice([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION])):
                found = differences(shuffled(decoder, generator), batch, first, target)
            largest = max(largest, (found - reference).abs().max().item())
        print(f"| `{prompt}` | {bound:.4f} | {largest:.2e} | {bound / largest:,.0f} |")
        assert largest < bound


if __name__ == "__main__":
    main()
