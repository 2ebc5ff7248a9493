"""What bfloat16 is worth: drafts checked in it first, and answers decoded in it, beside float32 alone.

Prints rates over processor seconds and their ratios, whether all answers are the same, and how far rounding moved a logit.

    python tests/benchmarks/drafts.py DIR --domain hanoi --memory tape --arith inline --n 12
"""

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

import torch

from coc_core.checkpoint import read_config
from coc_core.lessons import lessons
from coc_core.registry import Registry
from coc_core.setting import Setting
from coc_transformer import checkpoint
from coc_transformer.coarse import Coarse
from coc_transformer.decode import Decoded, decode
from coc_transformer.drafts import fine

BATCH = 64  # prompts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    for name, default in (("domain", "hanoi"), ("memory", "tape"), ("arith", "inline")):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--n", type=int, default=12)
    parser.add_argument("--pairs", type=int, default=768, help="how many are checked")
    parser.add_argument("--decoded", type=int, default=12, help="how many are decoded, one by one and without drafts")
    options = parser.parse_args()
    torch.set_num_threads(1)

    setting = Setting.of(Registry.installed(), options.domain, options.memory, options.arith)
    identity, config = read_config(options.checkpoint)
    model, tokenizer = checkpoint.load(options.checkpoint, config)
    dialect = identity.dialects.index(setting.convention.dialect)
    pairs = list(islice(lessons(setting, [setting.domain.problem(options.n)]), options.pairs))
    prompts, targets = zip(*pairs, strict=True)

    def check(one_pass) -> list[Decoded]:
        some = [slice(start, start + BATCH) for start in range(0, len(pairs), BATCH)]
        return [decode(model, tokenizer, prompts[part], targets[part], dialect, one_pass) for part in some]

    def ask(dtype) -> list[Decoded]:
        with nullcontext() if dtype is None else torch.autocast("cpu", dtype=dtype):
            return [decode(model, tokenizer, [prompt], None, dialect) for prompt in prompts[: options.decoded]]

    coarse = Coarse()
    compare("drafts checked", len(pairs), lambda: check(fine), lambda: check(coarse.check))
    compare("answers decoded", options.decoded, lambda: ask(None), lambda: ask(torch.bfloat16))
    print(f"rounding moved a logit by {coarse.moved:.3f} at most, in {coarse.tried:,} tokens")


def compare(
    what: str, count: int, slow: Callable[[], Sequence[Decoded]], fast: Callable[[], Sequence[Decoded]]
) -> None:
    """Print both rates, and whether the answers and the smallest leads are the same."""
    (first, before), (second, after) = timed(slow), timed(fast)
    same = [found.texts for found in first] == [found.texts for found in second]
    leads = [min(found.margin for found in half) for half in (first, second)]
    print(
        f"{what}: {count / before:,.1f} a second in float32, {count / after:,.1f} with bfloat16, {before / after:.2f}x;"
        f" answers {'the same' if same else 'DIFFER'}, smallest leads {leads[0]:.3f} and {leads[1]:.3f}"
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
