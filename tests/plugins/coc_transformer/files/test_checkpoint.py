"""A checkpoint comes back as it was written, and a broken one is named for what it is."""

import io
import json
import pickle
import re
import shutil
import subprocess
import zipfile

import pytest

from coc_core.errors import ArtefactError
from coc_core.plugin import CheckpointSpec
from coc_core.storage import SUMS
from coc_transformer.files import checkpoint
from tests.plugins.coc_transformer.conftest import opened
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY
from tests.support.special_files import KINDS, put

WEIGHTS = "model.safetensors"


def config(change):
    def apply(folder):
        values = json.loads((folder / "config.json").read_text())
        change(values)
        (folder / "config.json").write_text(json.dumps(values))

    return apply


def header(change):
    def apply(folder):
        data = (folder / WEIGHTS).read_bytes()
        end = 8 + int.from_bytes(data[:8], "little")
        values = json.loads(data[8:end])
        change(values)
        fresh = json.dumps(values).encode()
        (folder / WEIGHTS).write_bytes(len(fresh).to_bytes(8, "little") + fresh + data[end:])

    return apply


def entry(**changes):
    return header(lambda it: it["norm.bias"].update(changes))


def data(change):
    return lambda folder: (folder / WEIGHTS).write_bytes(change((folder / WEIGHTS).read_bytes()))


def zipped(_):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({"norm.bias": 1}))
    return buffer.getvalue()


def swap_offsets(values):
    """Two tensors of one size claim the same bytes, so that other bytes belong to no tensor."""
    values["norm.bias"]["data_offsets"] = values["norm.weight"]["data_offsets"]


FAULTS = {
    "no weights": (lambda folder: (folder / WEIGHTS).unlink(), "can't read .*model.safetensors: No such file"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "can't read .*tokenizer.json: No such file"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "can't read .*config.json: No such file"),
    "empty": (data(lambda old: b""), "cut off: it has 0 bytes"),
    "cut in the header": (data(lambda old: old[:100]), "cut off within its header"),
    "cut in the tensors": (data(lambda old: old[:-1]), "bytes of tensors where its header names"),
    "far too large": (
        data(lambda old: old + bytes(2 << 20)),
        "model.safetensors: it has .* bytes, and at most .* are allowed",
    ),
    "a pickle": (data(lambda old: pickle.dumps(list(range(100)))), "not a safetensors file but a pickle"),
    "a zip": (data(zipped), "not a safetensors file but a zip archive"),
    "noise": (data(lambda old: b"\x07" * 1000), "the header claims .* are allowed"),
    "header no JSON": (data(lambda old: old[:8] + b"[" + old[9:]), "the header is not strict JSON"),
    "duplicate key": (
        data(lambda old: old[:8] + old[8:].replace(b'"blocks.0.norm1.bias"', b'"blocks.1.norm1.bias"', 1)),
        "a key appears twice",
    ),
    "metadata": (header(lambda it: it.update(__metadata__={"format": "pt"})), "metadata"),
    "missing tensor": (header(lambda it: it.pop("norm.bias")), "lacks the tensor 'norm.bias'"),
    "unknown tensor": (header(lambda it: it.update(head=it["norm.bias"])), "unknown tensor 'head'"),
    "half floats": (entry(dtype="F16"), r"'dtype': 'F16'.* and must be .*'dtype': 'F32'"),
    "another shape": (entry(shape=[16, 2]), r"'shape': \[16, 2\].* and must be .*'shape': \[32\]"),
    "overlap": (header(swap_offsets), "the entry of .* and must be"),
    "infinity": (data(lambda old: old[:-4] + b"\0\0\x80\x7f"), "a number that is not finite"),
    "another vocabulary": (config(lambda it: it["model"].update(vocab=50)), "has .* tokens, and .* 'vocab' is 50"),
    "unknown key": (config(lambda it: it.update(colour=1)), "unknown key 'colour'"),
    "no model": (config(lambda it: it.pop("model")), "'model' is None, not an object"),
    "an absurd size": (config(lambda it: it["model"].update(d_model=10**9)), "'d_model' must be <="),
    "tokenizer cut": (
        lambda folder: (folder / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes()[:-40]),
        "tokenizer.json is not strict JSON",
    ),
}


@for_each("name", FAULTS)
def test_a_broken_checkpoint_is_rejected(toy_checkpoint, tmp_path, name):
    folder, (corrupt, fault) = shutil.copytree(toy_checkpoint, tmp_path / "toy"), FAULTS[name]
    corrupt(folder)
    with pytest.raises(ArtefactError, match=fault) as caught:
        opened(folder)
    line = str(caught.value)
    assert "\n" not in line
    assert str(folder) in line


def test_a_card_may_name_a_folder_whose_name_is_no_utf_8(tmp_path):
    files = dict.fromkeys(("config.json", WEIGHTS, "tokenizer.json"), b"{}")
    checkpoint.save(tmp_path / "it", files, "trained on \udcff\n")
    assert (tmp_path / "it" / "README.md").read_text() == "trained on \\udcff\n"


@for_each("name", ["config.json", WEIGHTS, "tokenizer.json"])
@for_each("kind", KINDS)
def test_a_special_file_in_a_checkpoint_is_refused_at_once(toy_checkpoint, tmp_path, name, kind):
    folder = shutil.copytree(toy_checkpoint, tmp_path / "toy")
    (folder / "SHA256SUMS").unlink(missing_ok=True)
    (folder / name).unlink()
    put(folder / name, kind)
    with pytest.raises(ArtefactError, match=rf"can't read .*{name}: (it is not a regular file|Is a directory)"):
        opened(folder)
    with pytest.raises(ArtefactError, match=rf"can't read .*{name}: (it is not a regular file|Is a directory)"):
        checkpoint.fingerprint(folder)


@for_each("name", ["config.json", WEIGHTS, "tokenizer.json"])
def test_a_changed_file_is_refused_and_without_sums_gives_another_fingerprint(toy_checkpoint, tmp_path, name):
    """Each change gives a checkpoint that is well formed."""
    folder = shutil.copytree(toy_checkpoint, tmp_path / "toy")
    path, before = folder / name, checkpoint.fingerprint(folder)
    old = path.read_bytes()
    new = {
        "config.json": old.replace(b'"seed": 3', b'"seed": 1'),
        WEIGHTS: old[:-4] + b"\0\0\0\0",
        "tokenizer.json": old + b"\n",
    }[name]
    assert new != old
    path.write_bytes(new)
    for read in (opened, checkpoint.fingerprint):
        with pytest.raises(ArtefactError, match=f"{name} was changed: its SHA-256 is not the one in SHA256SUMS"):
            read(folder)
    (folder / SUMS).unlink()
    assert opened(folder).record["fingerprint"] == checkpoint.fingerprint(folder) != before


def test_all_files_have_sums(toy_checkpoint):
    for folder in (toy_checkpoint, *map(REGISTRY.folder, REGISTRY.specs(CheckpointSpec))):
        names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
        assert re.findall(r"  (.*)\n", (folder / SUMS).read_text()) == names
        subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=folder, check=True, capture_output=True)
