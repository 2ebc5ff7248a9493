"""The model card: what a checkpoint is, what it was trained on, and what it got right."""

import hashlib
import json
from collections.abc import Mapping, Sequence

import torch

from coc_core.data import Pair
from coc_core.training import TrainingJob, TrainingReport
from coc_transformer.config import ModelConfig, TrainingConfig


def card(
    job: TrainingJob,
    model: ModelConfig,
    training: TrainingConfig,
    result: TrainingReport,
    margin: float,
    sizes: Mapping[str, int],
) -> str:
    """The card in Markdown. `margin` is in logits, `sizes` are the bytes of the checkpoint's files by name."""
    pairs = result.train_pairs + result.heldout_pairs
    shape = f"d {model.d_model}, {model.layers} blocks, {model.heads} heads, feed-forward {model.d_ff}"
    digits = "a token for each digit" if training.single_digits else "digits merged as any other characters"
    return f"""# A transformer for {", ".join(job.identity.dialects)}

A decoder-only transformer that reads one prompt of this language and writes its target, decoded greedily.
Made by

    {job.command or "(a program, not the command line)"}

with seed {training.seed} and the preset `{job.preset}`{_overrides(job.overrides)}.

| | |
|---|---|
| answered exactly, training pairs | {result.train_exact:,} of {result.train_pairs:,} |
| answered exactly, held-out pairs | {result.heldout_exact:,} of {result.heldout_pairs:,} |
| smallest lead of a chosen token over the next best | {margin:.2f} (difference of logits) |
| parameters | {result.parameters:,}: {shape} |
| longest sequence | {model.max_len} tokens |
| vocabulary | {model.vocab} tokens, {digits} |
| files | {", ".join(f"{name} {size:,} bytes" for name, size in sizes.items())} |
| training | {result.steps:,} steps of {training.batch_size} pairs in {result.seconds:.0f} s |
| with | torch {torch.__version__}, {_device()} |

**Data.** {pairs:,} pairs of prompt and target, written by the reference model. {result.heldout_pairs:,} of them
({result.heldout_pairs / pairs:.1%}) were drawn by the seed and held out: neither the tokenizer nor the model saw them.
All pairs, training and held out, were then answered by greedy decoding and compared as text.
The pairs in order, each half as one JSON list of [prompt, target], have these SHA-256 sums:

- training `{fingerprint(job.train)}`
- held out `{fingerprint(job.heldout)}`
"""


def fingerprint(pairs: Sequence[Pair]) -> str:
    """The SHA-256 sum of the pairs as a compact JSON list of [prompt, target]."""
    return hashlib.sha256(json.dumps(pairs, separators=(",", ":")).encode()).hexdigest()


def _overrides(overrides: Mapping[str, str]) -> str:
    if not overrides:
        return ""
    return " but for " + ", ".join(f"`{name}={value}`" for name, value in overrides.items())


def _device() -> str:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"CPU, {torch.get_num_threads()} threads"
