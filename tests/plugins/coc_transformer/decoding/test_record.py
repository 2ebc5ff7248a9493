"""What a trained model says of itself in a run file."""

import shutil

import pytest

from coc_core.errors import ArtefactError
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import Setting
from coc_core.storage import SUMS
from coc_transformer.files.checkpoint import CONFIG, TOKENIZER, WEIGHTS, fingerprint


@pytest.fixture
def folder(tmp_path):
    registry = Registry.installed()
    shipped = next(spec for spec in registry.specs(CheckpointSpec) if "hanoi/stack" in spec.dialects)
    return shutil.copytree(registry.folder(shipped), tmp_path / "model")


def test_the_record_has_the_fingerprint_and_the_numbers_that_it_computes_with(folder):
    model = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic").model(f"torch:{folder}")
    assert set(model.record) == {"fingerprint", "torch", "dtype", "threads"}
    assert model.record["fingerprint"] == fingerprint(folder)
    assert model.record["dtype"] == "float32"


@pytest.mark.parametrize("name", [CONFIG, TOKENIZER, WEIGHTS])
def test_the_fingerprint_depends_on_each_file(folder, name):
    before = fingerprint(folder)
    (folder / SUMS).unlink()
    path = folder / name
    path.write_bytes(path.read_bytes() + b" ")
    assert fingerprint(folder) != before
    path.unlink()
    with pytest.raises(ArtefactError, match="can't read"):
        fingerprint(folder)
