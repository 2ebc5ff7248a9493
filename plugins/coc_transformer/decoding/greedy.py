"""Greedy decoding of many prompts at a time, and sampling.

Sequences are grouped by their number of tokens, so no sequence is padded and positions are those of training.
"""

from collections.abc import Callable, Sequence
from math import inf
from random import Random

import torch
from attrs import Factory, frozen

from coc_core.errors import NumericFault
from coc_transformer.decoding.drafts import EMPTY, Prefix, VerifyPass, verify, verify_exactly
from coc_transformer.files import cache_floats, floats_per_token
from coc_transformer.model import Decoder, KVCache, hidden, threads_for
from coc_transformer.tokenizer import EOS, TextTokenizer

_BATCH_FLOATS = 1 << 26  # for all sequences that are decoded together

Choose = Callable[[torch.Tensor, Sequence[int]], tuple[torch.Tensor, list[float]]]
"""Chooses the next tokens (rows, 1) by the logits (rows, vocabulary) of some rows of a batch, each with its margin."""


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
    numbers = [Random(seed) for seed in seeds]

    def chooser(batch: Sequence[int]) -> Choose:
        def choose(logits: torch.Tensor, rows: Sequence[int]) -> tuple[torch.Tensor, list[float]]:
            cumulative = torch.softmax(logits.double(), -1).cumsum(-1)
            draws = [[numbers[batch[row]].random()] for row in rows]
            points = torch.tensor(draws, dtype=torch.float64, device=logits.device) * cumulative[:, -1:]
            return torch.searchsorted(cumulative, points, right=True), [inf] * len(rows)

        return choose

    contexts = _contexts(model, tokenizer, prompts, dialect)
    with threads_for(model.config):
        targets = _complete(model, contexts, [EMPTY] * len(prompts), chooser)
    return [tokenizer.target(target.ids) for target in targets]


def _contexts(model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str], dialect: int) -> list[list[int]]:
    """The ids before each target; LimitFault where they leave no room for one."""
    return [tokenizer.context_below(model.config.max_len, prompt, dialect) for prompt in prompts]


def _drafted(model: Decoder, tokenizer: TextTokenizer, drafts: Sequence[str]) -> list[list[int]]:
    """The ids of each draft."""
    return [tokenizer.draft_below(model.config.max_len, draft) for draft in drafts]


def _likeliest(logits: torch.Tensor, rows: Sequence[int]) -> tuple[torch.Tensor, list[float]]:
    best = logits.topk(2)
    return best.indices[:, :1], (best.values[:, 0] - best.values[:, 1]).tolist()


def _complete(
    model: Decoder,
    contexts: Sequence[list[int]],
    prefixes: Sequence[Prefix],
    chooser: Callable[[Sequence[int]], Choose] = lambda batch: _likeliest,
) -> list[Prefix]:
    """The whole target of each context, given a prefix of it."""
    targets = list(prefixes)
    groups: dict[int, list[int]] = {}
    for index, (context, prefix) in enumerate(zip(contexts, prefixes, strict=True)):
        length = len(context) + len(prefix.ids)
        if length < model.config.max_len and prefix.ids[-1:] != [EOS]:
            groups.setdefault(length, []).append(index)
    for length, group in groups.items():
        floats = cache_floats(model.config) + length * floats_per_token(model.config)
        batch_size = max(1, _BATCH_FLOATS // floats)
        for start in range(0, len(group), batch_size):
            batch = group[start : start + batch_size]
            input_ids = torch.tensor([contexts[index] + prefixes[index].ids for index in batch], device=model.device)
            for index, rest in zip(batch, _decode_batch(model, input_ids, chooser(batch)), strict=True):
                prefix = prefixes[index]
                targets[index] = Prefix(prefix.ids + rest.ids, min(prefix.margin, rest.margin))
    return targets


def _decode_batch(model: Decoder, input_ids: torch.Tensor, choose: Choose) -> list[Prefix]:
    """The continuation of each of the sequences, (batch, seq), with [EOS]."""
    continuations: list[list[int]] = [[] for _ in input_ids]
    smallest = [inf] * len(input_ids)
    active = list(range(len(input_ids)))
    tensors, heads = model.tensors(), model.config.heads
    kv_cache = KVCache(model.config, len(input_ids), model.device)
    for _ in range(model.config.max_len - input_ids.shape[1]):
        logits = model.project(hidden(tensors, heads, input_ids, kv_cache)[:, -1])
        if not torch.isfinite(logits).all():
            raise NumericFault(f"the model gave logits that are not finite, after {kv_cache.length} tokens")
        chosen, margins = choose(logits, active)
        tokens = chosen[:, 0].tolist()
        for row, token, margin in zip(active, tokens, margins, strict=True):
            continuations[row].append(token)
            if margin < smallest[row]:
                smallest[row] = margin
        input_ids = chosen
        unfinished = [index for index, token in enumerate(tokens) if token != EOS]
        if not unfinished:
            break
        if len(unfinished) < len(active):
            active = [active[index] for index in unfinished]
            rows = torch.tensor(unfinished, device=model.device)
            kv_cache.keep(rows)
            input_ids = input_ids[rows]
    return list(map(Prefix, continuations, smallest))
