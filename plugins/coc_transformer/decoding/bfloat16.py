"""Verifying drafts in bfloat16 first, where a model is large enough for that to be faster.

On a processor with instructions for bfloat16 such a pass takes a third of the time. It changes no response: it decides
only about drafts of which every token has a margin larger than rounding can account for, and all others are verified
again in float32. How far rounding moves a logit, and whether the pass is faster at all, is calibrated on the first
drafts, which are verified in both formats.
"""

import time
from collections.abc import Callable

import torch
from attrs import define
from torch import Tensor

from coc_transformer.decoding.drafts import (
    Ids,
    Prefix,
    VerifyPass,
    matching_prefixes,
    predicted_logits,
    verify_exactly,
)
from coc_transformer.model import SMALL, Decoder, ModelConfig, synchronize

_CALIBRATION_TOKENS = 3_000  # predicted in both formats
_MIN_SPEEDUP = 1.3
_SAFETY_FACTOR = 8  # a margin is a difference of two logits, and others may be rounded worse than the calibration's


def verifies_in_bfloat16(model: ModelConfig) -> bool:
    """Whether a model is large enough for its drafts to be verified in bfloat16 first."""
    return model.parameters() > SMALL


def verify_pass_for(model: ModelConfig) -> VerifyPass:
    """How the drafts of a model are verified; one for each model, since it has a calibration of its own."""
    return Bfloat16First().verify if verifies_in_bfloat16(model) else verify_exactly


@define
class Bfloat16First:
    """Verification in bfloat16 for one model, and its calibration."""

    calibrated: int = 0
    """Tokens predicted in both formats so far."""
    seconds_float32: float = 0.0
    seconds_bfloat16: float = 0.0
    largest_error: float = 0.0
    """The farthest that rounding has moved a logit."""

    @property
    def is_faster(self) -> bool:
        """Whether bfloat16 is so much faster that some drafts may well be verified twice."""
        return self.seconds_float32 > _MIN_SPEEDUP * self.seconds_bfloat16

    def verify(self, model: Decoder, rows: Ids, targets: Ids) -> list[Prefix]:
        """As `verify_exactly`, except that a margin beyond doubt is the one in bfloat16."""
        if self.calibrated < _CALIBRATION_TOKENS:
            return self._calibrate(model, rows, targets)
        if not self.is_faster:
            return verify_exactly(model, rows, targets)
        prefixes = matching_prefixes(_rounded_logits(model, rows, targets), targets)
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

    def _calibrate(self, model: Decoder, rows: Ids, targets: Ids) -> list[Prefix]:
        exact, slow = _timed(model.device, lambda: predicted_logits(model, rows, targets))
        rounded, fast = _timed(model.device, lambda: _rounded_logits(model, rows, targets))
        if self.calibrated:  # the first pass is a warm-up
            self.seconds_float32 += slow
            self.seconds_bfloat16 += fast
        self.calibrated += len(exact)
        error = (rounded - exact).abs().nan_to_num(nan=torch.inf).max().item()
        self.largest_error = max(self.largest_error, error)
        return matching_prefixes(exact, targets)


def _rounded_logits(model: Decoder, rows: Ids, targets: Ids) -> Tensor:
    return predicted_logits(model, rows, targets, torch.autocast(model.device.type, dtype=torch.bfloat16))


def _timed(device: torch.device, compute: Callable[[], Tensor]) -> tuple[Tensor, float]:
    synchronize(device)
    started = time.perf_counter()
    computed = compute()
    synchronize(device)
    return computed, time.perf_counter() - started
