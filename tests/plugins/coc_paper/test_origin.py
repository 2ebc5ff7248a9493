"""What is in a key beside the call: a change of coc's sources, of a checkpoint or of a version makes another one."""

import platform

import pytest

from coc_core.models import on_device
from coc_paper import origin
from coc_paper.origin import code, machine
from tests.support.for_each import for_each

torch = pytest.importorskip("torch")
CPU = f"({platform.machine()})"


@pytest.fixture(autouse=True)
def anew():
    yield
    code.cache_clear()
    machine.cache_clear()


def test_a_change_in_a_package_of_cocs_or_in_a_version_is_noticed(tmp_path, monkeypatch, with_plugins):
    with_plugins(("mine", "tests.broken.forgets_the_marker"))
    monkeypatch.setattr(origin, "version", lambda name: {"torch": "2.9.1+cu128", "numpy": "2.1"}[name])
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "coc_one" / "origin.py"))
    files = ("coc_one/README.md", "other/work.py", "coc_one/work.py", "coc_one/deep/checkpoint/weights")
    seen = []
    for name in (*files, *files):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("2" if (tmp_path / name).exists() else "1")
        code.cache_clear()
        seen.append(code()["sources"])
    assert seen[3] == seen[4] == seen[5]
    assert len({*seen[5:]}) == 3
    versions = {"torch": "2.9.1", "numpy": "2.1", "stranger": "1.0"}  # whatever the device
    assert code()["libraries"] == {"python": platform.python_version(), **versions}


@for_each(
    ("device", "version", "words"),
    [
        ("cuda:1", "2.9.1", ", Card cuda:1, torch 2.9.1, Python"),
        ("mps", "2.9.1", ", mps, torch 2.9.1, Python"),
        ("cpu", "2.9.1+cu128", f"{CPU}, torch 2.9.1+cu128, Python"),
        ("cuda", "2.9.1+cpu", f"{CPU}, torch 2.9.1+cpu, Python"),
        ("cuda", "", f"{CPU}, no torch, Python"),
    ],
)
def test_the_machine_is_named_with_the_gpu_that_is_used(monkeypatch, device, version, words):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: f"Card {device}")
    monkeypatch.setattr(origin, "_version", lambda _: version)
    machine.cache_clear()
    with on_device(device):
        assert words in machine()
