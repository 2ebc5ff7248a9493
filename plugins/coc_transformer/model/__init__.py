"""The decoder-only transformer: its forward pass, positions, keys and values."""

from coc_transformer.model.decoder import Decoder, decoder_of, load_decoder, tensor_contents
from coc_transformer.model.device import (
    device_name,
    inference_device,
    synchronize,
    threads_for,
)
from coc_transformer.model.forward import Drawn, Layer, hidden, prepare
from coc_transformer.model.kv_cache import KVCache
from coc_transformer.model.positions import rotated

__all__ = [
    "Decoder",
    "Drawn",
    "KVCache",
    "Layer",
    "decoder_of",
    "device_name",
    "hidden",
    "inference_device",
    "load_decoder",
    "prepare",
    "rotated",
    "synchronize",
    "tensor_contents",
    "threads_for",
]
