"""Steps of towers that are too large to be run: drawn from all over the run, and compared with the policy's.

    python benchmarks/deep_steps.py [--n 21-29] [--steps 1000] [--model NAME|DIR] [--seed 0] [--plot FILE]

On a tape with inline arithmetic, a tower of n disks takes 3 * 2^(n-1) - 2 steps, nearly all with addresses of their own,
up to 805,306,365 for 29 disks. But the text of a step follows from its place in the recursion, since a call of k disks
takes 3 * (2^(k-1) - 1) addresses, whatever is in it. So a step is drawn by going down from the first call, into the first
or the second half of each; at each depth it is as likely to be the step, or its move between the halves.

First, the steps of all ways through up to 8 disks are compared with those of runs. Then it prints a row for each number
of disks, with the number of distinct steps and their largest address, and the first five wrong targets.
"""

import argparse
import random
import re
from pathlib import Path

from coc_core.memories import Reference
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_learn.measure.figure import Curve, draw_curves
from coc_problems import parse_sizes
from coc_view.drawing import check_figure, write_figure

SETTING = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
POLICY = Reference(SETTING.convention)
BATCH = 64


def addresses(k):
    """How many addresses a call of k disks takes."""
    return 3 * (2 ** (k - 1) - 1)


def place(address, free, instruction):
    """The prompt of an instruction at this address, where `free` is the first address that is not taken."""
    return f"PTR={address} NEXT_ID={free} INSTR[{address}] {instruction}"


def halves(prompt, k):
    """The prompts of the first half, of the move and of the second half of a call of k disks, k being 2 or more."""
    (target,) = POLICY.complete([prompt])
    appended = re.findall(r"APPEND\[(\d+)\] (.*)", target)
    free = 1 + int(appended[-1][0])
    later = free + addresses(k - 1)
    frees = later, later, free  # the last one appended is the first one run
    return [place(address, free, it) for (address, it), free in zip(appended, frees, strict=True)][::-1]


def first(n):
    """The prompt of the first step of n disks."""
    return SETTING.machine(SETTING.domain.problem(n)).peek()


def drawn(n, rng):
    """The prompt of a step of n disks."""
    prompt, stop = first(n), rng.randint(1, n)
    for k in range(n, stop, -1):
        prompt = rng.choice(halves(prompt, k)[::2])
    return prompt if stop == 1 or rng.random() < 0.5 else halves(prompt, stop)[1]


def everything(prompt, k):
    """The prompts of all steps of a call, in the order of a run."""
    if k == 1:
        return [prompt]
    one, move, other = halves(prompt, k)
    return [prompt, *everything(one, k - 1), move, *everything(other, k - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", default="21-29")
    parser.add_argument("--steps", type=int, default=1_000)
    parser.add_argument("--model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    sizes, model = parse_sizes(options.n), SETTING.model(options.model)
    if options.plot:
        check_figure(options.plot)
    for n in range(1, 9):
        run = [pair.prompt for pair in teacher_pairs(SETTING, [SETTING.domain.problem(n)])]
        assert sorted(everything(first(n), n)) == sorted(run)
    print("| disks | steps | largest address | wrong targets |\n|---|---|---|---|")
    points, shown = [], []
    for n in sizes:
        rng = random.Random(f"{options.seed} {n}")
        prompts = sorted({drawn(n, rng) for _ in range(options.steps)})
        wrong = []
        for start in range(0, len(prompts), BATCH):
            asked = prompts[start : start + BATCH]
            targets = POLICY.complete(asked)
            answers = zip(asked, targets, model.complete(asked, targets), strict=True)
            wrong += [(prompt, target, got) for prompt, target, got in answers if got != target]
        largest = max(int(address) for prompt in prompts for address in re.findall(r"PTR=(\d+)", prompt))
        points.append((n, len(prompts) - len(wrong), len(prompts)))
        shown += wrong
        print(f"| {n} | {len(prompts):,} | {largest:,} | {len(wrong):,} |", flush=True)
    for prompt, target, got in shown[:5]:
        print(f"\nprompt: {prompt}\ntarget: {target!r}\nmodel:  {got!r}")
    if options.plot:
        curve = Curve("exact steps", points, sampled=False)  # of few disks it is nearly all of them
        title = "hanoi on a tape, inline: steps drawn from all over the run"
        write_figure(options.plot, lambda form: draw_curves([curve], title, range(1, 16), form))


if __name__ == "__main__":
    main()
