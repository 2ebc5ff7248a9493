"""The device for inference."""

from pathlib import Path

import pytest
import torch

from coc_core.errors import UsageError
from coc_core.models import Pair, read_config
from coc_transformer.decoding.backend import open_checkpoint
from coc_transformer.model import Decoder
from coc_transformer.model.reader import Reader
from coc_transformer.network import base as device
from coc_transformer.tokenizer import FIELD, ITEM
from coc_transformer.training.presets import choose


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.accelerator, "device_count", lambda: 2)


@pytest.mark.parametrize("name", [None, "", "cpu"])
def test_it_is_the_cpu_unless_another_is_named(monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    if name is None:
        monkeypatch.delenv("COC_DEVICE", raising=False)
    else:
        monkeypatch.setenv("COC_DEVICE", name)
    assert device.inference_device() == torch.device("cpu")


@pytest.mark.parametrize(("name", "index"), [("cuda", 0), ("cuda:0", 0), ("cuda:1", 1)])
def test_a_gpu_is_named_as_torch_does(monkeypatch: pytest.MonkeyPatch, two_gpus: None, name: str, index: int) -> None:
    monkeypatch.setenv("COC_DEVICE", name)
    assert device.inference_device() == torch.device("cuda", index)


@pytest.mark.parametrize("name", ["cuda:2", "gpu", "meta", "cpu:1", "\n" * 99])
def test_a_device_that_is_not_there_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, two_gpus: None, name: str
) -> None:
    monkeypatch.setenv("COC_DEVICE", name)
    with pytest.raises(UsageError, match=r"COC_DEVICE=.*finds no such device here") as caught:
        device.inference_device()
    assert "cpu, cuda, cuda:0, cuda:1" in caught.value.remedy


def test_what_the_record_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda which: "a large one")
    assert device.device_name(torch.device("cuda", 1)) == "cuda:1, a large one"
    assert device.device_name(torch.device("mps")) == "mps"


@torch.inference_mode()
def test_nothing_is_computed_elsewhere() -> None:
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
def test_a_gpu_gives_the_same_targets(
    toy_checkpoint: Path, toy_pairs: tuple[Pair, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    identity, config = read_config(toy_checkpoint)
    here = open_checkpoint(toy_checkpoint, config, identity, "toy/stack")
    monkeypatch.setenv("COC_DEVICE", torch.accelerator.current_accelerator().type)
    there = open_checkpoint(toy_checkpoint, config, identity, "toy/stack")
    assert there.record["device"]
    prompts = [pair.prompt for pair in toy_pairs]
    for drafts in (None, [pair.target for pair in toy_pairs], ["PUSH"] * len(toy_pairs)):
        assert there.complete(prompts, drafts=drafts) == here.complete(prompts, drafts=drafts)
