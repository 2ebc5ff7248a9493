"""How fast drafts are verified in bfloat16 first, in int8, or by compiled code, compared with float32 alone.

Prints rates over processor seconds and their ratios, whether all targets are the same, and how far rounding moved a logit.

    python tests/benchmarks/drafts.py DIR --domain hanoi --memory tape --arith inline --n 12
"""

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import torch
from torch import Tensor
from torch.nn import functional

from coc_core.models import read_config
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_transformer.continuation import Ids, Prefix
from coc_transformer.decoding import bfloat16
from coc_transformer.decoding.bfloat16 import RoundedFirst
from coc_transformer.decoding.drafts import verify_exactly
from coc_transformer.decoding.greedy import Decoded, decode
from coc_transformer.model import Decoder, load_decoder

BATCH = 64  # prompts
NARROW = 200  # outputs
WAYS = "bfloat16", "decoded", "int8", "compiled"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    for name, default in (("domain", "hanoi"), ("memory", "tape"), ("arith", "inline")):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--n", type=int, default=12)
    parser.add_argument("--pairs", type=int, default=768, help="how many are checked")
    parser.add_argument("--decoded", type=int, default=12, help="how many are decoded, one by one and without drafts")
    parser.add_argument("--only", nargs="+", choices=WAYS, default=WAYS, help="what is compared with float32")
    options = parser.parse_args()
    torch.set_num_threads(1)

    setting = Setting.of(Registry.installed(), options.domain, options.memory, options.arith)
    identity, config = read_config(options.checkpoint)
    model, tokenizer = load_decoder(options.checkpoint, config)
    dialect = identity.dialects.index(setting.convention.dialect)
    pairs = list(islice(teacher_pairs(setting, [setting.domain.problem(options.n)]), options.pairs))
    prompts, targets = zip(*pairs, strict=True)

    def check(verify_pass) -> list[Decoded]:
        some = [slice(start, start + BATCH) for start in range(0, len(pairs), BATCH)]
        return [decode(model, tokenizer, prompts[part], targets[part], dialect, verify_pass) for part in some]

    def ask(dtype) -> list[Decoded]:
        with nullcontext() if dtype is None else torch.autocast("cpu", dtype=dtype):
            return [decode(model, tokenizer, [prompt], None, dialect) for prompt in prompts[: options.decoded]]

    def in_int8() -> list[Decoded]:
        with patch.object(functional, "linear", eight_bits):
            return check(verify_exactly)

    def compiled_check(other: Decoder, rows: Ids, targets: Ids) -> list[Prefix]:
        with patch.object(other, "hidden", compiled):
            return verify_exactly(other, rows, targets)

    bfloat16_first, all_tokens, eight_bits = RoundedFirst(), RoundedFirst(), EightBits()
    compiled = torch.compile(model.hidden)  # torch 2.13 fails with dynamic=True, for the model tape-inline
    exactly = partial(check, verify_exactly)
    ways = {
        "bfloat16": ("drafts verified, bfloat16", len(pairs), exactly, lambda: check(bfloat16_first.verify)),
        "decoded": ("answers decoded, bfloat16", options.decoded, lambda: ask(None), lambda: ask(torch.bfloat16)),
        "int8": ("drafts verified, int8", len(pairs), exactly, in_int8),
        "compiled": ("drafts verified, compiled", len(pairs), exactly, lambda: check(compiled_check)),
    }
    for name in options.only:
        compare(*ways[name])
    if "bfloat16" not in options.only:
        return
    with patch.object(bfloat16, "_CALIBRATION_TOKENS", float("inf")):
        check(all_tokens.verify)
    for calibrated in (bfloat16_first, all_tokens):
        print(f"bfloat16 moved a logit by {calibrated.largest_error:.3f} at most, in {calibrated.calibrated:,} tokens")


class EightBits:
    """`functional.linear` with weights and inputs rounded to eight bits, but for narrow matrices."""

    def __init__(self) -> None:
        self._plain = functional.linear
        self._packed: dict[int, object] = {}

    def __call__(self, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        if len(weight) < NARROW:
            return self._plain(x, weight, bias)
        if weight.data_ptr() not in self._packed:
            scales, zeros = weight.abs().amax(1).double() / 127, torch.zeros(len(weight), dtype=torch.long)
            rounded = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
            self._packed[weight.data_ptr()] = torch.ops.quantized.linear_prepack(rounded, bias)
        return torch.ops.quantized.linear_dynamic(x.contiguous(), self._packed[weight.data_ptr()])


def compare(
    what: str, count: int, slow: Callable[[], Sequence[Decoded]], fast: Callable[[], Sequence[Decoded]]
) -> None:
    """Print both rates, and whether the answers and the smallest margins are the same."""
    (first, before), (second, after) = timed(slow), timed(fast)
    same = [found.texts for found in first] == [found.texts for found in second]
    margins = [min(found.margin for found in half) for half in (first, second)]
    print(
        f"{what}: {count / after:,.1f} a second, {count / before:,.1f} in float32, {before / after:.2f}x;"
        f" answers {'the same' if same else 'DIFFER'}, smallest margins {margins[0]:.3f} and {margins[1]:.3f}"
    )


def timed(work: Callable[[], Sequence[Decoded]]) -> tuple[Sequence[Decoded], float]:
    """What comes of it, and the processor seconds of the better of two."""
    seconds, found = [], work()
    for _ in range(2):
        started = time.process_time()
        found = work()
        seconds.append(time.process_time() - started)
    return found, min(seconds)


if __name__ == "__main__":
    main()
