"""Named sets of hyperparameters, and how single values are replaced."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, fields, frozen

from coc_core.errors import UsageError
from coc_core.registry import suggest
from coc_core.text import parse_decimal
from coc_transformer.config import ModelConfig, TrainingConfig


@frozen
class Preset:
    """A model and its training."""

    summary: str
    model: ModelConfig
    training: TrainingConfig


_SMALL = Preset(
    "under half a million parameters, a token for each digit; exact on the distinct pairs of Hanoi within minutes",
    ModelConfig(vocab=128, d_model=128, layers=2, heads=4, d_ff=512, max_len=96, dropout=0.0),
    TrainingConfig(
        steps=400,
        epochs=1_000,
        batch_size=64,
        lr=1e-3,
        warmup=50,
        weight_decay=0.1,
        clip=1.0,
        eval_interval=100,
        min_frequency=10,
        single_digits=True,
        seed=0,
    ),
)


def _paper(
    task: str, d_model: int, layers: int, heads: int, max_len: int, min_frequency: int, batch_size: int, steps: int
) -> Preset:
    """A column of the paper's two tables of hyperparameters; what follows is the same in all three columns."""
    return Preset(
        f"the paper's model and training for {task}; work for a GPU",
        ModelConfig(300, d_model, layers, heads, d_ff=4 * d_model, max_len=max_len, dropout=0.1),
        TrainingConfig(
            steps=steps,
            epochs=100,
            batch_size=batch_size,
            lr=3e-4,
            warmup=2_000,
            weight_decay=0.1,
            clip=1.0,
            eval_interval=1_000,
            min_frequency=min_frequency,
            single_digits=False,
            seed=0,
        ),
    )


PRESETS: Mapping[str, Preset] = {
    "small": _SMALL,
    "paper-hanoi": _paper("Tower of Hanoi", 384, 6, 6, 128, min_frequency=10, batch_size=64, steps=50_000),
    "paper-blocksworld": _paper("Blocksworld", 512, 8, 8, 256, min_frequency=5, batch_size=32, steps=100_000),
    "paper-pancake": _paper("the Pancake Puzzle", 512, 8, 8, 512, min_frequency=5, batch_size=32, steps=100_000),
}


def choose(name: str, overrides: Mapping[str, str]) -> Preset:
    """The preset `name` with some values replaced; UsageError for an unknown name or a value that can't be."""
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
        raise UsageError(f"these hyperparameters can't be: {error}") from None


def _parse(name: str, text: str, expected: type | None) -> Any:
    try:
        if expected is bool:
            return {"true": True, "false": False}[text.lower()]
        return parse_decimal(text) if expected is int else float(text)
    except (KeyError, ValueError):
        wanted = {bool: "true or false", int: "a whole number"}.get(expected or float, "a number")
        raise UsageError(f"{name} must be {wanted}, not {text!r}") from None
