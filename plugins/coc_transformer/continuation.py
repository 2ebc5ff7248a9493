"""Targets, whatever computes the logits: written token by token, or checked against drafts in one pass; and what both
backends have in common, a checkpoint as a model of the core. A pass over a prompt and a draft of its target gives the
likeliest token after each prefix of the draft. Up to the first difference these are the tokens that greedy decoding
would choose, and so is the first one that differs.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coc_core.errors import ArtefactError, NumericFault, StepFault
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
from coc_transformer.files import Shape, length_batches
from coc_transformer.tokenizer import EOS, TextTokenizer

_FLOATS = 1 << 26  # for all sequences that are continued together

Ids = Sequence[list[int]]
Array = NDArray[Any]


class Prefix(NamedTuple):
    """The first ids of a target, and the smallest logit margin of one of them over the next best token."""

    ids: list[int]
    margin: float


EMPTY = Prefix([], inf)


class Reader(Protocol):
    """Sequences that are read token by token; the longest has `length` tokens."""

    @property
    def length(self) -> int: ...

    def read(self, rows: Ids) -> Array:
        """Read the next token of each, or at first any number of tokens; gives the logits after these, (B, V)."""

    def keep(self, rows: list[int]) -> None:
        """Drop all sequences but those with these indices."""


class Runtime(Protocol):
    """What computes a network's logits. Sequences that are continued together may have `most_begun` tokens before those
    that are written, and the rows of `last_logits` may have `most_read`.
    """

    @property
    def config(self) -> Shape: ...
    @property
    def most_begun(self) -> float: ...
    @property
    def most_read(self) -> float: ...

    def computing(self) -> AbstractContextManager[object]:
        """Return a context in which the other methods are called."""

    def begin(self, rows: Ids) -> Reader:
        """Make room for sequences that begin with these, which are the first to read."""

    def last_logits(self, rows: Ids, lengths: Sequence[int]) -> Any:
        """Return the logits of so many of the last tokens of each row, one row after another, (L, V)."""

    def likeliest(self, logits: Any) -> tuple[Array, Array, Array]:
        """Return each row's likeliest token, its margin over the next best, and whether all logits are finite."""

    def array(self, logits: Any) -> Array:
        """Such logits as an array of numpy."""


def verify(runtime: Runtime, contexts: Ids, drafts: Ids) -> list[Prefix]:
    """Return the beginning of each target up to the first difference from its draft, and the token chosen there; an
    empty one where logits are not finite, so that decoding reports it. `contexts` are the ids before each target, fewer
    than `max_len`; `drafts` those of each draft, without [EOS].
    """
    limit = runtime.config.max_len
    targets = [[*draft, EOS][: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]
    prefixes = [EMPTY] * len(targets)
    for batch, ends, logits in _passes(runtime, contexts, targets):
        found = (np.split(each, ends) for each in runtime.likeliest(logits))
        for index, chosen, margins, finite in zip(batch, *found, strict=True):
            target = targets[index]
            differs = np.flatnonzero(chosen != target)
            last = int(differs[0]) if len(differs) else len(target) - 1
            if finite.all():
                prefixes[index] = Prefix([*target[:last], int(chosen[last])], margins[: last + 1].min().item())
    return prefixes


def complete(
    runtime: Runtime, contexts: Ids, prefixes: Sequence[Prefix], numbers: Sequence[Random] | None = None
) -> list[Prefix]:
    """Return the whole target of each context, the ids before it, with [EOS] unless the context ends, given a prefix of
    it. `numbers` are what tokens are drawn with, for each context; None for the likeliest tokens. NumericFault if a
    logit is not finite.
    """
    targets, config = list(prefixes), runtime.config
    limit = config.max_len
    begun = [context + prefix.ids for context, prefix in zip(contexts, prefixes, strict=True)]
    undone = [place for place, row in enumerate(begun) if len(row) < limit and prefixes[place].ids[-1:] != [EOS]]
    rows = [begun[place] for place in undone]
    longest = max(map(len, rows), default=1)
    most = min(runtime.most_begun, _FLOATS / (config.cache_floats() / longest + config.floats_per_token()))
    for batch in length_batches(list(map(len, rows)), most):
        some = [undone[place] for place in batch]
        own = None if numbers is None else [numbers[index] for index in some]
        rests = _continued(runtime, [begun[index] for index in some], own)
        for index, rest in zip(some, rests, strict=True):
            targets[index] = Prefix(prefixes[index].ids + rest.ids, min(prefixes[index].margin, rest.margin))
    return targets


def likeliest(logits: Array) -> tuple[Array, Array]:
    """Return the likeliest token by each row of logits, and how far its logit is above the next best."""
    best = np.partition(logits, -2, 1)
    return logits.argmax(1), best[:, -1] - best[:, -2]


def _drawn(logits: Array, numbers: Sequence[Random]) -> tuple[Array, Array]:
    """Return a token for each row of logits, with the probability that these give it, and no margins."""
    shares = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    cumulative = (shares / shares.sum(1, keepdims=True)).cumsum(1)
    points = np.array([[each.random()] for each in numbers]) * cumulative[:, -1:]
    return (cumulative <= points).sum(1), np.full(len(numbers), inf)


def check_finite(logits: Array, length: int | None = None) -> None:
    """NumericFault unless all logits are finite."""
    if not np.isfinite(logits).all():
        place = "" if length is None else f", after {length} tokens"
        raise NumericFault(f"the model gave logits that are not finite{place}")


def _continued(runtime: Runtime, rows: Ids, numbers: Sequence[Random] | None) -> list[Prefix]:
    """Return what follows each sequence, with [EOS] unless the context ends."""
    room = [runtime.config.max_len - len(row) for row in rows]
    targets, margins, kept = [list[int]() for _ in room], [inf] * len(room), list(range(len(room)))
    active, reader = kept, runtime.begin(rows)
    logits = reader.read(rows)
    while True:
        if len(active) < len(kept):
            logits = logits[[kept.index(row) for row in active]]
        check_finite(logits, reader.length)
        chosen = likeliest(logits) if numbers is None else _drawn(logits, [numbers[row] for row in active])
        unfinished = []
        for row, token, margin in zip(active, *(each.tolist() for each in chosen), strict=True):
            targets[row].append(token)
            margins[row] = min(margins[row], margin)
            if token != EOS and len(targets[row]) < room[row]:
                unfinished.append(row)
        if not unfinished:
            return list(map(Prefix, targets, margins))
        active = unfinished
        if 4 * len(active) <= 3 * len(kept):  # the others go on reading, which is less work than to drop them
            reader.keep([kept.index(row) for row in active])
            kept = active
        logits = reader.read([targets[row][-1:] for row in kept])


def _passes(runtime: Runtime, contexts: Ids, targets: Ids) -> Iterator[tuple[list[int], Array, Any]]:
    """Yield the indices of some targets, where all but the last end, and the logits at their tokens."""
    rows = [context + target[:-1] for context, target in zip(contexts, targets, strict=True)]
    for batch in length_batches(list(map(len, rows)), runtime.most_read):
        lengths = [len(targets[index]) for index in batch]
        yield batch, np.cumsum(lengths[:-1], dtype=int), runtime.last_logits([rows[index] for index in batch], lengths)


def known_logits(runtime: Runtime, contexts: Ids, targets: Ids) -> Iterator[tuple[int, Array]]:
    """Yield the index of each target, and the logits at its tokens, (target, vocabulary)."""
    for batch, ends, logits in _passes(runtime, contexts, targets):
        yield from zip(batch, np.split(runtime.array(logits), ends), strict=True)


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
        contexts, texts = self._contexts(prompts), list(drafts or [""] * len(prompts))
        ids = self._drafted(texts)
        with self._network.computing():
            prefixes = verify(self._network, contexts, ids) if drafts else [EMPTY] * len(prompts)
            targets = complete(self._network, contexts, prefixes)
        self._note_margin(min((target.margin for target in targets), default=inf))
        found = zip(targets, texts, ids, strict=True)
        return [self._tokenizer.target(target.ids, draft, own) for target, draft, own in found]

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        contexts, texts, margin = self._contexts(prompts), list[str](), inf
        drafts = list(drafts)  # they may be computed as they are read
        drafted = self._drafted(drafts)
        with self._network.computing():
            prefixes = verify(self._network, contexts, drafted)
            for context, prefix, draft, ids in zip(contexts, prefixes, drafts, drafted, strict=True):
                (target,) = complete(self._network, [context], [prefix])
                texts.append(self._tokenizer.target(target.ids, draft, ids))
                margin = min(margin, target.margin)
                if texts[-1] != draft:
                    break
        self._note_margin(margin)
        return texts

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        try:
            contexts = self._contexts(prompts)
            with self._network.computing():
                targets = complete(self._network, contexts, [EMPTY] * len(prompts), list(map(Random, seeds)))
            return [self._tokenizer.target(target.ids) for target in targets]
        except StepFault as fault:
            if len(prompts) == 1:
                return [fault]
        alone = zip(prompts, seeds, strict=True)
        return [response for prompt, seed in alone for response in self._sample([prompt], [seed])]

    def score(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> list[list[TokenScore]]:
        contexts, names, limit = self._contexts(prompts), self._tokenizer.tokens(), self._network.config.max_len
        drafts = zip(contexts, self._drafted(targets), strict=True)
        ids = [draft[: limit - len(context)] for context, draft in drafts]
        scores: list[list[TokenScore]] = [[] for _ in ids]
        with self._network.computing():
            for index, logits in known_logits(self._network, contexts, ids):
                check_finite(logits)
                logits -= logits.max(1, keepdims=True)
                logits -= np.log(np.exp(logits).sum(1, keepdims=True))
                best = (-logits).argsort(1, kind="stable")[:, :top].tolist()
                scores[index] = [
                    TokenScore(names[token], float(row[token]), {names[other]: float(row[other]) for other in others})
                    for token, row, others in zip(ids[index], logits, best, strict=True)
                ]
        return scores

    def _contexts(self, prompts: Sequence[str]) -> list[list[int]]:
        """Return the ids before each target; LimitFault where they leave no room for one."""
        limit = self._network.config.max_len
        return [self._tokenizer.context_below(limit, prompt, self._dialect) for prompt in prompts]

    def _drafted(self, drafts: Sequence[str]) -> list[list[int]]:
        return [self._tokenizer.draft_below(self._network.config.max_len, draft) for draft in drafts]

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
        contexts, targets = ([example[part] for example in examples] for part in (0, 1))
        margins, exact = [0.0] * len(examples), self._exact()
        with exact.computing():
            for index, logits in known_logits(exact, contexts, targets):
                own = np.arange(len(logits)), targets[index]
                chosen, logits[own] = logits[own], -inf
                margins[index] = float((chosen - logits.max(1)).min())
        return map(TargetMargin, margins)

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
