"""Weights are written as the library safetensors writes them, and read as it reads them."""

import pytest
import safetensors.torch
import torch
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError
from coc_transformer.files import weights


def read(path, shapes):
    return {name: torch.from_numpy(array) for name, array in weights.read(path, shapes)}


NAMES = st.text('abz.019_é"\\', min_size=1, max_size=12)
SHAPES = st.lists(st.integers(0, 5), max_size=3)


@given(st.dictionaries(NAMES, SHAPES, max_size=6))
def test_the_bytes_are_those_of_the_library(shapes):
    state = {name: torch.randn(shape) for name, shape in shapes.items()}
    contents = weights.of_tensors(state)
    expected = safetensors.torch.save(state)
    assert b"".join(contents) == expected
    assert len(contents) == len(expected)


def test_other_layouts_and_formats_are_written_as_float32():
    matrix = torch.arange(12.0).view(3, 4)
    state = {"transposed": matrix.T, "half": matrix.half(), "double": matrix.double(), "a part": matrix[:, 1:3]}
    plain = {name: tensor.float().contiguous() for name, tensor in state.items()}
    assert b"".join(weights.of_tensors(state)) == safetensors.torch.save(plain)


@given(st.dictionaries(NAMES, SHAPES, min_size=1, max_size=6))
def test_what_the_library_writes_is_read(tmp_path_factory, shapes):
    state = {name: torch.randn(shape) for name, shape in shapes.items()}
    path = tmp_path_factory.mktemp("weights") / "it.safetensors"
    safetensors.torch.save_file(state, path)
    found = read(path, {name: tuple(shape) for name, shape in shapes.items()})
    assert found.keys() == state.keys()
    assert all(torch.equal(found[name], tensor) for name, tensor in state.items())


def test_each_part_of_a_tensor_is_read_and_checked(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "_PART", 7)
    state = {"it": torch.arange(30.0)}
    path = tmp_path / "it.safetensors"
    path.write_bytes(b"".join(weights.of_tensors(state)))
    assert torch.equal(read(path, {"it": (30,)})["it"], state["it"])
    for place in (0, 6, 7, 28, 29):
        broken = {"it": state["it"].clone().index_fill(0, torch.tensor(place), float("nan"))}
        path.write_bytes(b"".join(weights.of_tensors(broken)))
        with pytest.raises(ArtefactError, match="the tensor 'it' contains a number that is not finite"):
            read(path, {"it": (30,)})


def test_a_file_that_is_cut_while_it_is_read_is_refused(tmp_path):
    state = {name: torch.zeros(1 << 16) for name in "ab"}
    path = tmp_path / "it.safetensors"
    path.write_bytes(b"".join(weights.of_tensors(state)))
    tensors = weights.read(path, dict.fromkeys("ab", (1 << 16,)))
    assert next(tensors)[0] == "a"
    with path.open("r+b") as file:
        file.truncate(1 << 18)
    with pytest.raises(ArtefactError, match="became shorter while it was read"):
        next(tensors)
