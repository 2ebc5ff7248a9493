"""The device for inference."""

import pytest
import torch

from coc_core.errors import UsageError
from coc_transformer.model import Decoder
from coc_transformer.model.reader import Reader
from coc_transformer.network import base as device
from coc_transformer.tokenizer import FIELD, ITEM
from coc_transformer.training.hyperparameters import choose
from tests.plugins.coc_transformer.conftest import opened
from tests.support.for_each import for_each


@pytest.fixture
def two_gpus(monkeypatch):
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "device_count", lambda: 2)


@for_each(
    "name, expected",
    [(None, "cpu"), ("", "cpu"), ("cpu", "cpu"), ("cuda", "cuda:0"), ("cuda:0", "cuda:0"), ("cuda:1", "cuda:1")],
)
def test_it_is_the_one_that_is_named_as_torch_does_or_the_cpu(monkeypatch, two_gpus, name, expected):
    monkeypatch.delenv("COC_DEVICE", raising=False)
    if name is not None:
        monkeypatch.setenv("COC_DEVICE", name)
    assert device.inference_device() == torch.device(expected)


@for_each("name", ["cuda:2", "gpu", "meta", "cpu:1", "\n" * 99])
def test_a_device_that_is_not_there_is_a_usage_error(monkeypatch, two_gpus, name):
    monkeypatch.setenv("COC_DEVICE", name)
    with pytest.raises(UsageError, match=r"COC_DEVICE=.*finds no such device here") as caught:
        device.inference_device()
    assert "cpu, cuda, cuda:0, cuda:1" in caught.value.remedy


def test_what_the_record_says(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda which: "a large one")
    assert device.device_name(torch.device("cuda", 1)) == "cuda:1, a large one"
    assert device.device_name(torch.device("mps")) == "mps"


@torch.inference_mode()
def test_nothing_is_computed_elsewhere():
    """On a device that stores no numbers, any tensor that lies on the CPU is an error."""
    config = choose("exact", {"positions": "rotary", "token_shift": "2", "layers": "2"}).model
    with torch.device("meta"):
        model = Decoder(config, [FIELD, ITEM] * (config.vocab // 2)).to("meta")
    ids = torch.zeros(2, 5, dtype=torch.long, device="meta")
    assert model(ids).device == model.device == torch.device("meta")
    reader = Reader(model.folded, [[0] * 5, [0] * 3])
    for rows in [[0] * 5, [0] * 3], [[0], [0]]:
        with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):  # the last thing it does
            reader.read(rows)
    reader.keep([1])


@pytest.mark.skipif(not torch.accelerator.is_available(), reason="needs a GPU")
def test_a_gpu_gives_the_same_targets(toy_checkpoint, toy_pairs, monkeypatch):
    here = opened(toy_checkpoint)
    monkeypatch.setenv("COC_DEVICE", torch.accelerator.current_accelerator().type)
    there = opened(toy_checkpoint)
    assert there.record["device"]
    prompts = [pair.prompt for pair in toy_pairs]
    for drafts in (None, [pair.target for pair in toy_pairs], ["PUSH"] * len(toy_pairs)):
        assert there.complete(prompts, drafts=drafts) == here.complete(prompts, drafts=drafts)
