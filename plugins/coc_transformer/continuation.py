"""Targets, whatever computes the logits: written token by token, or checked against drafts in one pass. A pass over a
prompt and a draft of its target gives the likeliest token after each prefix of the draft. Up to the first difference
these are the tokens that greedy decoding would choose, and so is the first one that differs.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from math import inf
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coc_core.errors import NumericFault
from coc_core.models import TokenScore
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
    """Sequences that were begun; the longest has `length` tokens."""

    @property
    def length(self) -> int: ...

    def read(self, rows: Ids) -> Array:
        """Read the next token of each; gives the logits after it, (B, V)."""

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

    def begin(self, rows: Ids) -> tuple[Reader, Array]:
        """Begin to read some sequences; gives the logits after them, too."""

    def last_logits(self, rows: Ids, lengths: Sequence[int]) -> Any:
        """Return the logits of so many of the last tokens of each row, one row after another, (L, V)."""

    def likeliest(self, logits: Any) -> tuple[Array, Array, Array]:
        """Return each row's likeliest token, its margin over the next best, and whether all logits are finite."""

    def array(self, logits: Any) -> Array:
        """Such logits as an array of numpy."""


class Decoded(NamedTuple):
    """Decoded texts, in the order of the prompts; and the smallest logit margin of a chosen token of each over the next
    best one, infinity if none was chosen. With margins far above rounding (1e-5), texts are the same in any batch.
    """

    texts: list[str]
    margins: list[float]


def decode(
    runtime: Runtime,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    drafts: Sequence[str] | None = None,
    dialect: int = 0,
) -> Decoded:
    """Append the most likely token until [EOS] or the end of the context; return the targets.

    Whatever is right in a draft is decoded faster; it changes no text, and no part of it is returned, since every text
    comes from the ids that the model chose. `dialect` is an index. A target that the end of the context cut off ends in
    U+FFFD, so that it can't pass for a whole one. LimitFault if a prompt leaves no room for a target, NumericFault if a
    logit is not finite.
    """
    contexts = _contexts(runtime, tokenizer, prompts, dialect)
    texts = list(drafts or [""] * len(prompts))  # drafts may be computed as they are read
    ids = [tokenizer.draft_below(runtime.config.max_len, text) for text in texts]
    with runtime.computing():
        prefixes = verify(runtime, contexts, ids) if drafts else [EMPTY] * len(prompts)
        targets = complete(runtime, contexts, prefixes)
    found = zip(targets, texts, ids, strict=True)
    return Decoded(
        [tokenizer.target(target.ids, draft, own) for target, draft, own in found], [each.margin for each in targets]
    )


def decode_until_mismatch(
    runtime: Runtime, tokenizer: TextTokenizer, prompts: Sequence[str], drafts: Sequence[str], dialect: int = 0
) -> Decoded:
    """Do as `decode`, but only for the first prompts: those whose drafts are right, and the one after these."""
    contexts, decoded = _contexts(runtime, tokenizer, prompts, dialect), Decoded([], [])
    drafts = list(drafts)
    drafted = [tokenizer.draft_below(runtime.config.max_len, draft) for draft in drafts]
    with runtime.computing():
        prefixes = verify(runtime, contexts, drafted)
        for context, prefix, draft, ids in zip(contexts, prefixes, drafts, drafted, strict=True):
            (target,) = complete(runtime, [context], [prefix])
            decoded.texts.append(tokenizer.target(target.ids, draft, ids))
            decoded.margins.append(target.margin)
            if decoded.texts[-1] != draft:
                break
    return decoded


def sample(
    runtime: Runtime, tokenizer: TextTokenizer, prompts: Sequence[str], seeds: Sequence[int], dialect: int = 0
) -> list[str]:
    """Do as `decode`, but draw each token with the probability that the model gives it, at temperature 1.

    Each prompt has a seed and random numbers of its own, so that a target doesn't depend on the other prompts, up to
    rounding.
    """
    contexts = _contexts(runtime, tokenizer, prompts, dialect)
    with runtime.computing():
        targets = complete(runtime, contexts, [EMPTY] * len(prompts), list(map(Random, seeds)))
    return [tokenizer.target(target.ids) for target in targets]


def score(
    runtime: Runtime,
    tokenizer: TextTokenizer,
    prompts: Sequence[str],
    targets: Sequence[str],
    top: int,
    dialect: int = 0,
) -> list[list[TokenScore]]:
    """Score the tokens of each target after its prompt; without [EOS], and up to the end of the context. LimitFault if
    a prompt leaves no room for a target, NumericFault if a logit is not finite.
    """
    contexts, names, limit = _contexts(runtime, tokenizer, prompts, dialect), tokenizer.tokens(), runtime.config.max_len
    drafts = (tokenizer.draft_below(limit, target) for target in targets)
    ids = [draft[: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]
    scores: list[list[TokenScore]] = [[] for _ in ids]
    with runtime.computing():
        for index, logits in _known(runtime, contexts, ids):
            check_finite(logits)
            logits -= logits.max(1, keepdims=True)
            logits -= np.log(np.exp(logits).sum(1, keepdims=True))
            best = (-logits).argsort(1, kind="stable")[:, :top].tolist()
            scores[index] = [
                TokenScore(names[token], float(row[token]), {names[other]: float(row[other]) for other in others})
                for token, row, others in zip(ids[index], logits, best, strict=True)
            ]
    return scores


def logit_margins(runtime: Runtime, examples: Sequence[tuple[list[int], list[int]]]) -> list[float]:
    """Return the smallest difference of a token's logit and that of another token, for each target, in the runtime's
    number format; `examples` are the ids before each target, and those of the target with [EOS].
    """
    margins, (contexts, targets) = [0.0] * len(examples), zip(*examples, strict=True) if examples else ((), ())
    with runtime.computing():
        for index, logits in _known(runtime, contexts, targets):
            own = np.arange(len(logits)), targets[index]
            chosen, logits[own] = logits[own], -inf
            margins[index] = float((chosen - logits.max(1)).min())
    return margins


def verify(runtime: Runtime, contexts: Ids, drafts: Ids) -> list[Prefix]:
    """Return the beginning of each target up to the first difference from its draft, and the token chosen there; an
    empty one where logits are not finite, so that decoding reports it. `contexts` are the ids before each target, fewer
    than `max_len`; `drafts` those of each draft, without [EOS].
    """
    limit = runtime.config.max_len
    targets = [[*draft, EOS][: limit - len(context)] for context, draft in zip(contexts, drafts, strict=True)]
    prefixes = [EMPTY] * len(targets)
    for batch, logits in _passes(runtime, contexts, targets):
        chosen, margins, finite = runtime.likeliest(logits)
        end = 0
        for index in batch:
            target, begin = targets[index], end
            end += len(target)
            differs = np.flatnonzero(chosen[begin:end] != target)
            last = int(differs[0]) if len(differs) else len(target) - 1
            if finite[begin:end].all():
                ids = [*target[:last], int(chosen[begin + last])]
                prefixes[index] = Prefix(ids, margins[begin : begin + last + 1].min().item())
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
        choose = likeliest if numbers is None else partial(drawn, [numbers[index] for index in some])
        reader, logits = runtime.begin([begun[index] for index in some])
        rests = _continued(reader, logits, [limit - len(begun[index]) for index in some], choose)
        for index, rest in zip(some, rests, strict=True):
            targets[index] = Prefix(prefixes[index].ids + rest.ids, min(prefixes[index].margin, rest.margin))
    return targets


def likeliest(logits: Array, _rows: Sequence[int] = ()) -> tuple[list[int], list[float]]:
    """Return the likeliest token by each row of logits, and how far its logit is above the next best."""
    best = np.partition(logits, -2, 1)
    return logits.argmax(1).tolist(), (best[:, -1] - best[:, -2]).tolist()


def drawn(numbers: Sequence[Random], logits: Array, rows: Sequence[int]) -> tuple[list[int], list[float]]:
    """Return a token for each row of logits, with the probability that these give it, and no margins."""
    shares = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
    cumulative = (shares / shares.sum(1, keepdims=True)).cumsum(1)
    points = np.array([[numbers[row].random()] for row in rows]) * cumulative[:, -1:]
    return (cumulative <= points).sum(1).tolist(), [inf] * len(rows)


def check_finite(logits: Array, length: int | None = None) -> None:
    """NumericFault unless all logits are finite."""
    if not np.isfinite(logits).all():
        place = "" if length is None else f", after {length} tokens"
        raise NumericFault(f"the model gave logits that are not finite{place}")


def _continued(
    reader: Reader, logits: Array, room: Sequence[int], choose: Callable[..., tuple[list[int], list[float]]]
) -> list[Prefix]:
    """Return what follows each sequence, with [EOS], given the logits after it and the room for tokens that it has."""
    targets, margins, kept = [list[int]() for _ in room], [inf] * len(room), list(range(len(room)))
    active = kept
    while True:
        if len(active) < len(kept):
            logits = logits[[kept.index(row) for row in active]]
        check_finite(logits, reader.length)
        unfinished = []
        for row, token, margin in zip(active, *choose(logits, active), strict=True):
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


def _contexts(runtime: Runtime, tokenizer: TextTokenizer, prompts: Sequence[str], dialect: int) -> list[list[int]]:
    """Return the ids before each target; LimitFault where they leave no room for one."""
    return [tokenizer.context_below(runtime.config.max_len, prompt, dialect) for prompt in prompts]


def _passes(runtime: Runtime, contexts: Ids, targets: Ids) -> Iterator[tuple[list[int], Any]]:
    """Yield the indices of some targets, and the logits at their tokens, those of one target after those of another."""
    rows = [context + target[:-1] for context, target in zip(contexts, targets, strict=True)]
    for batch in length_batches(list(map(len, rows)), runtime.most_read):
        yield batch, runtime.last_logits([rows[index] for index in batch], [len(targets[index]) for index in batch])


def _known(runtime: Runtime, contexts: Ids, targets: Ids) -> Iterator[tuple[int, Array]]:
    """Yield the index of each target, and the logits at its tokens, (target, vocabulary)."""
    for batch, logits in _passes(runtime, contexts, targets):
        ends = np.cumsum([len(targets[index]) for index in batch])
        yield from zip(batch, np.split(runtime.array(logits), ends[:-1]), strict=True)
