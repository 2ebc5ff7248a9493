"""Sizes and settings: what is read, refused and overridden."""

import re

import pytest
from attrs import evolve

from coc_core.errors import ArtefactError, UsageError
from coc_transformer.model import ModelConfig, TrainingConfig, from_json, to_json
from coc_transformer.training.presets import PRESETS, choose
from tests.support.for_each import for_each

NOT_NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "1_0",
    "٣",
    " 3",
    "3 ",
    "+3",
    "03",
    "-0",
    "-0.0",
    "1e999",
    "",
    ".5",
    "5.",
    "0x1",
    "1\n",
]
MODEL = to_json(PRESETS["small"].model)


def test_a_config_says_nothing_of_what_older_ones_do_not_know() -> None:
    """So a checkpoint that was exported and imported again has the same files, whichever version wrote them."""
    newer = {"prompt_attention": False, "list_attention": False, "log_scaling": True, "digit_rows": 80}
    assert not newer.keys() & set(MODEL)
    changed = evolve(PRESETS["exact"].model, positions="fields", **newer)
    assert {name: to_json(changed)[name] for name in newer} == newer
    assert from_json(ModelConfig, to_json(changed), "it") == changed


@for_each("name", PRESETS)
def test_a_preset_survives_json(name: str) -> None:
    preset = PRESETS[name]
    assert from_json(ModelConfig, to_json(preset.model), "it") == preset.model
    assert from_json(TrainingConfig, to_json(preset.training), "it") == preset.training


@for_each(
    ("change", "fault"),
    [
        ({"colour": 3}, "unknown key 'colour'"),
        ({"layers": None}, "it: layers is .*, not a whole number"),
        ({"layers": True}, "it: layers is .*, not a whole number"),
        ({"layers": "4"}, "it: layers is .*, not a whole number"),
        ({"layers": 4.0}, "it: layers is .*, not a whole number"),
        ({"layers": 10**6}, "'layers' must be <= 64"),
        ({"layers": 0}, "'layers' must be >= 1"),
        ({"d_model": 4096, "layers": 64, "d_ff": 16384}, "larger than 1,000,000,000"),
        ({"dropout": float("nan")}, "'dropout' must be >= 0"),
        ({"heads": 3}, "not a multiple of 'heads' 3"),
    ],
)
def test_a_bad_model_config_is_rejected(change: dict[str, object], fault: str) -> None:
    with pytest.raises(ArtefactError, match=fault):
        from_json(ModelConfig, {**MODEL, **change}, "it")


def test_a_missing_key_and_a_list_are_rejected() -> None:
    with pytest.raises(ArtefactError, match="it lacks 'vocab'"):
        from_json(ModelConfig, {name: value for name, value in MODEL.items() if name != "vocab"}, "it")
    with pytest.raises(ArtefactError, match=r"it is \[\], not an object"):
        from_json(ModelConfig, [], "it")


def test_overrides_are_parsed_by_type() -> None:
    preset = choose("small", {"layers": "2", "lr": "3e-4", "tokens": "merged", "dropout": "0.1"})
    assert (preset.model.layers, preset.model.dropout) == (2, 0.1)
    assert (preset.training.lr, preset.training.tokens) == (3e-4, "merged")
    assert [choose("exact", {"log_scaling": text}).model.log_scaling for text in ("true", "false")] == [True, False]


@for_each(
    ("preset", "overrides", "fault"),
    [
        ("smal", {}, "did you mean 'small'"),
        ("small", {"layer": "2"}, "unknown hyperparameter 'layer'; did you mean 'layers'"),
        ("small", {"layers": "2.5"}, "layers must be a whole number"),
        ("small", {"layers": "٣"}, "layers must be a whole number"),
        ("small", {"lr": "fast"}, "lr must be a number"),
        ("exact", {"log_scaling": "1"}, "log_scaling must be true or false, not '1'"),
        *(("small", {"lr": text}, re.escape(f"lr must be a number, not {text!r}")) for text in NOT_NUMBERS),
        ("small", {"lr": "1.5"}, "are not allowed: 'lr'"),
        ("small", {"weight_decay": "-0.1"}, "are not allowed: 'weight_decay'"),
        ("small", {"tokens": "words"}, "are not allowed: 'tokens' must be in"),
        ("small", {"loss": "1"}, "are not allowed: 'loss' must be in"),
        ("small", {"score_noise": "-1"}, "are not allowed: 'score_noise' must be >= 0"),
        ("small", {"bucket_share": "1.5"}, "are not allowed: 'bucket_share' must be <= 1"),
        (
            "exact",
            {"loss_probes": "8"},
            "are not allowed: 'loss_probes' 8 are of use to 'prioritised_replay' only, which is 0",
        ),
        (
            "exact",
            {"name_pool": "8"},
            "are not allowed: 'name_pool' 8 is of use to 'name_permutation' only, which is 0",
        ),
        ("small", {"heads": "3"}, "not a multiple of 'heads'"),
    ],
)
def test_a_bad_override_is_a_usage_error(preset: str, overrides: dict[str, str], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        choose(preset, overrides)


def test_the_papers_tables() -> None:
    hanoi, blocksworld, pancake = (PRESETS[f"paper-{name}"] for name in ("hanoi", "blocksworld", "pancake"))
    assert [p.model.max_len for p in (hanoi, blocksworld, pancake)] == [128, 256, 512]
    assert [p.training.min_frequency for p in (hanoi, blocksworld, pancake)] == [10, 5, 5]
    assert [p.training.batch_size for p in (hanoi, blocksworld, pancake)] == [64, 32, 32]
    assert [p.training.steps for p in (hanoi, blocksworld, pancake)] == [50_000, 100_000, 100_000]
    assert {p.model.d_model // p.model.heads for p in (hanoi, blocksworld, pancake)} == {64}
    assert {(p.training.loss, p.training.tokens) for p in (hanoi, blocksworld, pancake)} == {("all", "merged")}
    assert {(p.training.bucket_share, p.training.ema) for p in (hanoi, blocksworld, pancake)} == {(0, 0)}


@pytest.mark.parametrize("text", ["3e-4", "0.0003", "1e-05", "0", "1e+22"])
def test_a_number_is_read_as_it_is_meant(text: str) -> None:
    preset = choose("small", {"weight_decay": text}) if float(text) <= 1 else None
    assert preset is None or preset.training.weight_decay == float(text)
