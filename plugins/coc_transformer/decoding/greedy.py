"""Greedy decoding, many prompts at a time.

Sequences are grouped by their number of tokens, so none is ever padded and positions are those of training.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import torch
from attrs import Factory, frozen

from coc_core.errors import LimitFault, NumericFault
from coc_transformer.decoding.drafts import NOTHING, DraftPass, Verified, check, full_precision
from coc_transformer.model import Decoder, KVCache, hidden, threads_for
from coc_transformer.tokenizer import EOS, UNK, TextTokenizer

_CACHE_FLOATS = 1 << 26  # of all sequences that are decoded at once


@frozen
class Decoded:
    """The texts, in the order of the prompts, and for each the smallest lead of a chosen token over the next best one.

    The lead is a difference of logits, infinite if nothing was decoded. Rounding, which may differ with the shape of a
    batch, is of the order of 1e-5, so a lead far above it makes the texts the same in any batch.
    """

    texts: list[str]
    margins: list[float] = Factory(list)

    @property
    def margin(self) -> float:
        """The smallest lead of all."""
        return min(self.margins, default=float("inf"))


class Draft(NamedTuple):
    """A draft, and its ids."""

    text: str
    ids: list[int]


@torch.inference_mode()
def decode(
    model: Decoder,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    dialect: int = 0,
    draft_pass: DraftPass = full_precision,
) -> Decoded:
    """The most likely token again and again, until [EOS] or until the context is full.

    `drafts` are guesses at the texts, one for each prompt, which `draft_pass` checks: what is right of them costs less,
    and they change nothing else. `dialect` is an index among those of the tokenizer. A text that the context cut off
    ends in U+FFFD, so that no prefix of an answer passes for one. Raises LimitFault for a prompt that leaves no room
    for a target, NumericFault if a logit is not finite.
    """
    contexts = _contexts(model, tokenizer, prompts, dialect)
    guesses = [Draft(draft, tokenizer.encode(draft)) for draft in drafts or ()]
    with threads_for(model.config):
        begun = (
            check(model, contexts, [guess.ids for guess in guesses], draft_pass) if drafts else [NOTHING] * len(prompts)
        )
        answers = _finish(model, contexts, begun)
    texts = [_text(tokenizer, answer.ids, guess) for answer, guess in zip_longest(answers, guesses)]
    return Decoded(texts, [answer.margin for answer in answers])


@torch.inference_mode()
def decode_until_mismatch(
    model: Decoder,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str],
    dialect: int = 0,
    draft_pass: DraftPass = full_precision,
) -> Decoded:
    """As `decode`, but for the first prompts only: those whose drafts are right, and the next one."""
    contexts, decoded = _contexts(model, tokenizer, prompts, dialect), Decoded([])
    guesses = [Draft(draft, tokenizer.encode(draft)) for draft in drafts]
    with threads_for(model.config):
        begun = check(model, contexts, [guess.ids for guess in guesses], draft_pass)
        for context, beginning, guess in zip(contexts, begun, guesses, strict=True):
            (answer,) = _finish(model, [context], [beginning])
            decoded.texts.append(_text(tokenizer, answer.ids, guess))
            decoded.margins.append(answer.margin)
            if decoded.texts[-1] != guess.text:
                break
    return decoded


def _contexts(model: Decoder, tokenizer: TextTokenizer, prompts: Sequence[str], dialect: int) -> list[list[int]]:
    """What the model reads before each answer; LimitFault where that leaves no room for one."""
    limit = model.config.max_len
    contexts = [tokenizer.context(prompt, dialect) for prompt in prompts]
    for prompt, context in zip(prompts, contexts, strict=True):
        if len(context) >= limit:
            raise LimitFault(
                f"the prompt has {len(context):,} tokens, and the model's context ends at {limit:,}", text=prompt
            )
    return contexts


def _text(tokenizer: TextTokenizer, answer: list[int], guess: Draft | None) -> str:
    """The text of an answer; most answers are their guesses, and that text is known."""
    # A text of known characters comes back from its ids. Whatever stands for something else in there is not ASCII.
    if guess is not None and answer == [*guess.ids, EOS] and UNK not in guess.ids and guess.text.isascii():
        return guess.text
    return tokenizer.answer(answer)


def _finish(model: Decoder, contexts: Sequence[list[int]], begun: Sequence[Verified]) -> list[Verified]:
    """The whole answers to contexts whose answers have begun so."""
    answers = list(begun)
    groups: dict[int, list[int]] = {}
    for index, (context, answer) in enumerate(zip(contexts, begun, strict=True)):
        length = len(context) + len(answer.ids)
        if length < model.config.max_len and answer.ids[-1:] != [EOS]:
            groups.setdefault(length, []).append(index)
    at_once = max(1, _CACHE_FLOATS // KVCache.floats(model.config))
    for group in groups.values():
        for start in range(0, len(group), at_once):
            chunk = group[start : start + at_once]
            read = torch.tensor([contexts[index] + begun[index].ids for index in chunk], device=model.device)
            for index, rest in zip(chunk, _decode_group(model, read), strict=True):
                answers[index] = Verified(begun[index].ids + rest.ids, min(begun[index].margin, rest.margin))
    return answers


def _decode_group(model: Decoder, ids: torch.Tensor) -> list[Verified]:
    """What follows each of the sequences, all of one length: (B, T) to B answers, [EOS] included."""
    answers: list[list[int]] = [[] for _ in ids]
    smallest = [float("inf")] * len(ids)
    active = list(range(len(ids)))
    tensors, heads = model.tensors(), model.config.heads
    cache = KVCache(model.config, len(ids), model.device)
    for _ in range(model.config.max_len - ids.shape[1]):
        logits = model.project(hidden(tensors, heads, ids, cache)[:, -1])
        if not torch.isfinite(logits).all():
            raise NumericFault(f"the model gave logits that are not finite, after {cache.length} tokens")
        best = logits.topk(2)
        margins = (best.values[:, 0] - best.values[:, 1]).tolist()
        tokens = best.indices[:, 0].tolist()
        for row, token, margin in zip(active, tokens, margins, strict=True):
            answers[row].append(token)
            if margin < smallest[row]:
                smallest[row] = margin
        ids = best.indices[:, :1]
        going = [place for place, token in enumerate(tokens) if token != EOS]
        if not going:
            break
        if len(going) < len(active):
            active = [active[place] for place in going]
            rows = torch.tensor(going, device=model.device)
            cache.keep(rows)
            ids = ids[rows]
    return list(map(Verified, answers, smallest))
