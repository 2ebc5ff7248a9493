"""How fast coc trains a model of transformers, compared with the library's own Trainer. It needs accelerate.

    python benchmarks/trainer.py [--network hf:examples/llama.json] [--steps 30] [--rounds 4]

Both train the same network on batches of the same pairs, Hanoi on a stack, with AdamW in float32: coc with `coc train`'s
loop, the Trainer with batches that are padded to their longest pair, and labels on the targets only. The two take turns,
round by round, and are timed in processor time. Speed is in tokens a second, without padding; quote the ratio.
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import transformers
from attrs import evolve
from transformers import Trainer, TrainingArguments

from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.trainer import TrainingJob, TrainingSet
from coc_problems import closure
from coc_transformer.batches import Examples, tokenise
from coc_transformer.causal import PREFIX, CausalArchitecture
from coc_transformer.snapshots import Progress, working_folder
from coc_transformer.tokenizer import PAD, TextTokenizer
from coc_transformer.training.hardware import hardware, training_device
from coc_transformer.training.loop import train
from coc_transformer.training.optimise import Learner
from coc_transformer.training.presets import choose
from coc_transformer.training.task import Task

LARGEST = 20  # disks


class Rows(torch.utils.data.Dataset):
    """The pairs as the Trainer takes them."""

    def __init__(self, examples: Examples) -> None:
        ends = zip(examples.starts[:-1], examples.starts[1:], examples.target_starts, strict=True)
        self._rows = [(examples.ids[begin:end].tolist(), int(target)) for begin, end, target in ends]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> tuple[list[int], int]:
        return self._rows[index]


class Padded:
    """Batches of rows, padded on the right; `tokens` counts those that are no padding."""

    tokens = 0

    def __call__(self, rows: list[tuple[list[int], int]]) -> dict[str, torch.Tensor]:
        longest = max(len(ids) for ids, _ in rows)
        self.tokens += sum(len(ids) - 1 for ids, _ in rows)
        return {
            "input_ids": torch.tensor([ids + [PAD] * (longest - len(ids)) for ids, _ in rows]),
            "attention_mask": torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in rows]),
            "labels": torch.tensor(
                [[-100] * start + ids[start:] + [-100] * (longest - len(ids)) for ids, start in rows]
            ),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="hf:examples/llama.json")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=4)
    chosen = parser.parse_args()
    transformers.logging.set_verbosity_error()
    architecture = CausalArchitecture.of(chosen.network.removeprefix(PREFIX))
    overrides = {"steps": str(chosen.steps * chosen.rounds), "warmup": "20"}
    config = choose("small", overrides, 0, architecture)
    setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
    pairs = list(closure(setting.convention, [setting.domain.problem(n) for n in range(1, LARGEST + 1)]))
    tokenizer = TextTokenizer.train(pairs, config.vocab, config.min_frequency, tokens=config.tokens)
    model = config.made(tokenizer.size)
    examples = tokenise({0: pairs}, tokenizer)
    seconds, tokens, losses = [0.0, 0.0], [0, 0], [0.0, 0.0]
    device = training_device()
    with (
        hardware(device, model, "float32") as machine,
        TemporaryDirectory() as folder,
        working_folder(Path(folder) / "ours", "", resume=False) as place,
    ):
        place.begin()
        print(f"{len(pairs):,} pairs, {model.parameters():,} parameters, batches of {config.batch_size}")
        ours, theirs = (Learner.new(model, config, tokenizer.kinds(), device) for _ in range(2))
        job = TrainingJob("causal-lm", [TrainingSet("hanoi/stack", pairs)], Path(folder), "small")
        progress = Progress()
        for number in range(1, chosen.rounds + 1):
            seen = []
            task = Task.of(job, ["hanoi/stack"], config, tokenizer, machine, place, seen.append)
            task = evolve(task, steps=chosen.steps * number)
            begun = time.process_time()
            progress = train(task, ours, progress)
            seconds[0] += time.process_time() - begun
            tokens[0], losses[0] = progress.tokens, seen[-1].loss
            batches = Padded()
            arguments = TrainingArguments(
                output_dir=folder,
                max_steps=chosen.steps,
                per_device_train_batch_size=config.batch_size,
                learning_rate=config.lr,
                weight_decay=config.weight_decay,
                lr_scheduler_type="cosine",
                warmup_steps=20,
                logging_steps=chosen.steps,
                save_strategy="no",
                report_to="none",
                disable_tqdm=True,
                remove_unused_columns=False,
                dataloader_drop_last=True,
                use_cpu=device.type == "cpu",
            )
            trainer = Trainer(theirs.model.module, arguments, batches, Rows(examples))
            begun = time.process_time()
            losses[1] = trainer.train().training_loss
            seconds[1] += time.process_time() - begun
            tokens[1] += batches.tokens
    for name, count, took, loss in zip(("coc", "Trainer"), tokens, seconds, losses, strict=True):
        print(f"{name:<8} {count / took:>9,.0f} tokens/s   {took:>6.1f} s   loss {loss:.4f}")
    print(f"ratio    {(tokens[0] / seconds[0]) / (tokens[1] / seconds[1]):.2f}x")


if __name__ == "__main__":
    main()
