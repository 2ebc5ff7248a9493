"""Greedy decoding, many prompts at a time.

Sequences are grouped by their number of tokens, so none is ever padded and positions are those of training.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from attrs import Factory, frozen

from coc_core.errors import LimitFault, NumericFault
from coc_transformer.drafts import NOTHING, Checked, check
from coc_transformer.model import Cache, Decoder, hidden
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.tokens import EOS, NO_TEXT

_CACHE_FLOATS = 1 << 26  # of all sequences that are decoded at once
_SMALL = 4_000_000  # parameters


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


@torch.inference_mode()
def decode(
    model: Decoder,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    dialect: int = 0,
) -> Decoded:
    """The most likely token again and again, until [EOS] or until the context is full.

    `drafts` are guesses at the texts, one for each prompt: what is right of them costs less, and they change nothing
    else. `dialect` is an index among those of the tokenizer. A text that the context cut off ends in U+FFFD, so that no
    prefix of an answer passes for one. Raises LimitFault for a prompt that leaves no room for a target, NumericFault if
    a logit is not finite.
    """
    limit = model.config.max_len
    contexts = [tokenizer.context(prompt, dialect) for prompt in prompts]
    for prompt, context in zip(prompts, contexts, strict=True):
        if len(context) >= limit:
            raise LimitFault(
                f"the prompt has {len(context):,} tokens, and the model's context ends at {limit:,}", text=prompt
            )
    with _threads_for(model):
        if drafts is None:
            begun = [NOTHING] * len(prompts)
        else:
            begun = check(model, contexts, [tokenizer.encode(draft) for draft in drafts])
        answers = _finish(model, contexts, begun)
    return Decoded([_text(tokenizer, answer.ids) for answer in answers], [answer.lead for answer in answers])


def _text(tokenizer: TextTokenizer, answer: list[int]) -> str:
    return tokenizer.decode(answer[:-1]) if answer[-1] == EOS else tokenizer.decode(answer) + NO_TEXT


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


def _finish(model: Decoder, contexts: Sequence[list[int]], begun: Sequence[Checked]) -> list[Checked]:
    """The whole answers to contexts whose answers have begun so."""
    answers = list(begun)
    groups: dict[int, list[int]] = {}
    for index, (context, answer) in enumerate(zip(contexts, begun, strict=True)):
        length = len(context) + len(answer.ids)
        if length < model.config.max_len and answer.ids[-1:] != [EOS]:
            groups.setdefault(length, []).append(index)
    at_once = max(1, _CACHE_FLOATS // Cache.floats(model.config))
    for group in groups.values():
        for start in range(0, len(group), at_once):
            chunk = group[start : start + at_once]
            rows = torch.tensor([contexts[index] + begun[index].ids for index in chunk])
            for index, rest in zip(chunk, _decode_group(model, rows), strict=True):
                answers[index] = Checked(begun[index].ids + rest.ids, min(begun[index].lead, rest.lead))
    return answers


def _decode_group(model: Decoder, ids: torch.Tensor) -> list[Checked]:
    """What follows each of the sequences, all of one length: (B, T) to B answers, [EOS] included."""
    answers: list[list[int]] = [[] for _ in ids]
    smallest = [float("inf")] * len(ids)
    active = list(range(len(ids)))
    tensors, heads = model.tensors(), model.config.heads
    cache = Cache(model.config, len(ids))
    for _ in range(model.config.max_len - ids.shape[1]):
        logits = model.project(hidden(tensors, heads, ids, cache)[:, -1])
        if not torch.isfinite(logits).all():
            raise NumericFault(f"the model gave logits that are not finite, after {cache.length} tokens")
        best = logits.topk(2)
        leads = (best.values[:, 0] - best.values[:, 1]).tolist()
        tokens = best.indices[:, 0].tolist()
        for row, token, lead in zip(active, tokens, leads, strict=True):
            answers[row].append(token)
            if lead < smallest[row]:
                smallest[row] = lead
        ids = best.indices[:, :1]
        going = [place for place, token in enumerate(tokens) if token != EOS]
        if not going:
            break
        if len(going) < len(active):
            active = [active[place] for place in going]
            cache.keep(torch.tensor(going))
            ids = ids[going]
    return list(map(Checked, answers, smallest))
