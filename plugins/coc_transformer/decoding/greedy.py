"""Greedy decoding of many prompts at a time, and sampling."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from random import Random

import numpy as np
import torch
from attrs import Factory, frozen

from coc_core.errors import NumericFault
from coc_transformer.decoding.drafts import EMPTY, Ids, Prefix, VerifyPass, verify, verify_exactly
from coc_transformer.files import cache_floats, floats_per_token, length_batches, weights
from coc_transformer.model import Decoder, Reader, threads_for
from coc_transformer.tokenizer import EOS, TextTokenizer

_BATCH_FLOATS = 1 << 26  # for all sequences that are decoded together

Choose = Callable[[weights.Array, Sequence[int]], tuple[list[int], list[float]]]
"""Chooses the next token of some rows of a batch by their logits, (rows, vocabulary), each with its margin."""


@frozen
class Decoded:
    """Decoded texts, in the order of the prompts.

    `margins` has, for each, the smallest logit margin of a chosen token over the next best one, and infinity if no
    token was chosen. Rounding, which may depend on the shape of a batch, is of the order of 1e-5: with margins far
    above it, the texts are the same in any batch.
    """

    texts: list[str]
    margins: list[float] = Factory(list)

    @property
    def margin(self) -> float:
        """The smallest margin of all."""
        return min(self.margins, default=inf)


@torch.inference_mode()
def decode(
    model: Decoder,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    dialect: int = 0,
    verify_pass: VerifyPass = verify_exactly,
) -> Decoded:
    """Append the most likely token until [EOS] or the end of the context.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        prompts: The texts of the prompts.
        drafts: A draft of the target of each prompt. Whatever is right in it is decoded faster; it changes no text, and
            no part of a draft's text is returned, since every text comes from the ids that the model chose.
        dialect: The index of the dialect among those of the tokenizer.
        verify_pass: How a batch of drafts is verified.

    Returns:
        The targets. One that the end of the context cut off ends in U+FFFD, so that it can't pass for a whole target.

    Raises:
        LimitFault: If a prompt leaves no room for a target.
        NumericFault: If a logit is not finite.
    """
    contexts = _contexts(model, tokenizer, prompts, dialect)
    with threads_for(model.config):
        prefixes = [EMPTY] * len(prompts)
        if drafts:
            prefixes = verify(model, contexts, _drafted(model, tokenizer, drafts), verify_pass)
        targets = _complete(model, contexts, prefixes)
    return Decoded([tokenizer.target(target.ids) for target in targets], [target.margin for target in targets])


@torch.inference_mode()
def decode_until_mismatch(
    model: Decoder,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str],
    dialect: int = 0,
    verify_pass: VerifyPass = verify_exactly,
) -> Decoded:
    """As `decode`, but only for the first prompts: those whose drafts are right, and the one after these."""
    contexts, decoded = _contexts(model, tokenizer, prompts, dialect), Decoded([])
    with threads_for(model.config):
        prefixes = verify(model, contexts, _drafted(model, tokenizer, drafts), verify_pass)
        for context, prefix, draft in zip(contexts, prefixes, drafts, strict=True):
            (target,) = _complete(model, [context], [prefix])
            decoded.texts.append(tokenizer.target(target.ids))
            decoded.margins.append(target.margin)
            if decoded.texts[-1] != draft:
                break
    return decoded


@torch.inference_mode()
def sample(
    model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str], seeds: Sequence[int], dialect: int = 0
) -> list[str]:
    """As `decode`, but each token is drawn with the probability that the model gives it, at temperature 1.

    Each prompt has a seed and random numbers of its own, so that a target doesn't depend on the other prompts, up to
    rounding.
    """
    contexts = _contexts(model, tokenizer, prompts, dialect)
    with threads_for(model.config):
        targets = _complete(model, contexts, [EMPTY] * len(prompts), list(map(Random, seeds)))
    return [tokenizer.target(target.ids) for target in targets]


def _contexts(model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str], dialect: int) -> list[list[int]]:
    """The ids before each target; LimitFault where they leave no room for one."""
    return [tokenizer.context_below(model.config.max_len, prompt, dialect) for prompt in prompts]


def _drafted(model: Decoder, tokenizer: TextTokenizer, drafts: Sequence[str]) -> list[list[int]]:
    """The ids of each draft."""
    return [tokenizer.draft_below(model.config.max_len, draft) for draft in drafts]


def _likeliest(logits: weights.Array, rows: Sequence[int]) -> tuple[list[int], list[float]]:
    best = np.partition(logits, -2, 1)
    return logits.argmax(1).tolist(), (best[:, -1] - best[:, -2]).tolist()


def _drawn(numbers: Sequence[Random], logits: weights.Array, rows: Sequence[int]) -> tuple[list[int], list[float]]:
    cumulative = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True)).cumsum(1)
    points = np.array([[numbers[row].random()] for row in rows]) * cumulative[:, -1:]
    return (cumulative <= points).sum(1).tolist(), [inf] * len(rows)


def _complete(
    model: Decoder, contexts: Ids, prefixes: Sequence[Prefix], numbers: Sequence[Random] | None = None
) -> list[Prefix]:
    """The whole target of each context, given a prefix of it; drawn with random numbers of its own, if given."""
    targets, config = list(prefixes), model.config
    rows = [context + prefix.ids for context, prefix in zip(contexts, prefixes, strict=True)]
    open_ = [index for index, row in enumerate(rows) if len(row) < config.max_len and prefixes[index].ids[-1:] != [EOS]]
    longest = max((len(rows[index]) for index in open_), default=1)
    most = _BATCH_FLOATS / (cache_floats(config) / longest + floats_per_token(config))
    for batch in length_batches([len(rows[index]) for index in open_], most):
        some = [open_[place] for place in batch]
        choose = _likeliest if numbers is None else partial(_drawn, [numbers[index] for index in some])
        for index, rest in zip(some, _decode_batch(model, [rows[index] for index in some], choose), strict=True):
            targets[index] = Prefix(prefixes[index].ids + rest.ids, min(prefixes[index].margin, rest.margin))
    return targets


def _decode_batch(model: Decoder, rows: Ids, choose: Choose) -> list[Prefix]:
    """The continuation of each of the sequences, with [EOS]."""
    limit, reader = model.config.max_len, Reader(model.folded, rows)
    targets, margins, kept = [list[int]() for _ in rows], [inf] * len(rows), list(range(len(rows)))
    active, logits = kept, reader.read(rows)
    while True:
        if not np.isfinite(logits).all():
            raise NumericFault(f"the model gave logits that are not finite, after {reader.length} tokens")
        if len(active) < len(kept):
            logits = logits[[kept.index(row) for row in active]]
        unfinished = []
        for row, token, margin in zip(active, *choose(logits, active), strict=True):
            targets[row].append(token)
            margins[row] = min(margins[row], margin)
            if token != EOS and len(rows[row]) + len(targets[row]) < limit:
                unfinished.append(row)
        if not unfinished:
            return list(map(Prefix, targets, margins))
        active = unfinished
        if 4 * len(active) <= 3 * len(kept):  # the others go on reading, which is less work than to drop them
            reader.keep([kept.index(row) for row in active])
            kept = active
        logits = reader.read([targets[row][-1:] for row in kept])
