"""The decoder-only transformer: its configuration, weights, positions and checkpoint folder."""

from coc_transformer.model.config import ModelConfig, from_json, note_from_json, to_json, within
from coc_transformer.model.decoder import Decoder
from coc_transformer.model.device import (
    check_size,
    device_name,
    floats_per_token,
    inference_device,
    synchronize,
    threads_for,
)
from coc_transformer.model.forward import Drawn, Layer, hidden, prepare
from coc_transformer.model.kv_cache import KVCache
from coc_transformer.model.positions import MOST_DIGIT_ROWS, rotated

__all__ = [
    "MOST_DIGIT_ROWS",
    "Decoder",
    "Drawn",
    "KVCache",
    "Layer",
    "ModelConfig",
    "check_size",
    "device_name",
    "floats_per_token",
    "from_json",
    "hidden",
    "inference_device",
    "note_from_json",
    "prepare",
    "rotated",
    "synchronize",
    "threads_for",
    "to_json",
    "within",
]
