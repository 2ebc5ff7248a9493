"""The backend `numpy`: a checkpoint of `coc_transformer` behind the core's model interface, without torch."""

from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from coc_core.errors import UsageError
from coc_core.extras import needs_extra
from coc_core.models import Identity, TargetMargin, TokenScore, requested_device
from coc_transformer.checkpoint_model import CheckpointModel, Example, dialect_index, token_scores
from coc_transformer.continuation import EMPTY, Ids, Prefix, check_finite
from coc_transformer.files import checkpoint
from coc_transformer.numpy.decoding import complete, predicted_logits, verify
from coc_transformer.numpy.network import Network


class NumpyTransformer(CheckpointModel):
    """A checkpoint that numpy runs.

    Args:
        stored: The checkpoint.
        label: What `describe` calls it where nobody chose it.
        dialect: The index of the dialect that it answers in.
    """

    def __init__(self, stored: checkpoint.Stored, label: str, dialect: int = 0) -> None:
        super().__init__(stored.config, stored.tokenizer, label, dialect)
        self._stored = stored
        self._network = Network(stored.config, stored.tensors, stored.tokenizer.kinds())

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        contexts, texts = self._contexts(prompts), list(drafts or [""] * len(prompts))
        drafted = self._drafts(texts)
        prefixes = verify(self._network, contexts, drafted) if drafts else [EMPTY] * len(prompts)
        return self._texts(complete(self._network, contexts, prefixes), texts, drafted)

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        contexts, texts = self._contexts(prompts), list[str]()
        drafted = self._drafts(drafts)
        prefixes = verify(self._network, contexts, drafted)
        for context, prefix, draft, ids in zip(contexts, prefixes, drafts, drafted, strict=True):
            texts += self._texts(complete(self._network, [context], [prefix]), [draft], [ids])
            if texts[-1] != draft:
                break
        return texts

    def _drawn(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[str]:
        contexts = self._contexts(prompts)
        targets = complete(self._network, contexts, [EMPTY] * len(contexts), list(map(Random, seeds)))
        return [self._tokenizer.target(target.ids) for target in targets]

    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        contexts, limit, names = self._contexts(prompts), self._config.max_len, self._tokenizer.tokens()
        drafts = zip(contexts, self._drafts(targets), strict=True)
        ids = [draft[: limit - len(context)] for context, draft in drafts]
        scores: list[list[TokenScore]] = [[] for _ in ids]
        for index, logits in predicted_logits(self._network, contexts, ids):
            check_finite(logits)
            logits -= logits.max(1, keepdims=True)
            logits -= np.log(np.exp(logits).sum(1, keepdims=True))
            scores[index] = token_scores(names, ids[index], logits, top)
        return scores

    def _margins(self, examples: Sequence[Example], bounded: bool) -> Iterator[TargetMargin]:
        if bounded:
            return self._bounds(examples)
        stored, found = self._stored, dict[int, float]()
        exact = Network(stored.config, stored.tensors, stored.tokenizer.kinds(), np.float64)
        contexts, targets = [context for context, _ in examples], [target for _, target in examples]
        for index, logits in predicted_logits(exact, contexts, targets):
            every = np.arange(len(logits))
            own = logits[every, targets[index]]
            logits[every, targets[index]] = -inf
            found[index] = float((own - logits.max(1)).min())
        return (TargetMargin(found[index]) for index in range(len(examples)))

    def _bounds(self, examples: Sequence[Example]) -> Iterator[TargetMargin]:
        with needs_extra("train", "bounds on rounding, which --no-bounds leaves out, need torch"):
            from coc_transformer.model import decoder_of
            from coc_transformer.rounding import target_margin
        exact = decoder_of(self._stored).double()
        return (target_margin(exact, *example) for example in examples)

    def _contexts(self, prompts: Sequence[str]) -> list[list[int]]:
        """The ids before each target; LimitFault where they leave no room for one."""
        return [self._tokenizer.context_below(self._config.max_len, prompt, self._dialect) for prompt in prompts]

    def _drafts(self, drafts: Sequence[str]) -> list[list[int]]:
        return [self._tokenizer.draft_below(self._config.max_len, draft) for draft in drafts]

    def _texts(self, targets: Sequence[Prefix], drafts: Sequence[str], drafted: Ids) -> list[str]:
        self._note_margin(min((target.margin for target in targets), default=inf))
        found = zip(targets, drafts, drafted, strict=True)
        return [self._tokenizer.target(target.ids, draft, ids) for target, draft, ids in found]


def open_checkpoint(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> NumpyTransformer:
    """Open a checkpoint's folder as the model for one of its dialects.

    Args:
        folder: The checkpoint's folder.
        config: The backend's own keys of its `config.json`, from `coc_core.models.read_config`.
        identity: The rest of its `config.json`, from the same function.
        dialect: The dialect to answer in.

    Raises:
        UsageError: Another device than the CPU is asked for.
        ArtefactError: Anything in the folder is not as it must be.
    """
    device = requested_device()
    if device is not None and device[0] != "cpu":
        raise UsageError(f"{device[1]}: numpy computes on the CPU", remedy="choose the model as torch:NAME")
    stored = checkpoint.load(folder, config)
    index = dialect_index(folder, identity, stored.tokenizer, dialect)
    model = NumpyTransformer(stored, folder.resolve().name, index)
    model.record = {"fingerprint": checkpoint.fingerprint(folder), "numpy": np.__version__}
    return model
