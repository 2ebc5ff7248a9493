"""What a training on some pairs takes: its command, its tokens, and an estimate of its time."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from coc_check.doctor.diagnosis import Diagnosis
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import format_sizes
from coc_learn.datasets import DatasetSpec
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training import PRESETS

PRESET = "exact-numbers"
_SPECIALS = 3  # tokens of each sequence that stand for no text
_RATE = 25e9
"""The floating-point operations that one core computes a second."""


@frozen
class Lengths:
    """The lengths of pairs in tokens.

    Attributes:
        tokens: The tokens of all pairs.
        prompt: Those of the longest prompt.
        sequence: Those of the longest pair.
    """

    tokens: int
    prompt: int
    sequence: int

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "Lengths":
        """The lengths with a tokenizer that is trained on the pairs, as a training does."""
        preset = PRESETS[PRESET]
        tokenizer = TextTokenizer.train(pairs, preset.vocab, preset.min_frequency, tokens=preset.tokens)
        each = [(len(tokenizer.encode(pair.prompt)), len(tokenizer.encode(pair.target))) for pair in pairs]
        sums = [prompt + target + _SPECIALS for prompt, target in each]
        return cls(sum(sums), max(prompt for prompt, _ in each), max(sums))


@frozen
class Plan:
    """A training.

    Attributes:
        command: The command line.
        steps: The optimiser steps.
        seconds: The time that they take on one core, estimated.
    """

    command: str
    steps: int
    seconds: float


def plan(setting: Setting, spec: DatasetSpec, found: Diagnosis, lengths: Lengths, plugins: Iterable[Path]) -> Plan:
    """A training on the pairs that were found: on all of a finite list, else with some held out."""
    preset, changes = PRESETS[PRESET], dict[str, int]()
    if found.listed:
        # 67 pairs were learned after 140 steps, and 3,133 after 340.
        changes = {"name_permutation": 0, "steps": _rounded_up(200 + len(found.pairs) // 5)}
    if lengths.sequence > preset.max_len:
        changes["max_len"] = _rounded_up(lengths.sequence)
    steps = changes.get("steps", preset.steps)
    operations = 6 * 12 * preset.layers * preset.d_model**2 * preset.batch_size * lengths.tokens / len(found.pairs)
    return Plan(_command(setting, spec, found.listed is not None, changes, plugins), steps, steps * operations / _RATE)


def _command(
    setting: Setting, spec: DatasetSpec, finite: bool, changes: Mapping[str, int], plugins: Iterable[Path]
) -> str:
    name = setting.domain.name
    words = ["coc", "train", "-d", name, "-m", setting.memory.name, "-a", setting.arithmetic.name]
    words += ["-n", format_sizes(spec.sizes), "--instances", str(spec.instances)]
    for path in plugins:
        words += ["--plugin", str(path)]
    words += ["--holdout", "0"] if finite else []
    words += ["--preset", PRESET]
    for key, value in changes.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, "-o", f"{name}-checkpoint"])


def _rounded_up(number: int) -> int:
    """The next number of hundreds."""
    return -(-number // 100) * 100
