"""The number format of a training: which is chosen."""

import platform
from pathlib import Path

import torch

from coc_transformer.training import hardware as module
from coc_transformer.training.hardware import hardware, processor_name
from coc_transformer.training.presets import PRESETS
from tests.support.for_each import for_each

CPU = torch.device("cpu")


def chosen(precision):
    """What is chosen for a training in this precision on a CPU."""
    with hardware(CPU, PRESETS["small"].model, precision) as machine:
        return machine


@for_each("instructions", [True, False])
@for_each("precision", ["auto", "float32", "bfloat16"])
def test_bfloat16_is_float32_without_instructions(precision, instructions, monkeypatch):
    monkeypatch.setattr(module, "multiplies_bfloat16", lambda: instructions)
    machine = chosen(precision)
    assert machine.precision == ("bfloat16" if precision == "bfloat16" and instructions else "float32")
    assert str(machine).endswith(f", {machine.precision}")


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
    with hardware(torch.device("mps"), PRESETS["small"].model, "auto") as machine:
        assert (machine.name, machine.precision, str(machine)) == ("MPS", "float32", "MPS, float32")
        assert machine.costs.overhead > chosen("float32").costs.overhead
