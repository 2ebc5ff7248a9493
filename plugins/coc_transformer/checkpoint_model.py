"""A checkpoint as a model of the core, whatever computes with its weights: what both backends have in common."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from pathlib import Path

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
from coc_transformer.files import Shape, weights
from coc_transformer.tokenizer import EOS, TextTokenizer

_MARGINS_TOGETHER = 1 << 10  # targets

Example = tuple[list[int], list[int]]
"""The ids before a target, and those of the target with [EOS]."""


class CheckpointModel(DraftVerifier, Sampler, StatesMargins, TokenModel):
    """A trained transformer, decoded greedily. Margins are differences of logits.

    In a vote, it is sampled at temperature 1.

    Args:
        config: The network's size.
        tokenizer: The tokenizer.
        label: What `describe` calls it where nobody chose it.
        dialect: The index of the dialect that it answers in.
    """

    name = "transformer"

    def __init__(self, config: Shape, tokenizer: TextTokenizer, label: str, dialect: int) -> None:
        super().__init__()
        self._config, self._tokenizer, self._label, self._dialect = config, tokenizer, label, dialect

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        try:
            return [*self._drawn(prompts, seeds)]
        except StepFault as fault:
            if len(prompts) == 1:
                return [fault]
        alone = zip(prompts, seeds, strict=True)
        return [response for prompt, seed in alone for response in self._sample([prompt], [seed])]

    @abstractmethod
    def _drawn(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[str]:
        """Sampled targets; a StepFault of one prompt is that of all."""

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

    @abstractmethod
    def _margins(self, examples: Sequence[Example], bounded: bool) -> Iterator[TargetMargin]:
        """The margins of targets that the model can write."""

    def _example(self, pair: Pair) -> Example | None:
        """The ids of a prompt and of its target with [EOS]; None if the model can't write these ids for that text."""
        limit = self._config.max_len
        context = self._tokenizer.context_below(limit, pair.prompt, self._dialect)
        target = [*self._tokenizer.encode(pair.target), EOS]
        writes_it = self._tokenizer.target(target) == pair.target and len(context) + len(target) <= limit
        return (context, target) if writes_it else None

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self._config.parameters()

    def describe(self) -> str:
        return f"{self.choice or self._label} ({self.name}, {counted(self.parameters, 'parameter')})"


def dialect_index(folder: Path, identity: Identity, tokenizer: TextTokenizer, dialect: str) -> int:
    """The index of a dialect of a checkpoint; ArtefactError if it has another number of them, or lacks it."""
    if len(identity.dialects) != tokenizer.dialects:
        raise ArtefactError(
            f"{folder / CONFIG} lists {len(identity.dialects)} dialects, and its tokenizer has {tokenizer.dialects}"
        )
    if dialect not in identity.dialects:
        raise ArtefactError(f"the checkpoint {folder} is for {', '.join(identity.dialects)}, not {dialect}")
    return identity.dialects.index(dialect)


def token_scores(names: Sequence[str], target: Sequence[int], logprobs: weights.Array, top: int) -> list[TokenScore]:
    """The scores of one target, from logarithms of probabilities, (target, vocab)."""
    best = (-logprobs).argsort(1, kind="stable")[:, :top].tolist()
    return [
        TokenScore(names[token], float(row[token]), {names[other]: float(row[other]) for other in others})
        for token, row, others in zip(target, logprobs, best, strict=True)
    ]
