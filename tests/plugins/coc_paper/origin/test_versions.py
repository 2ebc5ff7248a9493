import platform

import pytest

from coc_core.models import on_device
from coc_paper.origin import versions as machine
from tests.support.for_each import for_each

torch = pytest.importorskip("torch")


@pytest.fixture
def gpu(monkeypatch):
    """A machine with a GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: f"Card {device}")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (9, 0))
    monkeypatch.setattr(machine, "version_of", lambda _: "2.9.1+cu128")
    forget()
    yield
    forget()


def forget():
    for each in (machine.machine, machine._has_gpu, machine._gpu):
        each.cache_clear()


def test_a_training_takes_the_gpu_and_a_run_only_one_that_is_asked_for(gpu, monkeypatch):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    assert machine.hardware(trains=True) == "a GPU of compute capability 9.0"
    assert machine.hardware(trains=False) == platform.machine()
    assert ", Card cuda, torch 2.9.1+cu128, Python" in machine.machine()
    with on_device("cuda:1"):
        assert machine.hardware(trains=False) == "a GPU of compute capability 9.0"
    with on_device("cpu"):
        assert machine.hardware(trains=True) == platform.machine()


@for_each(("version", "words"), [("", "no torch, Python"), ("2.9.1+cpu", "torch 2.9.1+cpu, Python")])
def test_where_there_is_none_torch_is_not_asked(monkeypatch, version, words):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    monkeypatch.setattr(machine, "version_of", lambda _: version)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: 1 / 0)
    forget()
    assert machine.hardware(trains=True) == platform.machine()
    assert words in machine.machine()
    forget()


def test_a_gpu_that_is_not_there_is_named(monkeypatch):
    forget()
    with on_device("cuda:99"):
        assert machine.hardware(trains=True) == "cuda:99"
    forget()
