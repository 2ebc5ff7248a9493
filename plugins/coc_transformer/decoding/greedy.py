"""Greedy decoding of many prompts at a time, and sampling."""

from collections.abc import Sequence
from math import inf
from random import Random

import torch
from attrs import Factory, frozen

from coc_transformer.continuation import EMPTY, Ids, Prefix, complete
from coc_transformer.decoding.drafts import verify
from coc_transformer.model import threads_for
from coc_transformer.network import Network
from coc_transformer.tokenizer import TextTokenizer


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
    model: Network,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    dialect: int = 0,
) -> Decoded:
    """Append the most likely token until [EOS] or the end of the context.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        prompts: The texts of the prompts.
        drafts: A draft of the target of each prompt. Whatever is right in it is decoded faster; it changes no text, and
            no part of a draft's text is returned, since every text comes from the ids that the model chose.
        dialect: The index of the dialect among those of the tokenizer.

    Returns:
        The targets. One that the end of the context cut off ends in U+FFFD, so that it can't pass for a whole target.

    Raises:
        LimitFault: If a prompt leaves no room for a target.
        NumericFault: If a logit is not finite.
    """
    contexts = _contexts(model, tokenizer, prompts, dialect)
    with threads_for(model.config):
        texts = list(drafts or [""] * len(prompts))  # drafts may be computed as they are read
        drafted = _drafted(model, tokenizer, texts)
        prefixes = verify(model, contexts, drafted) if drafts else [EMPTY] * len(prompts)
        targets = _complete(model, contexts, prefixes)
    found = zip(targets, texts, drafted, strict=True)
    return Decoded(
        [tokenizer.target(target.ids, draft, ids) for target, draft, ids in found], [each.margin for each in targets]
    )


@torch.inference_mode()
def decode_until_mismatch(
    model: Network,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str],
    dialect: int = 0,
) -> Decoded:
    """As `decode`, but only for the first prompts: those whose drafts are right, and the one after these."""
    contexts, decoded = _contexts(model, tokenizer, prompts, dialect), Decoded([])
    with threads_for(model.config):
        drafts = list(drafts)
        drafted = _drafted(model, tokenizer, drafts)
        prefixes = verify(model, contexts, drafted)
        for context, prefix, draft, ids in zip(contexts, prefixes, drafts, drafted, strict=True):
            (target,) = _complete(model, [context], [prefix])
            decoded.texts.append(tokenizer.target(target.ids, draft, ids))
            decoded.margins.append(target.margin)
            if decoded.texts[-1] != draft:
                break
    return decoded


@torch.inference_mode()
def sample(
    model: Network, tokenizer: TextTokenizer, prompts: Sequence[str], seeds: Sequence[int], dialect: int = 0
) -> list[str]:
    """As `decode`, but each token is drawn with the probability that the model gives it, at temperature 1.

    Each prompt has a seed and random numbers of its own, so that a target doesn't depend on the other prompts, up to
    rounding.
    """
    contexts = _contexts(model, tokenizer, prompts, dialect)
    with threads_for(model.config):
        targets = _complete(model, contexts, [EMPTY] * len(prompts), list(map(Random, seeds)))
    return [tokenizer.target(target.ids) for target in targets]


def _contexts(model: Network, tokenizer: TextTokenizer, prompts: Sequence[str], dialect: int) -> list[list[int]]:
    """The ids before each target; LimitFault where they leave no room for one."""
    return [tokenizer.context_below(model.config.max_len, prompt, dialect) for prompt in prompts]


def _drafted(model: Network, tokenizer: TextTokenizer, drafts: Sequence[str]) -> list[list[int]]:
    """The ids of each draft."""
    return [tokenizer.draft_below(model.config.max_len, draft) for draft in drafts]


def _complete(
    model: Network, contexts: Ids, prefixes: Sequence[Prefix], numbers: Sequence[Random] | None = None
) -> list[Prefix]:
    return complete(model.config, model.begin, contexts, prefixes, numbers)
