"""The number format of a training: which is chosen."""

import platform
from pathlib import Path

import torch

from coc_transformer.training.hardware import hardware, processor_name
from coc_transformer.training.hyperparameters import PRESETS
from tests.support.for_each import for_each

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
