"""How weights are drawn, what moves them, and on what."""

import platform
from pathlib import Path

import pytest
import torch
from attrs import evolve

from coc_transformer.files import ModelConfig
from coc_transformer.tokenizer import FIELD
from coc_transformer.training.hardware import hardware, processor_name
from coc_transformer.training.hyperparameters import PRESETS
from coc_transformer.training.optimise import Learner
from tests.support.for_each import for_each

SHAPE = ModelConfig(
    vocab=200, d_model=64, layers=2, heads=4, d_ff=256, max_len=64, dropout=0.0, positions="structural", token_shift=2
)
KINDS = [FIELD] * SHAPE.vocab
CONFIG = evolve(PRESETS["exact"], ema=0.0, weight_decay=0.1)
DEPTH = (2 * SHAPE.layers) ** -0.5  # where a residual stream is fed
GPT2 = {"qkv": 0.02, "out": 0.02 * DEPTH, "up": 0.02, "down": 0.02 * DEPTH, "shifts": 0.02}
FAN_IN = {"qkv": 1 / 8, "out": DEPTH / 8, "up": 1 / 8, "down": DEPTH / 16, "shifts": 1 / 8}


def learner(shape=SHAPE, config=CONFIG):
    return Learner.new(shape, config, KINDS, torch.device("cpu"))


@pytest.mark.parametrize(
    ("optimizer", "positions", "inside"),
    [("adamw", "absolute", GPT2), ("muon", "absolute", FAN_IN), ("adamw", "structural", FAN_IN)],
)
def test_the_first_weights_have_their_standard_deviations(optimizer, positions, inside):
    model = learner(config=evolve(CONFIG, optimizer=optimizer, positions=positions)).model
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            expected = torch.zeros(()) if name.endswith("bias") else torch.ones(())
            assert (parameter == expected).all(), name
        else:
            part = next((part for part in inside if f".{part}." in f".{name}"), None)
            assert (part is None) == name.startswith(("tokens", "positions")), name
            expected_std = inside.get(part or "", 0.02)
            assert parameter.std().item() == pytest.approx(expected_std, rel=0.1), name
            assert abs(parameter.mean().item()) < 0.2 * expected_std, name


def groups(optimizer, model):
    """The weight decay of each group of an optimizer's parameters, and their names."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    return [
        (group["weight_decay"], {names[id(parameter)] for parameter in group["params"]})
        for group in optimizer.param_groups
    ]


def test_muon_gets_the_inner_matrices_and_adamw_the_rest():
    made = learner()
    muon, adamw = made.optimizers
    assert isinstance(muon, torch.optim.Muon)
    assert isinstance(adamw, torch.optim.AdamW)
    ((decay, inner),) = groups(muon, made.model)
    matrices = {f"blocks.{block}.{part}.weight" for block in (0, 1) for part in ("qkv", "out", "up", "down")}
    assert (decay, inner) == (0.1, matrices | {"shifts.0.weight", "shifts.1.weight"})
    (decay, outer), (none, vectors) = groups(adamw, made.model)
    assert (decay, none) == (0.1, 0.0)
    assert outer == {"tokens.weight", "positions.0.weight", "positions.1.weight", "positions.2.weight"}
    assert vectors == {name for name, parameter in made.model.named_parameters() if parameter.dim() == 1}


CPU = torch.device("cpu")


@for_each(
    "cpuinfo, processor, name",
    [
        ("model\t\t: 17\nmodel name\t: Fast CPU @ 2 GHz \nmodel name\t: Slow\n", "", "Fast CPU @ 2 GHz"),
        ("Features\t: fp\n", "arm", "arm"),
        ("", "", platform.machine()),
    ],
)
def test_a_processor_has_a_name_on_each_system(cpuinfo, processor, name, monkeypatch):
    monkeypatch.setattr(Path, "read_text", lambda *_: cpuinfo)
    monkeypatch.setattr(platform, "processor", lambda: processor)
    assert processor_name() == name


def test_an_accelerator_without_cuda_is_used_like_one():
    with (
        hardware(torch.device("mps"), PRESETS["small"].model) as machine,
        hardware(CPU, PRESETS["small"].model) as other,
    ):
        assert (machine.name, machine.bfloat16, str(machine)) == ("MPS", False, "MPS, float32")
        assert machine.costs.overhead > other.costs.overhead
