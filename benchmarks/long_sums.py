"""Sums far longer than the addresses of a machine, as a test of the network that learned short ones.

    python benchmarks/long_sums.py CHECKPOINT [--digits 19,50,100,200,500,1000] [--sums 30] [--seed 0]
        [--plot FILE --trained 4]

The checkpoint speaks address arithmetic in binary digits. A register holds a number of so many decimal digits, and the
network adds 0 to 3 to it. Half of the numbers are drawn; in the others a carry runs over some of the digits, over all of
them at most. Texts end at 599 digits, so the prompts are made of tokens. A sum is exact if every token of its target,
[EOS] too, is the most likely one at its position, which is the one that greedy decoding chooses. Prints a row for each
number of digits, with the number of wrong tokens and the smallest logit margin of an exact sum, and the first sum that is
not exact. `--plot` draws
the shares, with a line at the number of digits that the model was trained on.
"""

import argparse
import random
from pathlib import Path

import torch

from coc_core.models import read_config
from coc_learn.measure.figure import Curve, draw_curves
from coc_problems import parse_sizes
from coc_transformer.model import load_decoder
from coc_transformer.tokenizer import EOS
from coc_transformer.tokenizer.tokens import NOTATIONS
from coc_view.drawing import check_figure, write_figure

REGISTERS = ("NEXT_ID", "PTR", "prev")


def drawn(rng, digits):
    """A number of so many decimal digits; half of them end in ones, in binary."""
    number = rng.randrange(10 ** (digits - 1), 10**digits)
    if rng.random() < 0.5:
        ones = (1 << rng.randint(1, number.bit_length())) - 1
        number = min(number | ones, 10**digits - 1)
    return number


def binary(tokenizer, number):
    """The ids of a number's binary digits, units first."""
    zero, one = tokenizer.encode("0"), tokenizer.encode("1")
    return [token for digit in f"{number:b}"[::-1] for token in (one if digit == "1" else zero)]


def sequence(tokenizer, register, number, offset):
    """The ids of a prompt and of its target, and where the target begins."""
    context = tokenizer.context(f"{register}=0 {register}" + (f"+{offset}" if offset else ""))
    place = context.index(*tokenizer.encode("0"))
    prompt = [*context[:place], *binary(tokenizer, number), *context[place + 1 :]]
    return [*prompt, *binary(tokenizer, number + offset), EOS], len(prompt)


def margins(decoder, ids, start):
    """By how much each of the target's tokens leads; below 0 if another one is the most likely."""
    row = torch.tensor([ids])
    selected = torch.arange(start - 1, row.shape[1] - 1)
    logits = decoder.project(decoder.hidden(row, selected=selected))
    right = logits.gather(1, row[0, start:, None])
    others = logits.scatter(1, row[0, start:, None], -torch.inf).amax(1)
    return right[:, 0] - others


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--digits", default="19,50,100,200,500,1000")
    parser.add_argument("--sums", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--trained", type=int, default=4)
    options = parser.parse_args()
    sizes = parse_sizes(options.digits)
    if options.plot:
        check_figure(options.plot)
    decoder, tokenizer = load_decoder(options.checkpoint, read_config(options.checkpoint)[1])
    if tokenizer.notation is not NOTATIONS["binary"]:
        parser.error("the checkpoint's tokens are not binary digits")
    print("| digits | exact | wrong tokens | smallest margin |\n|---|---|---|---|")
    wrong, points = "", []
    for digits in sizes:
        rng, exact, tokens, missed = random.Random(f"{options.seed} {digits}"), [], 0, 0
        for _ in range(options.sums):
            register, number, offset = rng.choice(REGISTERS), drawn(rng, digits), rng.randrange(4)
            found = margins(decoder, *sequence(tokenizer, register, number, offset))
            tokens += len(found)
            missed += (found <= 0).sum().item()
            if found.min() > 0:
                exact.append(found.min().item())
            elif not wrong:
                wrong = f"not exact: {register}={number:#x} {register}+{offset}"
        points.append((digits, len(exact), options.sums))
        print(
            f"| {digits:,} | {len(exact)} of {options.sums} | {missed:,} of {tokens:,} | {min(exact, default=0):.2f} |",
            flush=True,
        )
    print(wrong)
    if options.plot:
        curve, trained = Curve("exact sums", points), range(1, options.trained + 1)
        title = "learned addition, size: decimal digits"
        write_figure(options.plot, lambda form: draw_curves([curve], title, trained, form))


if __name__ == "__main__":
    main()
