"""How far float32 really is off, beside the bound that `coc certify` puts on it.

    python benchmarks/rounding.py [--passes 100000] [--seed 0]

Each pass evaluates a target of the shipped Hanoi model on a stack in float32. Drawn anew for each are the size of the
batch, from 1 to 128, mostly at most 4; one thread, or sometimes two; fused or unfused attention. Drawn anew for each
four, one of each prompt, are the orders of the features of the residual stream, of the hidden units and of the features
of each head, and so of all sums. Prints the largest difference from float64 for each prompt, also if it is interrupted,
and exits with 1 if one is above the bound.
"""

import argparse
import copy
import random
import sys
import time

import torch
from attrs import define
from torch.nn.attention import SDPBackend, sdpa_kernel

from coc_core.models import Pair, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_transformer.model import load_decoder
from coc_transformer.rounding import target_margin

PROMPTS = (
    "INSTR CALL n=64 src=1 dst=3 aux=2",
    "INSTR CALL n=5 src=2 dst=1 aux=3",
    "INSTR MOVE d=64 src=3 dst=2",
    "INSTR CALL n=1 src=3 dst=1 aux=2",
)
PASSES = len(PROMPTS)  # with the same order of features
FEW, MOST = 4, 128  # rows of a batch
SEVERAL, PARALLEL = 0.02, 0.1  # of all passes have more than FEW rows, and are computed by two threads


def shuffle(other, decoder):
    """Give `other` the weights of `decoder`, with all features in another order: the same function."""
    stream = torch.randperm(decoder.config.d_model)
    width = decoder.config.head_width
    with torch.no_grad():
        for own, its in ((other.tokens, decoder.tokens), *zip(other.positions, decoder.positions, strict=True)):
            own.weight.copy_(its.weight[:, stream])
        for own, its in zip(other.shifts, decoder.shifts, strict=True):
            own.weight.copy_(its.weight[stream][:, stream])
        for own, its in zip(other.blocks, decoder.blocks, strict=True):
            products, values = (_within_heads(decoder.config.heads, width) for _ in range(2))
            units = torch.randperm(len(its.up.weight))
            rows = torch.cat([products, len(products) + products, 2 * len(products) + values])
            own.qkv.weight.copy_(its.qkv.weight[rows][:, stream])
            own.out.weight.copy_(its.out.weight[stream][:, values])
            own.up.weight.copy_(its.up.weight[units][:, stream])
            own.up.bias.copy_(its.up.bias[units])
            own.down.weight.copy_(its.down.weight[stream][:, units])
            own.down.bias.copy_(its.down.bias[stream])
            for mine, norm in ((own.norm1, its.norm1), (own.norm2, its.norm2)):
                _norm(mine, norm, stream)
        _norm(other.norm, decoder.norm, stream)


def _within_heads(heads, width):
    return torch.cat([head * width + torch.randperm(width) for head in range(heads)])


def _norm(own, its, stream):
    own.weight.copy_(its.weight[stream])
    own.bias.copy_(its.bias[stream])


def differences(decoder, ids, first, target):
    """The logit of each token of a target minus all others, (batch, target, vocab)."""
    logits = decoder.project(decoder.hidden(ids)[:, first - 1 :]).double()
    return logits.gather(2, target.expand(len(ids), -1)[..., None]) - logits


@define
class Subject:
    """A target, what float64 makes of it, and how far float32 has been off."""

    prompt: str
    rows: torch.Tensor
    first: int
    target: torch.Tensor
    bound: float
    reference: torch.Tensor
    passes: int = 0
    sequences: int = 0
    largest: float = 0.0

    def measure(self, decoder, batch):
        found = differences(decoder, self.rows.expand(batch, -1), self.first, self.target)
        self.largest = max(self.largest, (found - self.reference).abs().max().item())
        self.passes, self.sequences = self.passes + 1, self.sequences + batch


@torch.inference_mode()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passes", type=int, default=100_000, help="of all prompts together")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    registry, rng = Registry.installed(), random.Random(options.seed)
    torch.manual_seed(options.seed)
    spec = next(spec for spec in registry.specs(CheckpointSpec) if spec.name == "hanoi-pda")
    folder = registry.folder(spec)
    decoder, tokenizer = load_decoder(folder, read_config(folder)[1])
    setting, exact = Setting.of(registry, "hanoi", "pda", "symbolic"), copy.deepcopy(decoder).double()
    other, subjects, started = copy.deepcopy(decoder), [], time.process_time()
    for prompt in PROMPTS:
        ids, first = tokenizer.example(Pair(prompt, setting.convention.target_for(prompt)))
        bound, target = target_margin(exact, ids[:first], ids[first:]).bound, torch.tensor(ids[first:])
        rows = torch.tensor([ids[:-1]])
        subjects.append(Subject(prompt, rows, first, target, bound, differences(exact, rows, first, target)))
    try:
        for number in range(options.passes):
            if number % PASSES == 0:
                shuffle(other, decoder)
            torch.set_num_threads(2 if rng.random() < PARALLEL else 1)
            batch = rng.randint(FEW + 1, MOST) if rng.random() < SEVERAL else rng.randint(1, FEW)
            with sdpa_kernel(rng.choice([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION])):
                subjects[number % len(subjects)].measure(other, batch)
    except KeyboardInterrupt:
        print("interrupted")
    print(
        "| prompt | bound | passes | sequences | largest difference | bound / difference |\n|---|---|---|---|---|---|"
    )
    for each in subjects:
        print(
            f"| `{each.prompt}` | {each.bound:.4f} | {each.passes:,} | {each.sequences:,} | {each.largest:.2e}"
            f" | {each.bound / each.largest:,.0f} |"
        )
    print(f"{time.process_time() - started:,.0f} s of processor time")
    return 1 if any(each.largest > each.bound for each in subjects) else 0


if __name__ == "__main__":
    sys.exit(main())
