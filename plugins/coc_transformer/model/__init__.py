"""The decoder-only transformer: its forward pass, positions, keys and values."""

from coc_transformer.model.decoder import Decoder, decoder_of, load_decoder, tensor_contents
from coc_transformer.model.forward import Augmentation, Layer, prepare
from coc_transformer.model.positions import rotated

__all__ = [
    "Augmentation",
    "Decoder",
    "Layer",
    "decoder_of",
    "load_decoder",
    "prepare",
    "rotated",
    "tensor_contents",
]
