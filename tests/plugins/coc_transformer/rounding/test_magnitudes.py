"""No bound is stated where float32 may overflow, or lose what underflows: a checkpoint that is rescaled, one way or another."""

import math

import pytest
import torch

from coc_core.models import Pair, read_config
from coc_transformer.model import load_decoder
from coc_transformer.rounding import target_margin
from tests.support.random_checkpoints import untrained

PAIR = Pair("go [B1, B2] 12", "on [B2, B1] 7")


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = untrained(
        tmp_path_factory.mktemp("model") / "model", ["a/b"], [PAIR] * 3, tokens="exact", log_scaling=True
    )
    decoder, tokenizer = load_decoder(folder, read_config(folder)[1])
    for name, parameter in decoder.named_parameters():
        parameter.data *= 1.0 if "norm" in name else 0.5
    ids, start = tokenizer.example(PAIR)
    return decoder.double(), ids[:start], ids[start:]


def residual(decoder, factor):
    for table in (decoder.tokens, decoder.positions):
        table.weight *= factor
    for block in decoder.blocks:
        for parameter in (block.out.weight, block.down.weight, block.down.bias):
            parameter *= factor
    for parameter in decoder.norm.parameters():
        parameter /= factor


def values(decoder, factor):
    block, width = decoder.blocks[0], decoder.config.d_model
    block.qkv.weight[2 * width :] *= factor
    block.out.weight /= factor


def queries(decoder, factor):
    block, width = decoder.blocks[-1], decoder.config.d_model
    block.qkv.weight[:width] *= factor
    block.qkv.weight[width : 2 * width] /= factor


def scales(decoder, factor):
    block = decoder.blocks[0]
    for parameter in block.norm1.parameters():
        parameter *= factor
    block.qkv.weight /= factor


def hidden(decoder, factor):
    block = decoder.blocks[-1]
    block.up.weight *= factor
    block.up.bias *= factor
    block.down.weight /= factor


def logits(decoder, factor):
    for parameter in decoder.norm.parameters():
        parameter *= factor


@pytest.mark.parametrize(
    "rescale", [residual, values, queries, scales, hidden, logits], ids=lambda rescale: rescale.__name__
)
@torch.inference_mode()
def test_where_numbers_may_overflow_or_vanish_there_is_no_bound(opened, rescale):
    decoder, context, target = opened
    before = {name: tensor.clone() for name, tensor in decoder.state_dict().items()}
    found, most = {}, 62 if rescale is residual else 118  # the variance has squares
    for power in (0, 8, most, -110):
        rescale(decoder, 2.0**power)
        found[power] = target_margin(decoder, context, target).bound
        decoder.load_state_dict(before)
    assert math.isfinite(found[0])
    assert found[most] == math.inf
    if rescale in (residual, values, queries, scales):  # the same function, and a power of two rounds as before
        assert found[8] == pytest.approx(found[0], rel=0.01)
    if rescale in (values, queries, scales):
        assert found[-110] > 1
