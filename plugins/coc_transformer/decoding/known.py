"""Numbers of targets that are already known, from one pass over many of them."""

from collections.abc import Iterator, Sequence
from math import inf

import torch

from coc_core.errors import NumericFault
from coc_core.models import TokenScore
from coc_transformer.checkpoint_model import token_scores
from coc_transformer.decoding.drafts import pass_batches, predicted_logits
from coc_transformer.model import threads_for
from coc_transformer.network import Network
from coc_transformer.tokenizer import TextTokenizer


@torch.inference_mode()
def logit_margins(model: Network, examples: Sequence[tuple[list[int], list[int]]]) -> list[float]:
    """The smallest difference of a token's logit and that of another token, for each target.

    Args:
        model: The model, in the number format in which differences are computed.
        examples: The ids before each target, and those of the target with [EOS].
    """
    rows = [context + target[:-1] for context, target in examples]
    margins = [0.0] * len(rows)
    with threads_for(model.config):
        for batch in pass_batches(model, [len(row) for row in rows]):
            chosen = [examples[index][1] for index in batch]
            logits = predicted_logits(model, [rows[index] for index in batch], chosen)
            for index, margin in zip(batch, _smallest(logits, chosen), strict=True):
                margins[index] = margin
    return margins


def _smallest(logits: torch.Tensor, targets: Sequence[list[int]]) -> Iterator[float]:
    """The smallest margin of each target, whose logits, (predicted, vocab), come one after the other."""
    own = torch.tensor([token for target in targets for token in target], device=logits.device)[:, None]
    margins = logits.gather(1, own)[:, 0] - logits.scatter(1, own, -inf).amax(1)
    return (part.min().item() for part in torch.split(margins, [len(target) for target in targets]))


@torch.inference_mode()
def score(
    model: Network, tokenizer: TextTokenizer, prompts: Sequence[str], targets: Sequence[str], top: int, dialect: int = 0
) -> list[list[TokenScore]]:
    """Score the tokens of each target after its prompt; without [EOS], and up to the end of the context.

    Raises:
        LimitFault: If a prompt leaves no room for a target.
        NumericFault: If a logit is not finite.
    """
    limit = model.config.max_len
    contexts = [tokenizer.context_below(limit, prompt, dialect) for prompt in prompts]
    ids = [
        tokenizer.draft_below(limit, target)[: limit - len(context)]
        for context, target in zip(contexts, targets, strict=True)
    ]
    rows = [context + target[:-1] for context, target in zip(contexts, ids, strict=True)]
    scores: list[list[TokenScore]] = [[] for _ in rows]
    names = tokenizer.tokens()
    with threads_for(model.config):
        for batch in pass_batches(model, [len(row) for row in rows]):
            chosen = [ids[index] for index in batch]
            logits = predicted_logits(model, [rows[index] for index in batch], chosen)
            if not torch.isfinite(logits).all():
                raise NumericFault("the model gave logits that are not finite")
            parts = torch.split(logits.log_softmax(-1).cpu(), [len(target) for target in chosen])
            for index, target, logprobs in zip(batch, chosen, parts, strict=True):
                scores[index] = token_scores(names, target, logprobs.numpy(), top)
    return scores
