"""The number format of a training: which is chosen, and that emulated bfloat16 is bfloat16."""

import json
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings, strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from coc_learn.trainer import TrainingJob
from coc_transformer.training import hardware as module
from coc_transformer.training.hardware import EmulatedBfloat16, Hardware, hardware, processor_name
from coc_transformer.training.presets import PRESETS
from coc_transformer.training.trainer import TransformerTrainer
from tests.support.for_each import for_each

CPU = torch.device("cpu")


def chosen(precision: str) -> Hardware:
    """What is chosen for a training in this precision on a CPU."""
    with hardware(CPU, PRESETS["small"].model, precision) as machine:
        return machine


@for_each("instructions", [True, False])
@for_each("precision", ["auto", "float32", "bfloat16"])
def test_only_bfloat16_without_instructions_is_emulated(
    precision: str, instructions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "multiplies_bfloat16", lambda: instructions)
    machine = chosen(precision)
    assert machine.precision == ("bfloat16" if precision == "bfloat16" else "float32")
    assert machine.emulated == (precision == "bfloat16" and not instructions)
    assert str(machine).endswith(", emulated bfloat16" if machine.emulated else f", {machine.precision}")


@for_each(
    "cpuinfo, sysctl, processor, name",
    [
        ("model\t\t: 17\nmodel name\t: Fast CPU @ 2 GHz \nmodel name\t: Slow\n", "", "", "Fast CPU @ 2 GHz"),
        ("Features\t: fp\n", "Apple M9\n", "arm", "Apple M9"),
        (None, "Apple M9\n", "arm", "Apple M9"),
        (None, None, "arm", "arm"),
        (None, None, "", platform.machine()),
    ],
)
def test_a_processor_has_a_name_on_each_system(
    cpuinfo: str | None, sysctl: str | None, processor: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(text: str | None) -> str:
        if text is None:
            raise FileNotFoundError
        return text

    monkeypatch.setattr(Path, "read_text", lambda *_: found(cpuinfo))
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=found(sysctl)))
    monkeypatch.setattr(platform, "processor", lambda: processor)
    assert processor_name() == name


def test_an_accelerator_without_cuda_is_used_like_one() -> None:
    with hardware(torch.device("mps"), PRESETS["small"].model, "auto") as machine:
        assert (machine.name, machine.precision, str(machine)) == ("MPS", "float32", "MPS, float32")
        assert machine.costs.overhead > chosen("float32").costs.overhead


@settings(max_examples=50, deadline=None)
@given(st.tuples(*[st.integers(1, 9)] * 3), st.integers(0, 2**32 - 1))
def test_products_are_those_of_exact_sums_rounded(shape: tuple[int, int, int], seed: int) -> None:
    """Small whole numbers: each sum is exact in float32, so nothing but the last rounding changes it."""
    rows, inner, columns = shape
    generator = torch.Generator().manual_seed(seed)
    left, right, batch, bias = (
        torch.randint(-99, 100, size, generator=generator).double()
        for size in ((rows, inner), (inner, columns), (3, inner, columns), (columns,))
    )
    halves = [each.bfloat16() for each in (left, right, batch, bias)]
    with EmulatedBfloat16():
        emulated = (
            halves[0] @ halves[1],
            torch.addmm(halves[3], halves[0], halves[1], alpha=2),
            torch.bmm(halves[0].expand(3, rows, inner), halves[2]),
        )
    exact = left @ right, torch.addmm(bias, left, right, alpha=2), torch.bmm(left.expand(3, rows, inner), batch)
    for ours, theirs in zip(emulated, exact, strict=True):
        assert ours.dtype is torch.bfloat16
        assert ours.equal(theirs.bfloat16())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_products_are_those_of_torch_but_for_the_order_of_sums(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    left, right = (torch.randn(size, generator=generator).bfloat16() for size in ((7, 33), (33, 5)))
    with EmulatedBfloat16():
        emulated = left @ right
    torch.testing.assert_close(emulated, left @ right)


def test_other_formats_are_left_alone() -> None:
    for dtype in (torch.float32, torch.float64):
        left, right = torch.randn(7, 33, dtype=dtype), torch.randn(33, 5, dtype=dtype)
        with EmulatedBfloat16():
            emulated = left @ right
        assert emulated.dtype is dtype
        assert emulated.equal(left @ right)


class _Formats(TorchDispatchMode):
    """Notes the formats of the matrices that torch multiplies."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = set[torch.dtype]()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        if func in module._PRODUCTS:
            self.seen.add(args[-1].dtype)
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("instructions", [True, False])
def test_no_bfloat16_product_is_left_in_a_training(
    toy_job: Callable[..., TrainingJob], instructions: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in the forward pass, nor in the backward pass and the optimiser, which make most of them."""
    monkeypatch.setattr(module, "multiplies_bfloat16", lambda: instructions)
    job, formats = toy_job(steps="2", precision="bfloat16", optimizer="muon"), _Formats()
    with formats:
        TransformerTrainer().train(job, lambda progress: None)
    assert (torch.bfloat16 in formats.seen) == instructions
    assert json.loads((job.out / "config.json").read_text())["training"]["precision"] == "bfloat16"
    card = (job.out / "README.md").read_text()
    assert f"1 thread, {'' if instructions else 'emulated '}bfloat16 |" in card
