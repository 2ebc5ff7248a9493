"""Checking drafts in bfloat16 first, where a model is large enough for that to pay.

On a processor that multiplies bfloat16 itself this takes a third of the time. It is to change no answer: such a pass
says only of which drafts every token leads by more than rounding can account for. All others are checked again in
float32. How far rounding moves a logit, and whether the pass is faster at all, is measured on the first drafts, which
are checked in both.
"""

import time
from collections.abc import Callable

import torch
from attrs import define
from torch import Tensor

from coc_transformer.decoding.drafts import (
    DraftPass,
    Ids,
    Verified,
    accepted_prefixes,
    full_precision,
    predicted_logits,
)
from coc_transformer.model import SMALL, Decoder, ModelConfig, finish

_TRIED = 3_000  # tokens that are foretold in both
_FASTER = 1.3  # times that it has to be
_SAFETY = 8  # a lead is a difference of two logits, and others may be rounded worse than those of the trials


def checks_in_bfloat16(model: ModelConfig) -> bool:
    """Whether a model is large enough to have its drafts checked in bfloat16 first."""
    return model.parameters() > SMALL


def pass_for(model: ModelConfig) -> DraftPass:
    """How a model has its drafts checked; one for each model, as it has trials of its own."""
    return Bfloat16Check().check if checks_in_bfloat16(model) else full_precision


@define
class Bfloat16Check:
    """The checks of one model, and what its trials have shown."""

    tried: int = 0
    seconds_float32: float = 0.0
    seconds_bfloat16: float = 0.0
    moved: float = 0.0
    """The farthest that rounding has moved a logit."""

    @property
    def pays(self) -> bool:
        """Whether the coarse pass is so much faster that some drafts may well be checked twice."""
        return self.seconds_float32 > _FASTER * self.seconds_bfloat16

    def check(self, model: Decoder, rows: Ids, wanted: Ids) -> list[Verified]:
        """As `full_precision`, but that leads which are beyond doubt are those in bfloat16."""
        if self.tried < _TRIED:
            return self._try(model, rows, wanted)
        if not self.pays:
            return full_precision(model, rows, wanted)
        found = accepted_prefixes(_rounded(model, rows, wanted), wanted)
        doubtful = [
            index
            for index, (checked, ends) in enumerate(zip(found, wanted, strict=True))
            if checked.ids != ends or not checked.margin > _SAFETY * self.moved
        ]
        if doubtful:
            again = full_precision(model, [rows[index] for index in doubtful], [wanted[index] for index in doubtful])
            for index, checked in zip(doubtful, again, strict=True):
                found[index] = checked
        return found

    def _try(self, model: Decoder, rows: Ids, wanted: Ids) -> list[Verified]:
        exact, slow = _timed(model.device, lambda: predicted_logits(model, rows, wanted))
        rough, fast = _timed(model.device, lambda: _rounded(model, rows, wanted))
        if self.tried:  # the first pass is for warming up
            self.seconds_float32 += slow
            self.seconds_bfloat16 += fast
        self.tried += len(exact)
        self.moved = max(self.moved, (rough - exact).abs().nan_to_num(nan=torch.inf).max().item())
        return accepted_prefixes(exact, wanted)


def _rounded(model: Decoder, rows: Ids, wanted: Ids) -> Tensor:
    return predicted_logits(model, rows, wanted, within=torch.autocast(model.device.type, dtype=torch.bfloat16))


def _timed(device: torch.device, compute: Callable[[], Tensor]) -> tuple[Tensor, float]:
    finish(device)
    started = time.perf_counter()
    computed = compute()
    finish(device)
    return computed, time.perf_counter() - started
