"""The transformer: its size, its causality, its cache."""

import pytest
import torch
from attrs import evolve

from coc_transformer.model import Decoder, KVCache, ModelConfig, hidden
from coc_transformer.tokenizer import FIELD, ITEM, SYMBOL
from coc_transformer.training.presets import PRESETS

CONFIG = ModelConfig(
    vocab=20, d_model=16, layers=2, heads=4, d_ff=32, max_len=12, dropout=0.0, positions="absolute", token_shift=0
)
BEYOND = evolve(CONFIG, positions="structural", token_shift=2)
KINDS = [FIELD] * 8 + [ITEM] * 4 + [SYMBOL] * 8
ROTARY = evolve(BEYOND, rotary=2)
ALL = pytest.mark.parametrize(
    "config",
    [CONFIG, BEYOND, ROTARY, evolve(ROTARY, list_end_rotary=True)],
    ids=["the paper's", "structural and shifted", "rotary too", "and where lists end"],
)


def make(config: ModelConfig = CONFIG) -> Decoder:
    torch.manual_seed(1)
    model = Decoder(config, KINDS)
    model.initialise()
    return model.eval()


def read(model: Decoder, ids: torch.Tensor, cache: KVCache) -> torch.Tensor:
    """(B, T) -> (B, T, V): the logits after tokens that follow those in the cache."""
    return model.project(hidden(model.tensors(), model.config.heads, ids, cache))


@pytest.mark.parametrize(
    ("preset", "parameters"),
    [("paper-hanoi", 10_802_688), ("paper-blocksworld", 25_488_384), ("paper-pancake", 25_619_456)],
)
def test_the_papers_parameter_counts(preset: str, parameters: int) -> None:
    config = PRESETS[preset].model
    with torch.device("meta"):
        assert Decoder(config).parameter_count() == parameters
    assert config.parameters() == parameters


@ALL
def test_the_output_layer_is_the_embedding_and_stored_once(config: ModelConfig) -> None:
    state = make(config).state_dict()
    assert sum(tensor.numel() for tensor in state.values()) == config.parameters()
    assert not [name for name in state if "head" in name]


@ALL
@torch.inference_mode()
def test_a_later_token_changes_nothing_before_it(config: ModelConfig) -> None:
    model, ids = make(config), torch.arange(12)[None]
    changed = ids.clone()
    changed[0, 7:] = 0
    torch.testing.assert_close(model(ids)[:, :7], model(changed)[:, :7])


@pytest.mark.parametrize("cuts", [(12,), (5, 1, 1, 1, 1, 1, 1, 1), (1, 4, 7), (3, 9)])
@ALL
@torch.inference_mode()
def test_reading_in_parts_is_reading_at_once(config: ModelConfig, cuts: tuple[int, ...]) -> None:
    model, ids = make(config), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    cache = KVCache(config, 3)
    parts = [read(model, part, cache) for part in ids.split(list(cuts), 1)]
    torch.testing.assert_close(torch.cat(parts, 1), model(ids))


@ALL
@torch.inference_mode()
def test_a_cache_can_go_on_with_some_of_its_sequences(config: ModelConfig) -> None:
    model, ids = make(config), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    cache = KVCache(config, 3)
    read(model, ids[:, :6], cache)
    cache.keep(torch.tensor([0, 2]))
    torch.testing.assert_close(read(model, ids[[0, 2], 6:], cache), model(ids)[[0, 2], 6:])


@ALL
@torch.inference_mode()
def test_a_cache_that_was_cut_back_is_as_if_it_had_never_read_on(config: ModelConfig) -> None:
    model, ids = make(config), torch.randint(20, (3, 12), generator=torch.Generator().manual_seed(0))
    cache = KVCache(config, 3)
    read(model, torch.cat((ids[:, :5], ids[:, 2:9].flip(1)), 1), cache)
    cache.truncate(5)
    torch.testing.assert_close(read(model, ids[:, 5:], cache), model(ids)[:, 5:])


def test_structural_positions_need_the_kinds_of_all_tokens() -> None:
    for kinds in (None, KINDS[1:]):
        with pytest.raises(ValueError, match="the kind of each token"):
            Decoder(BEYOND, kinds)
