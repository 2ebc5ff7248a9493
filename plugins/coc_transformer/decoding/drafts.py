"""Checking guesses at answers in one pass, where decoding takes a pass for each token.

A pass over a prompt and a draft gives the likeliest token behind each prefix of the draft. Up to the first difference
these are the tokens that greedy decoding chooses, and the first one that differs is the next one that it chooses. So
what comes out is a beginning of the greedy answer, and all of it if the draft was right.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import torch
from attrs import frozen
from torch import Tensor

from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, PAD

_AT_ONCE = 1 << 11  # tokens of a pass, so that what it computes stays near the processor
_AT_ONCE_ELSEWHERE = 1 << 16  # on a GPU, as in training


@frozen
class Verified:
    """The first ids of a greedy answer, and the smallest lead that one of them had over the next best."""

    ids: list[int]
    margin: float


NOTHING = Verified([], float("inf"))

Ids = Sequence[list[int]]
DraftPass = Callable[[Decoder, Ids, Ids], list[Verified]]
"""Gets the model, rows of ids, and what is wanted of each: the ids that follow its last so many tokens."""


def full_precision(model: Decoder, rows: Ids, wanted: Ids) -> list[Verified]:
    """A pass in the model's own numbers."""
    return accepted_prefixes(predicted_logits(model, rows, wanted), wanted)


@torch.inference_mode()
def check(model: Decoder, contexts: Ids, drafts: Ids, draft_pass: DraftPass = full_precision) -> list[Verified]:
    """How each of the greedy answers begins. A draft is the ids of a text, [EOS] not included.

    Contexts have fewer than `max_len` ids. Where logits are not finite nothing is said, so that decoding finds out.
    """
    limit = model.config.max_len
    wanted = [[*draft, EOS][: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]
    rows = [context + draft[:-1] for context, draft in zip(contexts, wanted, strict=True)]
    checked = [NOTHING] * len(rows)
    most = _AT_ONCE if model.device.type == "cpu" else _AT_ONCE_ELSEWHERE
    for chunk in _chunks([len(row) for row in rows], most):
        found = draft_pass(model, [rows[index] for index in chunk], [wanted[index] for index in chunk])
        for index, one in zip(chunk, found, strict=True):
            checked[index] = one
    return checked


def _chunks(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The indices of rows that go together: not too many tokens, and not much padding behind the shorter ones."""
    chunk: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = lengths[index]
        if chunk and (longest * (len(chunk) + 1) > most or longest > 8 + 1.1 * lengths[chunk[0]]):
            yield chunk
            chunk = []
        chunk.append(index)
    if chunk:
        yield chunk


def predicted_logits(
    model: Decoder, rows: Ids, wanted: Ids, within: AbstractContextManager[object] | None = None
) -> Tensor:
    """The logits of what is wanted of the rows, (N, V), those of one row after those of the other.

    All but the output layer is computed `within` a context.
    """
    length = max(map(len, rows))
    ids = torch.tensor([row + [PAD] * (length - len(row)) for row in rows], device=model.device)
    predicted = torch.zeros(ids.shape, dtype=torch.bool)
    for place, (row, ends) in enumerate(zip(rows, wanted, strict=True)):
        predicted[place, len(row) - len(ends) : len(row)] = True
    with within or nullcontext():
        hidden = model.hidden(ids, places=predicted.to(model.device))
    return model.project(hidden)


def accepted_prefixes(logits: Tensor, wanted: Ids) -> list[Verified]:
    """What logits say of what is wanted; nothing if they are not finite."""
    if not torch.isfinite(logits).all():
        return [NOTHING] * len(wanted)
    values, indices = (part.cpu() for part in logits.topk(2))
    chosen, margins = indices[:, 0], values[:, 0] - values[:, 1]
    counts = [len(ends) for ends in wanted]
    differs = chosen != torch.tensor([token for ends in wanted for token in ends])
    return list(map(_until, wanted, *(torch.split(part, counts) for part in (differs, chosen, margins))))


def _until(wanted: list[int], differs: Tensor, chosen: Tensor, margins: Tensor) -> Verified:
    """What is sure of one row: what was wanted, up to where it differs from what was chosen, with that one instead."""
    right = int(differs.int().argmax()) if differs.any() else len(wanted)
    return Verified([*wanted[:right], *chosen[right : right + 1].tolist()], margins[: right + 1].min().item())
