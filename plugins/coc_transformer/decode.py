"""Greedy decoding, many prompts at a time.

Prompts are grouped by their number of tokens, so no sequence is ever padded and positions are those of training.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from attrs import frozen

from coc_core.errors import LimitFault, NumericFault
from coc_transformer.model import Cache, Decoder, logits
from coc_transformer.tokenizer import EOS, NO_TEXT, TextTokenizer

_CACHE_FLOATS = 1 << 26  # of all sequences that are decoded at once
_SMALL = 4_000_000  # parameters


@frozen
class Decoded:
    """The texts, in the order of the prompts, and the smallest lead that a chosen token had over the next best one.

    The lead is a difference of logits, infinite if nothing was decoded. Rounding, which may differ with the shape of a
    batch, is of the order of 1e-5, so a lead far above it makes the texts the same in any batch.
    """

    texts: list[str]
    margin: float = float("inf")


@torch.inference_mode()
def decode(model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str]) -> Decoded:
    """The most likely token again and again, until [EOS] or until the context is full.

    A text that the context cut off ends in U+FFFD, so that no prefix of an answer passes for one. Raises LimitFault for
    a prompt that leaves no room for a target, NumericFault if a logit is not finite.
    """
    limit = model.config.max_len
    groups: dict[int, list[int]] = {}
    contexts = [tokenizer.context(prompt) for prompt in prompts]
    for index, (prompt, context) in enumerate(zip(prompts, contexts, strict=True)):
        if len(context) >= limit:
            raise LimitFault(
                f"the prompt has {len(context):,} tokens, and the model's context ends at {limit:,}", text=prompt
            )
        groups.setdefault(len(context), []).append(index)
    texts, margin = [""] * len(prompts), float("inf")
    at_once = max(1, _CACHE_FLOATS // Cache.floats(model.config))
    chunks = [group[start : start + at_once] for group in groups.values() for start in range(0, len(group), at_once)]
    with _threads_for(model):
        for chunk in chunks:
            answers, lead = _decode_group(model, torch.tensor([contexts[index] for index in chunk]))
            margin = min(margin, lead)
            for index, answer in zip(chunk, answers, strict=True):
                whole = answer[-1:] == [EOS]
                texts[index] = tokenizer.decode(answer[:-1]) if whole else tokenizer.decode(answer) + NO_TEXT
    return Decoded(texts, margin)


@contextmanager
def _threads_for(model: Decoder) -> Iterator[None]:
    """One thread for a small model. More are no faster there, and far slower where other programs want the cores."""
    before = torch.get_num_threads()
    if model.config.parameters() <= _SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _decode_group(model: Decoder, contexts: torch.Tensor) -> tuple[list[list[int]], float]:
    """The ids that follow each of the contexts, all of one length: (B, T) to B lists, [EOS] included."""
    answers: list[list[int]] = [[] for _ in contexts]
    active = list(range(len(contexts)))
    tensors, heads = model.tensors(), model.config.heads
    cache, ids, margin = Cache(model.config, len(contexts)), contexts, float("inf")
    for _ in range(model.config.max_len - contexts.shape[1]):
        leads = logits(tensors, heads, ids, cache)[:, -1]
        if not torch.isfinite(leads).all():
            raise NumericFault(f"the model gave logits that are not finite, after {len(answers[active[0]])} tokens")
        best = leads.topk(2)
        margin = min(margin, (best.values[:, 0] - best.values[:, 1]).min().item())
        tokens = best.indices[:, 0].tolist()
        for row, token in zip(active, tokens, strict=True):
            answers[row].append(token)
        ids = best.indices[:, :1]
        going = [place for place, token in enumerate(tokens) if token != EOS]
        if not going:
            break
        if len(going) < len(active):
            active = [active[place] for place in going]
            cache.keep(torch.tensor(going))
            ids = ids[going]
    return answers, margin
