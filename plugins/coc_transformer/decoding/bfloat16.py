"""Verifying drafts in bfloat16 first, for users who ask for it with `COC_DRAFTS=bfloat16`.

By default drafts are verified in the number format of the weights, as targets are decoded, and this module is not used.
`COC_DRAFTS=tf32` does the same as bfloat16 with products of float32 that some GPUs round to ten bits, TensorFloat-32.

On a processor with instructions for bfloat16 such a pass takes a third of the time. A draft is accepted if bfloat16
chooses each of its tokens with a margin of more than `_SAFETY_FACTOR` times the largest rounding error of the first
drafts, which are verified in both formats. All other drafts are verified again in float32, and targets are decoded in
float32. The assumption behind this is that no later error is more than half of `_SAFETY_FACTOR` times as large as the
largest of the first `_CALIBRATION_TOKENS` tokens, since two logits make a margin. It is not proved: bounds that hold
for every input are far larger than margins are. Where it fails, a draft may be accepted that float32 would not choose.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from attrs import define
from torch import Tensor

from coc_core.errors import UsageError
from coc_transformer.continuation import Ids, Prefix
from coc_transformer.decoding.drafts import (
    VerifyPass,
    matching_prefixes,
    predicted_logits,
    verify_exactly,
)
from coc_transformer.model import synchronize
from coc_transformer.network import Network

VARIABLE = "COC_DRAFTS"
_FORMATS = ("float32", "bfloat16", "tf32")
_CALIBRATION_TOKENS = 3_000  # predicted in both formats
_MIN_SPEEDUP = 1.3
_SAFETY_FACTOR = 8


def requested_format() -> str:
    """The number format of drafts that the environment asks for; UsageError if coc doesn't have it."""
    name = os.environ.get(VARIABLE) or "float32"
    if name not in _FORMATS:
        raise UsageError(
            f"{VARIABLE}={name!r:.40} is not a number format for drafts",
            remedy=f"use {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}",
        )
    return name


def requested_verify_pass() -> VerifyPass:
    """How the drafts of a model are verified; call it for each model, since a format is calibrated for one model."""
    name = requested_format()
    return verify_exactly if name == "float32" else RoundedFirst(name).verify


@define
class RoundedFirst:
    """Verification in a rounded format for one model, and its calibration."""

    format: str = "bfloat16"
    calibrated: int = 0
    """Tokens predicted in both formats so far."""
    seconds_float32: float = 0.0
    seconds_rounded: float = 0.0
    largest_error: float = 0.0
    """The farthest that rounding has moved a logit."""

    @property
    def is_faster(self) -> bool:
        """Whether the format is so much faster that some drafts may well be verified twice."""
        return self.seconds_float32 > _MIN_SPEEDUP * self.seconds_rounded

    def verify(self, model: Network, rows: Ids, targets: Ids) -> list[Prefix]:
        """As `verify_exactly`, if the assumption above holds; a margin beyond doubt is the rounded one."""
        if self.calibrated < _CALIBRATION_TOKENS:
            return self._calibrate(model, rows, targets)
        if not self.is_faster:
            return verify_exactly(model, rows, targets)
        prefixes = matching_prefixes(_rounded_logits(model, rows, targets, self.format), targets)
        doubtful = [
            index
            for index, (prefix, target) in enumerate(zip(prefixes, targets, strict=True))
            if prefix.ids != target or not prefix.margin > _SAFETY_FACTOR * self.largest_error
        ]
        if doubtful:
            again = verify_exactly(model, [rows[index] for index in doubtful], [targets[index] for index in doubtful])
            for index, prefix in zip(doubtful, again, strict=True):
                prefixes[index] = prefix
        return prefixes

    def _calibrate(self, model: Network, rows: Ids, targets: Ids) -> list[Prefix]:
        exact, slow = _timed(model.device, lambda: predicted_logits(model, rows, targets))
        rounded, fast = _timed(model.device, lambda: _rounded_logits(model, rows, targets, self.format))
        if self.calibrated:  # the first pass is a warm-up
            self.seconds_float32 += slow
            self.seconds_rounded += fast
        self.calibrated += len(exact)
        error = (rounded - exact).abs().nan_to_num(nan=torch.inf).max().item()
        self.largest_error = max(self.largest_error, error)
        return matching_prefixes(exact, targets)


def _rounded_logits(model: Network, rows: Ids, targets: Ids, format: str) -> Tensor:
    rounding = _tf32() if format == "tf32" else torch.autocast(model.device.type, dtype=torch.bfloat16)
    return predicted_logits(model, rows, targets, rounding)


@contextmanager
def _tf32() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _timed(device: torch.device, compute: Callable[[], Tensor]) -> tuple[Tensor, float]:
    synchronize(device)
    started = time.perf_counter()
    computed = compute()
    synchronize(device)
    return computed, time.perf_counter() - started
