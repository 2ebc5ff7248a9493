"""The model card: what a checkpoint is, what it was trained on, and what it got right."""

import re
from collections.abc import Mapping, Sequence

import torch
from attrs import frozen

from coc_core.models import TrainingJob, TrainingReport
from coc_transformer.model import ModelConfig, TrainingConfig
from coc_transformer.training.measure import Measured
from coc_transformer.training.start import InitialCheckpoint

_TOKENS = {
    "merged": "digits merged as any other characters",
    "digits": "a token for each digit",
    "exact": "a token for each name and each digit, numbers from the units on",
}
_LOSSES = {"target": "the target's tokens", "all": "all tokens, the prompt's too"}


@frozen
class DialectResult:
    """What came of one dialect; `train_sha256` and `heldout_sha256` are the fingerprints of its pairs."""

    dialect: str
    source: str
    learned: Measured
    heldout: Measured
    train_sha256: str
    heldout_sha256: str


def card(
    job: TrainingJob,
    model: ModelConfig,
    training: TrainingConfig,
    total: TrainingReport,
    results: Sequence[DialectResult],
    machine: str,
    processes: int,
    sizes: Mapping[str, int],
    start: InitialCheckpoint | None,
) -> str:
    """The card in Markdown. `machine` says on what the training ran, `sizes` are the bytes of the files by name.

    The card of the checkpoint that the training began with follows it in full, as do the cards of those before.
    """
    shape = f"d {model.d_model:,}, {model.layers} blocks, {model.heads} heads, feed-forward {model.d_ff:,}"
    margin = min(half.margin for result in results for half in (result.learned, result.heldout))
    pairs = sum(len(training_sets.train) + len(training_sets.heldout) for training_sets in job.training_sets)
    together = f", {processes} processes" if processes > 1 else ""
    return f"""# A transformer for {", ".join(result.dialect for result in results)}

A decoder-only transformer that reads one prompt of {_languages(len(results))} and writes its target, decoded greedily.
{_others(results, start)}Made by

    {job.command or "(a program, not the command line)"}

with seed {training.seed} and the preset `{job.preset}`{_overrides(job.overrides)}.

| | |
|---|---|
| answered exactly, training pairs | {total.train_exact:,} of {total.train_pairs:,} |
| answered exactly, held-out pairs | {total.heldout_exact:,} of {total.heldout_pairs:,} |
| smallest lead of a token in an exact answer over the next best | {margin:.2f} (difference of logits) |
| parameters | {total.parameters:,}: {shape} |
| positions | {_positions(model)} |
| longest sequence | {model.max_len:,} tokens |
| vocabulary | {model.vocab:,} tokens, {_TOKENS[training.tokens]} |
| files | {", ".join(f"{name} {size:,} bytes" for name, size in sizes.items())} |
| training | {total.steps:,} steps of {training.batch_size:,} pairs in {total.seconds:,.0f} s |
| loss | over {_LOSSES[training.loss]} |
| drawn by strata | {training.bucket_share:.0%} of each batch |
| optimiser | {training.optimizer}, learning rate at most {training.lr}, {_first(training, start)} |
| weights | {f"an average that keeps {training.ema} at each step" if training.ema else "those of the last step"} |
| with | torch {torch.__version__}, {machine}{together} |

**Data.** {pairs:,} pairs of prompt and target. Those held out were seen neither by
the tokenizer nor by the model. {_answered(training)} then answered with these weights. An answer counts if it is the
target to the last character: every token was the likeliest one where it stands, as greedy decoding would choose it.
Of each dialect's pairs in order, each half as one JSON list of [prompt, target], the SHA-256 sum is given.

{"".join(_section(result) for result in results)}{_before(start)}"""


def _others(results: Sequence[DialectResult], start: InitialCheckpoint | None) -> str:
    """What is said of the dialects that were not learned here, but before."""
    learned = {result.dialect for result in results}
    others = [dialect for dialect in start.dialects if dialect not in learned] if start else []
    if not others:
        return ""
    return f"It had learned {', '.join(others)} before, and how much of that it has kept was not measured.\n"


def _section(result: DialectResult) -> str:
    source = f": {result.source}" if result.source else ""
    return f"""- `{result.dialect}`{source}
  - training: {_line(result.learned, result.train_sha256)}
  - held out: {_line(result.heldout, result.heldout_sha256)}
"""


def _answered(training: TrainingConfig) -> str:
    if not training.final_pairs:
        return "All pairs were"
    return f"Of either half of a dialect {training.final_pairs:,} pairs at most, drawn by the seed, were"


def _line(half: Measured, total: str) -> str:
    return f"{half.exact:,} of {half.pairs:,} exact, `{total}`"


def _languages(count: int) -> str:
    return "this language" if count == 1 else f"one of these {count} languages"


def _first(training: TrainingConfig, start: InitialCheckpoint | None) -> str:
    if start is None:
        return f"first weights drawn by `{training.init}`"
    return f"first weights from the checkpoint {start.name}, SHA-256 {start.fingerprint}"


def _before(start: InitialCheckpoint | None) -> str:
    """The card of the checkpoint that the training began with: one section for each of those before, however many."""
    if start is None:
        return ""
    lower = re.sub("^# ", "### ", start.card, flags=re.MULTILINE)
    return f"\n## The checkpoint {start.name}, with which it began\n\n{lower}"


def _positions(model: ModelConfig) -> str:
    """How a token's place is told."""
    mixed = f", the {model.token_shift} tokens in front mixed in" if model.token_shift else ""
    turning = f", {model.rotary} planes of each head turn with the place in a list" if model.rotary else ""
    ending = ", what ends a list as the place behind its last" if model.list_end_rotary else ""
    return f"{model.positions}{mixed}{turning}{ending}"


def _overrides(overrides: Mapping[str, str]) -> str:
    if not overrides:
        return ""
    return " but for " + ", ".join(f"`{name}={value}`" for name, value in overrides.items())
