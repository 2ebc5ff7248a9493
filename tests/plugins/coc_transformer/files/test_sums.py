"""A checkpoint that was damaged is refused, whichever of its files it was."""

import re
import subprocess

import pytest

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_core.plugin import CheckpointSpec
from coc_core.setting import Setting
from coc_core.storage import SUMS
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.random_checkpoints import untrained

PAIRS = [Pair(f"INSTR CALL n={n}", f"OUTPUT {n}") for n in range(30)]


@pytest.fixture
def folder(tmp_path):
    setting = Setting.of(REGISTRY, "hanoi", "pda", "symbolic")
    return untrained(tmp_path / "checkpoint", [setting.convention.dialect], PAIRS)


def opened(folder):
    return Setting.of(REGISTRY, "hanoi", "pda", "symbolic").model(str(folder))


def test_a_checkpoint_has_sums_of_all_its_files(folder):
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    assert re.findall(r"  (.*)\n", (folder / SUMS).read_text()) == names
    opened(folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_changed_file_of_a_checkpoint_is_refused(folder, name):
    """Each change gives a checkpoint that is well formed."""
    path = folder / name
    old = path.read_bytes()
    new = {
        "config.json": old.replace(b'"seed": 0', b'"seed": 1'),
        "model.safetensors": old[:-4] + b"\0\0\0\0",
        "tokenizer.json": old + b"\n",
    }[name]
    assert new != old
    path.write_bytes(new)
    with pytest.raises(ArtefactError, match=f"{name} was changed: its SHA-256 is not the one in SHA256SUMS"):
        opened(folder)
    (folder / SUMS).unlink()
    opened(folder)


@for_each("spec", REGISTRY.specs(CheckpointSpec))
def test_every_checkpoint_that_ships_has_right_sums(spec):
    folder = REGISTRY.folder(spec)
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    assert re.findall(r"  (.*)\n", (folder / SUMS).read_text()) == names
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=folder, check=True, capture_output=True)
