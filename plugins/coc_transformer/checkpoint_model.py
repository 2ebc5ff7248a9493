"""A checkpoint as a model of the core, whatever computes with its weights: what both backends have in common."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError, StepFault
from coc_core.models import (
    CONFIG,
    DraftVerifier,
    Identity,
    Pair,
    Response,
    Sampler,
    StatesMargins,
    TargetMargin,
    TokenModel,
    TokenScore,
)
from coc_core.text import counted
from coc_transformer.assumptions import float32_assumptions
from coc_transformer.continuation import Runtime, decode, decode_until_mismatch, logit_margins, sample, score
from coc_transformer.tokenizer import EOS, TextTokenizer

_MARGINS_TOGETHER = 1 << 10  # targets

Example = tuple[list[int], list[int]]
"""The ids before a target, and those of the target with [EOS]."""


class CheckpointModel(DraftVerifier, Sampler, StatesMargins, TokenModel):
    """A trained transformer, decoded greedily, or sampled at temperature 1 in a vote. Margins are differences of
    logits. `label` is what `describe` calls it where nobody chose it; `dialect` is an index.
    """

    name = "transformer"

    def __init__(self, network: Runtime, tokenizer: TextTokenizer, label: str, dialect: int) -> None:
        super().__init__()
        self._network, self._tokenizer, self._label, self._dialect = network, tokenizer, label, dialect

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        texts, margins = decode(self._network, self._tokenizer, prompts, drafts, self._dialect)
        self._note_margin(min(margins, default=inf))
        return texts

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        texts, margins = decode_until_mismatch(self._network, self._tokenizer, prompts, drafts, self._dialect)
        self._note_margin(min(margins, default=inf))
        return texts

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        try:
            return [*sample(self._network, self._tokenizer, prompts, seeds, self._dialect)]
        except StepFault as fault:
            if len(prompts) == 1:
                return [fault]
        alone = zip(prompts, seeds, strict=True)
        return [response for prompt, seed in alone for response in self._sample([prompt], [seed])]

    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        return score(self._network, self._tokenizer, prompts, targets, top, self._dialect)

    def encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text)

    def decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(ids)

    def unknown_character(self, text: str) -> str | None:
        return self._tokenizer.unknown_character(text)

    @property
    def assumptions(self) -> Mapping[str, str]:
        return float32_assumptions()

    def margins(self, pairs: Iterable[Pair], *, bounded: bool) -> Iterator[TargetMargin]:
        remaining = iter(pairs)
        while some := list(islice(remaining, _MARGINS_TOGETHER)):
            examples = list(map(self._example, some))
            found = self._margins([example for example in examples if example is not None], bounded)
            yield from (TargetMargin(-inf) if example is None else next(found) for example in examples)

    def _margins(self, examples: Sequence[Example], bounded: bool) -> Iterator[TargetMargin]:
        """Return the margins of targets that the model can write."""
        if bounded and (decoder := self._exact_decoder()) is not None:
            from coc_transformer.rounding import target_margin

            return (target_margin(decoder, *example) for example in examples)
        return map(TargetMargin, logit_margins(self._exact(), examples))

    @abstractmethod
    def _exact(self) -> Runtime:
        """Return the network in float64."""

    @abstractmethod
    def _exact_decoder(self) -> Any:
        """Return the decoder of torch in float64; None for a network whose rounding is not analysed."""

    def _example(self, pair: Pair) -> Example | None:
        """Return the ids of a prompt and of its target with [EOS]; None if the model can't write these."""
        limit = self._network.config.max_len
        context = self._tokenizer.context_below(limit, pair.prompt, self._dialect)
        target = [*self._tokenizer.encode(pair.target), EOS]
        writes_it = self._tokenizer.target(target) == pair.target and len(context) + len(target) <= limit
        return (context, target) if writes_it else None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self._network.config.parameters()

    def describe(self) -> str:
        return f"{self.choice or self._label} ({self.name}, {counted(self.parameters, 'parameter')})"


def dialect_index(folder: Path, identity: Identity, tokenizer: TextTokenizer, dialect: str) -> int:
    """Return the index of a dialect of a checkpoint; ArtefactError if it has another number of them, or lacks it."""
    if len(identity.dialects) != tokenizer.dialects:
        raise ArtefactError(
            f"{folder / CONFIG} lists {len(identity.dialects)} dialects, and its tokenizer has {tokenizer.dialects}"
        )
    if dialect not in identity.dialects:
        raise ArtefactError(f"the checkpoint {folder} is for {', '.join(identity.dialects)}, not {dialect}")
    return identity.dialects.index(dialect)
