"""Named sets of hyperparameters, and how single values are replaced."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, fields, frozen

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import parse_decimal, quoted
from coc_transformer.model import ModelConfig, TrainingConfig


@frozen
class Preset:
    """A model and its training."""

    summary: str
    model: ModelConfig
    training: TrainingConfig


_SMALL = Preset(
    "under half a million parameters, one token per digit; learns the distinct pairs of Hanoi within minutes",
    ModelConfig(
        vocab=128,
        d_model=128,
        layers=2,
        heads=4,
        d_ff=512,
        max_len=96,
        dropout=0.0,
        positions="absolute",
        token_shift=0,
    ),
    TrainingConfig(
        steps=400,
        epochs=1_000,
        batch_size=64,
        lr=1e-3,
        optimizer="adamw",
        init="gpt2",
        warmup=50,
        weight_decay=0.1,
        clip=1.0,
        loss="target",
        bucket_share=0.0,
        curriculum=0.0,
        prioritised_replay=0.0,
        loss_probes=0,
        ema=0.0,
        name_permutation=0.0,
        name_pool=0,
        item_offset=0,
        digit_offset=0,
        digit_positions=0,
        min_score_scale=1.0,
        score_noise=0.0,
        precision="auto",
        eval_interval=100,
        eval_pairs=1_000,
        final_pairs=0,
        stop_exact=0,
        snapshot_seconds=60,
        min_frequency=10,
        tokens="digits",
        seed=0,
    ),
)

_EXACT = Preset(
    "structural positions, one token per name and digit, batches stratified by kind of step; for large training sets",
    evolve(_SMALL.model, vocab=512, d_model=96, layers=3, d_ff=384, max_len=320, positions="structural"),
    evolve(
        _SMALL.training,
        steps=700,
        epochs=1_000_000,
        batch_size=128,
        lr=4e-3,
        optimizer="muon",
        init="fan-in",
        warmup=100,
        bucket_share=0.5,
        ema=0.99,
        digit_offset=2,
        min_frequency=1,
        tokens="exact",
    ),
)

_EXACT_NUMBERS = Preset(
    "for steps with larger numbers than those in training: positions by fields, binary digits at random positions",
    evolve(
        _EXACT.model,
        d_model=64,
        layers=2,
        heads=2,
        d_ff=256,
        max_len=512,
        positions="fields",
        token_shift=1,
        prompt_attention=False,
        log_scaling=True,
    ),
    evolve(
        _EXACT.training,
        steps=2_000,
        weight_decay=1.0,
        prioritised_replay=0.25,
        digit_offset=0,
        digit_positions=40,
        tokens="binary",
    ),
)

_EXACT_LISTS = Preset(
    "for steps that copy longer lists than those in training: items are found by what stands beside them",
    evolve(
        _EXACT_NUMBERS.model,
        d_model=128,
        layers=3,
        heads=4,
        d_ff=512,
        max_len=1_024,
        list_attention=False,
    ),
    evolve(
        _EXACT_NUMBERS.training,
        warmup=50,
        curriculum=0.6,
        name_permutation=1.0,
        name_pool=128,
        min_score_scale=0.3,
        eval_interval=500,
        eval_pairs=300,
        final_pairs=3_000,
        precision="bfloat16",
    ),
)

_ROTARY_LISTS = Preset(
    "`exact` for lists: wider, and trained on short steps first; it knows places in lists, and fails at longer ones",
    evolve(_EXACT.model, d_model=128, d_ff=512, token_shift=2, rotary=8),
    evolve(
        _EXACT.training,
        steps=2_000,
        lr=6e-3,
        warmup=50,
        curriculum=0.6,
        item_offset=40,
        eval_interval=500,
        eval_pairs=300,
    ),
)

_ARITHMETIC = Preset(
    "a tiny model that evaluates expressions such as NEXT_ID+2 for a planning model; needs no domain",
    evolve(_EXACT.model, d_model=64, layers=2, heads=2, d_ff=256, max_len=64, positions="fields", token_shift=1),
    evolve(  # buckets matter: the two pairs of -1 are drawn often
        _EXACT.training, steps=1_500, batch_size=256, prioritised_replay=0.4, digit_offset=0, digit_positions=40
    ),
)


def _paper(
    task: str, d_model: int, layers: int, heads: int, max_len: int, min_frequency: int, batch_size: int, steps: int
) -> Preset:
    """One column of the paper's two tables of hyperparameters; all other values are the same in all columns."""
    return Preset(
        f"the paper's model and training for {task}; needs a GPU",
        evolve(
            _SMALL.model,
            vocab=300,
            d_model=d_model,
            layers=layers,
            heads=heads,
            d_ff=4 * d_model,
            max_len=max_len,
            dropout=0.1,
        ),
        evolve(
            _SMALL.training,
            steps=steps,
            epochs=100,
            batch_size=batch_size,
            lr=3e-4,
            warmup=2_000,
            loss="all",
            eval_interval=1_000,
            min_frequency=min_frequency,
            tokens="merged",
        ),
    )


PRESETS: Mapping[str, Preset] = {
    "small": _SMALL,
    "exact": _EXACT,
    "exact-numbers": _EXACT_NUMBERS,
    "exact-lists": _EXACT_LISTS,
    "rotary-lists": _ROTARY_LISTS,
    "arithmetic": _ARITHMETIC,
    "paper-hanoi": _paper("Tower of Hanoi", 384, 6, 6, 128, min_frequency=10, batch_size=64, steps=50_000),
    "paper-blocksworld": _paper("Blocksworld", 512, 8, 8, 256, min_frequency=5, batch_size=32, steps=100_000),
    "paper-pancake": _paper("the Pancake Puzzle", 512, 8, 8, 512, min_frequency=5, batch_size=32, steps=100_000),
}


def choose(name: str, overrides: Mapping[str, str]) -> Preset:
    """A preset with some hyperparameters replaced.

    Args:
        name: The name of the preset.
        overrides: The texts of the new values, by hyperparameter.

    Raises:
        UsageError: If a name is unknown or a value is not allowed.
    """
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}", remedy=suggest(name, PRESETS))
    preset = PRESETS[name]
    changes: dict[type, dict[str, Any]] = {ModelConfig: {}, TrainingConfig: {}}
    kinds = {attribute.name: (kind, attribute.type) for kind in changes for attribute in fields(kind)}
    for field, text in overrides.items():
        if field not in kinds:
            raise UsageError(f"unknown hyperparameter {field!r}", remedy=suggest(field, kinds))
        kind, expected = kinds[field]
        changes[kind][field] = _parse(field, text, expected)
    try:
        model = evolve(preset.model, **changes[ModelConfig])
        return evolve(preset, model=model, training=evolve(preset.training, **changes[TrainingConfig]))
    except ValueError as error:
        raise UsageError(f"these hyperparameters are not allowed: {error.args[0]}") from None


_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?(e[+-]?[0-9]{1,3})?", re.ASCII)


def _parse_float(text: str) -> float:
    """Parse a finite number in decimal notation; `float` also reads `nan`, `1_0` and other scripts' digits."""
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(number) or (not number and text.startswith("-")):
        raise ValueError(f"{quoted(text, 24)} is not a number")
    return number


_READ: Mapping[type | None, Callable[[str], Any]] = {
    str: str,
    int: parse_decimal,
    float: _parse_float,
    bool: {"true": True, "false": False}.__getitem__,
}
_EXPECTED: Mapping[type | None, str] = {int: "a whole number", float: "a number", bool: "true or false"}


def _parse(name: str, text: str, expected: type | None) -> Any:
    try:
        return _READ[expected](text)
    except (ValueError, KeyError):
        raise UsageError(f"{name} must be {_EXPECTED[expected]}, not {text!r}") from None
