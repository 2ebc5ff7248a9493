"""Hyperparameters: what is read, refused and overridden, the architectures that come out, and those of shipped cards."""

import re
import shlex
from argparse import ArgumentParser

import pytest
from attrs import asdict, evolve

from coc_core.errors import UsageError
from coc_core.plugin import CheckpointSpec
from coc_core.storage import read_document, read_json
from coc_transformer.files import ModelConfig
from coc_transformer.training.hyperparameters import ATTENTION, FURTHER, GROUPS, PRESETS, SUMMARIES, choose
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

NOT_NUMBERS = ["nan", "-inf", "1_0", "٣", " 3", "+3", "03", "-0.0", "1e999", "", ".5", "0x1", "1\n"]


def test_there_are_few_hyperparameters_and_presets():
    names = [name for group in GROUPS.values() for name in group]
    assert len(names) == len(set(names)) == 16
    assert [*PRESETS["program"].stated()] == [*names, *FURTHER, "seed"]
    assert len(PRESETS) == 7
    assert PRESETS.keys() == SUMMARIES.keys()


def test_an_architecture_follows_from_few_values():
    rotary = choose("exact", {"positions": "rotary", "d_model": "128"})
    assert (rotary.model.positions, rotary.model.rotary, rotary.model.d_ff) == ("structural", 8, 512)
    assert (rotary.item_offset, rotary.digit_offset) == (40, 2)
    assert [
        choose("exact-numbers", {"digit_positions": text}).model.digit_rows for text in ("0", "63", "64", "3400")
    ] == [64, 64, 128, 4_096]


def test_each_kind_of_attention_is_another():
    models = [evolve(PRESETS["exact"], attention=name).model for name in ATTENTION]
    assert [(model.prompt_attention, model.list_attention, model.log_scaling) for model in models] == [
        (True, True, False),
        (True, True, True),
        (False, True, True),
        (True, False, True),
        (False, False, True),
    ]


@for_each(("steps", "interval"), [(1, 20), (400, 20), (4_000, 200), (50_000, 1_000)])
def test_a_training_is_measured_about_twenty_times(steps, interval):
    config = evolve(PRESETS["small"], steps=steps)
    assert config.eval_interval == interval


def test_overrides_are_parsed_by_type():
    preset = choose("small", {"layers": "2", "lr": "3e-4", "tokens": "merged", "dropout": "0.1"})
    assert (preset.model.layers, preset.model.dropout) == (2, 0.1)
    assert (preset.lr, preset.tokens) == (3e-4, "merged")


@for_each(
    ("preset", "overrides", "fault"),
    [
        ("smal", {}, "did you mean 'small'"),
        ("small", {"layer": "2"}, "unknown hyperparameter 'layer'; did you mean 'layers'"),
        (
            "small",
            {"seed": "2"},
            "unknown hyperparameter 'seed'; .*choose from above all: steps, max_len, tokens, positions;",
        ),
        ("small", {"layers": "2.5"}, "layers must be a whole number"),
        ("small", {"lr": "fast"}, "lr must be a number"),
        ("exact", {"attention": "none"}, "are not allowed: 'attention' must be in"),
        (
            "small",
            {"attention": "target"},
            "are not allowed: 'prompt_attention' and 'list_attention' can't be false with 'positions' absolute",
        ),
        *(("small", {"lr": text}, re.escape(f"lr must be a number, not {text!r}")) for text in NOT_NUMBERS),
        ("small", {"lr": "1.5"}, "are not allowed: 'lr'"),
        ("small", {"tokens": "words"}, "are not allowed: 'tokens' must be in"),
        ("small", {"score_noise": "-1"}, "are not allowed: 'score_noise' must be >= 0"),
        ("small", {"bucket_digits": "ternary"}, "are not allowed: 'bucket_digits' must be in"),
        (
            "exact",
            {"name_pool": "8"},
            "are not allowed: 'name_pool' 8 is of use to 'name_permutation' only, which is 0",
        ),
        ("small", {"heads": "3"}, "not a multiple of 'heads'"),
    ],
)
def test_a_bad_override_is_a_usage_error(preset, overrides, fault):
    with pytest.raises(UsageError, match=fault):
        choose(preset, overrides)


SHIPPED = {spec.name: REGISTRY.folder(spec) for spec in REGISTRY.specs(CheckpointSpec)}
PARSER = ArgumentParser()
PARSER.add_argument("--set", action="append", default=[])
PARSER.add_argument("--seed", type=int, default=0)


@for_each("name", SHIPPED)
def test_a_shipped_card_states_the_training_that_the_checkpoint_had(name):
    config = read_json(SHIPPED[name] / "config.json", 1 << 20)
    card = (SHIPPED[name] / "README.md").read_text("utf-8")
    (command, *_), (preset, *_) = (
        re.findall(r"^    coc train (.+)$", card, re.M),
        re.findall(r"the preset `(.+?)`", card),
    )
    given, _ = PARSER.parse_known_args(shlex.split(command))
    values = dict(text.split("=", 1) for text in given.set)
    assert ("loss_probes" in values) == (name == "blocksworld-extended")  # the hyperparameter is gone
    values.pop("loss_probes", None)
    chosen = choose(preset, values, given.seed)
    model = read_document(ModelConfig, config["model"], name, sparse=True)
    assert model == evolve(chosen.model, vocab=model.vocab)  # which depends on the pairs
    fixed = {"init": "gpt2" if preset == "small" else "fan-in", "clip": 1, "stop_exact": 0}
    expected = {**asdict(chosen), "item_offset": chosen.item_offset, "digit_offset": chosen.digit_offset, **fixed}
    known = config["training"].keys() & expected.keys()
    assert {key: config["training"][key] for key in known} == {key: expected[key] for key in known}
