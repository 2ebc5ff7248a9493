"""No checkpoint takes more memory than the budget allows, and none is in memory twice."""

import json
import re
import shutil

import pytest
import torch

from coc_core.storage import read_document
from coc_transformer import continuation
from coc_transformer.decoding.backend import open_checkpoint
from coc_transformer.files import ModelConfig
from coc_transformer.files.snapshot import Progress, working_folder
from coc_transformer.model import Decoder
from coc_transformer.network import base
from coc_transformer.numpy import backend
from coc_transformer.numpy.backend import open_checkpoint as open_with_numpy
from tests.plugins.coc_transformer.conftest import opened
from tests.support.memory_growth import MIB, growth

VARIABLE = "COC_MODEL_MEMORY"
CHANGES = {
    "nine layers of 4,096": {"d_model": 4096, "layers": 9, "d_ff": 4096, "heads": 32},
    "a long context": {"d_model": 512, "layers": 64, "d_ff": 4, "max_len": 8192},
    "a wide feed-forward layer": {"d_ff": 16_384, "max_len": 8192},
    "a large vocabulary": {"vocab": 65_536, "d_model": 4096},
    "the logits of a long context": {"vocab": 65_536, "max_len": 8192},
    "token shifts": {"token_shift": 8, "d_model": 4096, "max_len": 8192},
}


@pytest.fixture(autouse=True)
def _default_budget(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def folder(toy_checkpoint, tmp_path):
    return shutil.copytree(toy_checkpoint, tmp_path / "toy")


BACKENDS = {"torch": open_checkpoint, "numpy": open_with_numpy}


def sparse(folder, **changes):
    """Make the folder that of a larger model whose weights are zeros that take no disk; gives the size of their file."""
    (folder / "SHA256SUMS").unlink(missing_ok=True)
    path = folder / "config.json"
    config = json.loads(path.read_text())
    config["model"] |= changes
    path.write_text(json.dumps(config))
    model = read_document(ModelConfig, config["model"], "it", sparse=True)
    with torch.device("meta"):
        shapes = {name: list(it.shape) for name, it in Decoder(model, [0] * model.vocab).state_dict().items()}
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + 4 * torch.Size(shape).numel()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + end)
        return file.seek(0, 2)


@pytest.mark.parametrize("name", CHANGES)
def test_a_checkpoint_that_is_too_large_is_refused_before_memory_is_taken(folder, name):
    sparse(folder, **CHANGES[name])
    found = growth(lambda: opened(folder))
    assert re.fullmatch(
        rf"ArtefactError: {folder}/config\.json: a model of [0-9,]+ parameters and [0-9,]+ tokens of context needs"
        rf" [0-9,]+ MiB of memory, and 1,024 MiB are allowed; set {VARIABLE}=[0-9]+MiB to allow it",
        found.error,
    )
    assert found.seconds < 5
    assert found.bytes < 20 * MIB


@pytest.mark.parametrize("backend", BACKENDS)
def test_weights_are_in_memory_once(folder, toy_checkpoint, backend):
    size = sparse(folder, d_model=768, layers=4, d_ff=3072, heads=8)
    assert size > 100 * MIB
    found = growth(lambda: opened(folder, BACKENDS[backend]), before=lambda: opened(toy_checkpoint, BACKENDS[backend]))
    assert not found.error
    assert found.bytes < 1.4 * size  # large pages make it more than 1.0


def test_what_was_refused_is_opened_with_the_budget_that_the_line_names(folder, monkeypatch):
    sparse(folder, d_model=256, layers=4, d_ff=1024)
    monkeypatch.setenv(VARIABLE, "8MiB")
    error = growth(lambda: opened(folder)).error
    found = re.search(f"{VARIABLE}=([0-9]+)MiB", error)
    assert found, error
    monkeypatch.setenv(VARIABLE, f"{int(found[1]) - 1}MiB")
    assert f"{VARIABLE}={found[1]}MiB" in growth(lambda: opened(folder)).error
    monkeypatch.setenv(VARIABLE, f"{found[1]}MiB")
    assert growth(lambda: opened(folder)).error == ""


def test_a_file_that_does_not_fit_the_config_takes_no_memory(folder):
    size = sparse(folder, d_model=768, layers=4, d_ff=3072, heads=8)
    path = folder / "model.safetensors"
    for end, fault in ((size - 1, "bytes of tensors where"), (20, "cut off within"), (1 << 40, "are allowed")):
        with path.open("r+b") as file:
            file.truncate(end)
        found = growth(lambda: opened(folder))
        assert found.error.startswith("ArtefactError")
        assert re.search(fault, found.error)
        assert found.seconds < 5
        assert found.bytes < 20 * MIB


@pytest.fixture(params=BACKENDS)
def wide(folder, request):
    """A model whose activations are far larger than its keys and values."""
    sparse(folder, d_ff=16_384, d_model=16, layers=1)
    return opened(folder, BACKENDS[request.param])


def test_the_working_memory_of_a_batch_is_bounded(wide, monkeypatch):
    monkeypatch.setattr(continuation, "_FLOATS", 1 << 22)
    monkeypatch.setattr(backend, "_FLOATS", 1 << 22)
    monkeypatch.setattr(base, "_FLOATS_CPU", 1 << 22)
    prompts = ["SUCC n=3 n=3 n=3"] * 100
    for work in (lambda: wide.complete(prompts), lambda: wide.complete(prompts, ["PUSH n=4"] * 100)):
        found = growth(work)
        assert not found.error
        assert found.bytes < 60 * MIB


def test_the_state_of_a_sequence_takes_no_more_than_was_checked(toy_checkpoint):
    network = opened(toy_checkpoint, open_with_numpy)._network
    reader = network.begin([[0]])
    held = (reader._store, reader._sequences._seen, reader._sequences._rows)
    assert sum(each.nbytes for each in held) <= 4 * network.config.cache_floats()


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_full_context_takes_no_more_memory_than_was_checked(folder, toy_checkpoint, monkeypatch, backend):
    sparse(folder, max_len=8192, d_model=128, layers=4, d_ff=512)
    monkeypatch.setenv(VARIABLE, "1MiB")
    needed = int(re.findall("=([0-9]+)MiB", growth(lambda: opened(folder)).error)[0]) * MIB
    monkeypatch.delenv(VARIABLE)
    prompt = "SUCC n=" + 8_180 * "1"

    def work():
        model = opened(folder, BACKENDS[backend])
        return model.complete([prompt]) + model.complete([prompt], ["PUSH n=4"])

    found = growth(
        work, before=lambda: opened(toy_checkpoint, BACKENDS[backend]).complete(["SUCC n=3"] * 2, ["", "PUSH n=4"])
    )
    assert not found.error
    assert found.bytes < needed


def test_a_snapshot_is_stored_and_read_without_a_second_copy(tmp_path):
    state = {f"weights.{number}": torch.full((1 << 21,), float(number)) for number in range(8)}  # 8 MiB each

    def store_and_load():
        with working_folder(tmp_path / "it", "job", resume=True) as folder:
            folder.store(Progress(step=3, tokens=5), state)
            for tensor in state.values():
                tensor.zero_()  # a page that is written to is one more of the child's
        before = {name: tensor.sum().item() for name, tensor in state.items()}
        assert set(before.values()) == {0.0}

    def load():
        with working_folder(tmp_path / "it", "job", resume=True) as folder:
            assert folder.load(state, 10) == Progress(step=3, tokens=5)
        assert [tensor[-1].item() for tensor in state.values()] == list(range(8))

    stored = growth(store_and_load)
    assert not stored.error
    assert stored.bytes < 100 * MIB - 2 * 8 * MIB
    loaded = growth(load)
    assert not loaded.error
    assert loaded.bytes < 64 * MIB + 2 * 8 * MIB
