"""The transformer: its size, its causality, its cache."""

import pytest
import torch

from coc_transformer.config import ModelConfig
from coc_transformer.model import Cache, Decoder, logits
from coc_transformer.presets import PRESETS

CONFIG = ModelConfig(vocab=20, d_model=16, layers=2, heads=4, d_ff=32, max_len=12, dropout=0.0)


def make(config: ModelConfig = CONFIG) -> Decoder:
    torch.manual_seed(1)
    model = Decoder(config)
    model.initialise()
    return model.eval()


@pytest.mark.parametrize(
    ("preset", "parameters"),
    [("paper-hanoi", 10_802_688), ("paper-blocksworld", 25_488_384), ("paper-pancake", 25_619_456)],
)
def test_the_papers_parameter_counts(preset: str, parameters: int) -> None:
    config = PRESETS[preset].model
    with torch.device("meta"):
        assert Decoder(config).parameter_count() == parameters
    assert config.parameters() == parameters


def test_the_output_layer_is_the_embedding_and_stored_once() -> None:
    state = make().state_dict()
    assert sum(tensor.numel() for tensor in state.values()) == CONFIG.parameters()
    assert not [name for name in state if "head" in name]


@torch.inference_mode()
def test_a_later_token_changes_nothing_before_it() -> None:
    model, ids = make(), torch.arange(12)[None]
    changed = ids.clone()
    changed[0, 7:] = 0
    torch.testing.assert_close(model(ids)[:, :7], model(changed)[:, :7])


@pytest.mark.parametrize("cuts", [(12,), (5, 1, 1, 1, 1, 1, 1, 1), (1, 4, 7), (3, 9)])
@torch.inference_mode()
def test_reading_in_parts_is_reading_at_once(cuts: tuple[int, ...]) -> None:
    model, ids = make(), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    cache = Cache(CONFIG, 3)
    parts = [logits(model.tensors(), model.config.heads, part, cache) for part in ids.split(list(cuts), 1)]
    torch.testing.assert_close(torch.cat(parts, 1), model(ids))


@torch.inference_mode()
def test_a_cache_can_go_on_with_some_of_its_sequences() -> None:
    model, ids = make(), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    cache = Cache(CONFIG, 3)
    logits(model.tensors(), model.config.heads, ids[:, :6], cache)
    cache.keep(torch.tensor([0, 2]))
    torch.testing.assert_close(
        logits(model.tensors(), model.config.heads, ids[[0, 2], 6:], cache), model(ids)[[0, 2], 6:]
    )
