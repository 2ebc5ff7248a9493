"""The decoder-only transformer: its forward pass, positions, keys and values."""

from coc_transformer.model.decoder import Decoder, decoder_of, load_decoder, tensor_contents
from coc_transformer.model.forward import Drawn, Layer, prepare
from coc_transformer.model.positions import rotated
from coc_transformer.network.device import device_name, inference_device, threads_for

__all__ = [
    "Decoder",
    "Drawn",
    "Layer",
    "decoder_of",
    "device_name",
    "inference_device",
    "load_decoder",
    "prepare",
    "rotated",
    "tensor_contents",
    "threads_for",
]
