"""How fast training is, compared with a plain loop over the same batches of the same model.

    python benchmarks/training.py [--preset small] [--steps 30] [--rounds 4] [--set NAME=VALUE]
                                        [--network examples/gru.py:Gru]

Both learn Hanoi on a tape with inline addresses. The plain loop pads every batch to its longest sequence, computes all
logits, makes one backward pass and one step of torch's AdamW with its defaults. The two take turns, round by round, so
that a busy machine slows both. Speed is in tokens a second of processor time, without padding; quote the ratios. The
losses are those of the last batch, after the same batches.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import teacher_pairs
from coc_learn.trainer import TrainingProgress
from coc_transformer.batches import (
    BatchSampler,
    Curriculum,
    DigitPositions,
    Examples,
    PrioritisedReplay,
    bucket_families,
    collate,
    tokenise,
)
from coc_transformer.network import named_network
from coc_transformer.snapshots import Progress
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.hardware import hardware
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.loop import train
from coc_transformer.training.optimise import CLIP, Learner, learning_rate
from coc_transformer.training.presets import choose
from coc_transformer.training.processes import ranks
from coc_transformer.training.task import Task

LARGEST = 10  # disks


def padded_step(learner: Learner, examples: Examples, rows: np.ndarray, rate: float, config: Hyperparameters) -> float:
    """A step of the plain loop; gives the loss."""
    batch = collate(examples, rows, config.loss)
    labels = torch.full(batch.input_ids.shape, -100)
    labels.view(-1)[batch.positions] = batch.labels
    loss = functional.cross_entropy(learner.model(batch.input_ids).flatten(0, 1), labels.flatten())
    (optimizer,) = learner.optimizers
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(learner.model.parameters(), CLIP)
    optimizer.step()
    return loss.item()


def timed(call: Callable[[], float]) -> tuple[float, float]:
    begun = time.process_time()
    value = call()
    return value, time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="small")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--network", help="another network than the transformer")
    chosen = parser.parse_args()
    steps = chosen.steps * chosen.rounds
    overrides = {
        "optimizer": "adamw",
        "ema": "0",
        "max_len": "256",
        "warmup": "20",
        "steps": str(steps),
    }
    overrides |= dict(value.split("=", 1) for value in chosen.set)
    config = choose(chosen.preset, overrides, architecture=chosen.network and named_network(chosen.network))
    setting = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
    pairs = list(teacher_pairs(setting, [setting.domain.problem(n) for n in range(1, LARGEST + 1)]))
    tokenizer = TextTokenizer.train(pairs, config.vocab, config.min_frequency, tokens=config.tokens)
    model = config.made(tokenizer.size)
    examples = tokenise({0: pairs}, tokenizer)
    sampler = BatchSampler(len(examples), config.batch_size, config.bucket_share, config.seed, bucket_families([pairs]))
    digits = DigitPositions(examples.longest_number(tokenizer.kinds()), 0, config.seed)
    print(
        f"{len(pairs):,} pairs of {int(examples.lengths.min())} to {int(examples.lengths.max())} tokens,"
        f" a model of {model.parameters():,} parameters, batches of {config.batch_size}"
    )
    with ranks() as processes, hardware(processes.device, model, config.precision) as machine:
        ours, plain = (Learner.new(model, config, tokenizer.kinds(), processes.device) for _ in range(2))
        groups = [
            {"params": group["params"], "weight_decay": group["weight_decay"], "betas": group["betas"]}
            for group in plain.optimizers[0].param_groups
        ]
        plain.optimizers = (torch.optim.AdamW(groups, lr=config.lr),)
        seen: list[TrainingProgress] = []
        progress, seconds, losses = Progress(), [0.0, 0.0], [0.0, 0.0]
        for number in range(1, chosen.rounds + 1):
            # A round ends where the schedule of its task ends, so the rate is that of `learning_rate` in both loops.
            steps = chosen.steps * number
            task = Task(
                config=config,
                steps=steps,
                train=examples,
                heldout=examples,
                tests=(),
                sampler=sampler,
                replay=PrioritisedReplay(len(examples), 0, config.seed),
                probes=sampler,
                names=None,
                digits=digits,
                curriculum=Curriculum.of(examples.lengths, config.curriculum * steps),
                ranks=processes,
                hardware=machine,
                working_folder=None,
                report=seen.append,
            )
            before = progress
            progress, took = timed(lambda task=task, before=before: train(task, ours, before))
            seconds[0] += took
            losses[0] = seen[-1].loss

            def rounds(task: Task = task, first: int = before.step) -> float:
                loss = 0.0
                for step in range(first + 1, task.steps + 1):
                    rate = learning_rate(step, task.steps, config)
                    loss = padded_step(plain, examples, sampler.rows(step), rate, config)
                return loss

            losses[1], took = timed(rounds)
            seconds[1] += took
    names = ("ours", "plain")
    for name, took, loss in zip(names, seconds, losses, strict=True):
        print(f"{name:<6} {progress.tokens / took:>9,.0f} tokens/s   {took:>6.1f} s   loss {loss:.4f}")
    print(f"ratio  {seconds[1] / seconds[0]:.2f}x")


if __name__ == "__main__":
    main()
