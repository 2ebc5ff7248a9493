"""Text to token ids and back. Decoding restores every text of known characters exactly. There are four kinds of tokens.
`merged` is the paper's: Unicode BPE after a Metaspace pre-tokenizer. `digits` is the same with a token for each digit.
`exact` and `binary` are described in `coc_transformer.tokenizer.tokens`. Metaspace writes a space as U+2581 at the
front of the next word; here it adds none to the front of a text, and newlines are tokens of their own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from coc_core.errors import ArtefactError, LimitFault, UsageError
from coc_core.extras import needs_extra
from coc_core.models import Pair
from coc_core.storage import parse_json_object
from coc_core.text import counted
from coc_transformer.tokenizer.tokens import (
    ADJACENT,
    BOS,
    EOS,
    FIELD,
    IMPLIED,
    LONGEST_TOKEN,
    NO_TEXT,
    NOTATIONS,
    SEPARATOR,
    SPACE,
    SPECIALS,
    UNK,
    Notation,
    begins_with_name,
    check_file,
    denormalise,
    kind_of,
    normalise,
    specials,
    splitter,
    stem_of,
    without_merges,
)

LARGEST_FILE = 4 << 20  # bytes

_WORDS = re.compile(f"{SEPARATOR}|{SPACE}?[^{SPACE}{SEPARATOR}]+|{SPACE}")
"""The words that `merged` and `digits` read one by one."""

_KEPT_WORDS = 1 << 14

_PARTS = {brackets: re.compile(rf"[^\[]*+(?:\[++{sign}|\Z)").findall for brackets, sign in ((False, "-?"), (True, ""))}
"""The parts of a text that can be read alone with a `Notation`: no token, name or number goes on after their ends."""
_KEPT_PARTS = 1 << 12
_LONGEST_PART = 1 << 10


class TextTokenizer:
    """A trained tokenizer. No text is ever encoded as a special token, and no special token is decoded to text.
    `notation` is how numbers are written, None for the kinds `merged` and `digits`, which leave them as they are;
    `size` is the size of the vocabulary.
    """

    def __init__(self, file: Mapping[str, Any], notation: Notation | None) -> None:
        self._file, self.notation = file, notation
        self._specials = len(file["added_tokens"])
        self._ids: Mapping[str, int] = file["model"]["vocab"]
        self._tokens = sorted(self._ids, key=self._ids.__getitem__)
        texts = [token if notation else token.replace(SPACE, " ") for token in self._tokens[self._specials :]]
        self._texts = [NO_TEXT] * self._specials + texts
        self._ranks = {(left, right): rank for rank, (left, right) in enumerate(file["model"]["merges"])}
        self.size = len(self._ids)
        self.dialects = max(1, self._specials - len(SPECIALS))
        self._longest = max(map(len, self._tokens[self._specials :]), default=1)
        self._split = splitter(notation) if notation else _WORDS.findall
        self._in_parts = lru_cache(_KEPT_WORDS)(self._merged)
        self._known_part = lru_cache(_KEPT_PARTS)(self._read)
        named = self._tokens[self._specials :] if notation else []
        self._names = {token: self._ids[token] for token in named if stem_of(token) is not None}
        self._separator = self.encode(SEPARATOR)

    @classmethod
    def train(
        cls,
        pairs: Iterable[Pair],
        vocab: int,
        min_frequency: int,
        *,
        tokens: str,
        dialects: int = 1,
        name_pool: Iterable[str] = (),
    ) -> "TextTokenizer":
        """Learn the tokens, of one of the kinds, from prompts and targets.

        `vocab` is the largest size of the vocabulary, which only the characters themselves may exceed; `min_frequency`
        how often a pair of tokens, or a chunk, must occur to become one; `name_pool`, with `exact` or `binary` tokens,
        names that get a token whether they occur or not. UsageError if these don't fit into the vocabulary.
        """
        if tokens in NOTATIONS:
            texts, notation = chain.from_iterable(pairs), NOTATIONS[tokens]
            return cls(_exact(texts, notation, vocab, min_frequency, dialects, tuple(name_pool)), notation)
        return cls(_with_merges(pairs, vocab, min_frequency, dialects, digits=tokens == "digits"), None)

    @classmethod
    def from_json(cls, data: bytes, where: str) -> "TextTokenizer":
        """Read what `to_json` wrote; ArtefactError, naming `where`, for anything else."""
        if len(data) > LARGEST_FILE:
            raise ArtefactError(f"{where} is larger than {LARGEST_FILE:,} bytes")
        parsed = parse_json_object(data, where)
        return cls(parsed, check_file(parsed, where))

    def to_json(self) -> bytes:
        """Return the contents of `tokenizer.json`."""
        return (json.dumps(self._file, ensure_ascii=False, indent=1) + "\n").encode()

    def kinds(self) -> list[int]:
        """Return the counter that each id advances (`tokens.kind_of`)."""
        named = self._tokens[self._specials :]
        return [FIELD] * self._specials + [kind_of(token.replace(SPACE, " ")) for token in named]

    def names(self) -> dict[str, list[int]]:
        """Return the ids of the names, by their letters; none unless the tokens are `exact` or `binary`."""
        kinds: dict[str, list[int]] = {}
        for token, number in self._names.items():
            kinds.setdefault(stem_of(token) or "", []).append(number)
        return kinds

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, with [UNK] for each unknown character. Parts that many texts have are read once."""
        if not self.notation:
            return self._read(text)
        ids = list[int]()
        for part in _PARTS[self.notation.brackets](text):
            ids += self._known_part(part) if len(part) <= _LONGEST_PART else self._read(part)
        return ids

    def _read(self, text: str) -> list[int]:
        *items, last = text.split(IMPLIED)
        if items and len(last) <= _LONGEST_PART and begins_with_name(last):
            with suppress(KeyError):  # where something else than names is between the commas
                return [*map(self._names.__getitem__, items), *self._known_part(last)]
        ids = list[int]()
        for piece in self._pieces(text):
            number = self._ids.get(piece) if self.notation else None
            if number is None:
                ids += self._in_parts(piece)
            else:
                ids.append(number)
        return ids

    def unknown_character(self, text: str) -> str | None:
        """Return the first character of a prepared text that is read as [UNK]; None if there is none."""
        for piece in self._pieces(text):
            for character in "" if self.notation and piece in self._ids else piece:
                if character not in self._ids:
                    return character if self.notation else character.replace(SPACE, " ")
        return None

    def tokens(self) -> list[str]:
        """Return the tokens as the vocabulary has them, in the order of their ids."""
        return list(self._tokens)

    def _pieces(self, text: str) -> list[str]:
        prepared = self._prepared(text)
        return self._split(prepared if self.notation else prepared.replace(" ", SPACE))

    def _merged(self, piece: str) -> list[int]:
        """Return the ids of a piece's characters, neighbours merged, the pair of the lowest rank first."""
        parts = list(piece)
        while self._ranks and len(parts) > 1:
            first = min(pairwise(parts), key=lambda pair: self._ranks.get(pair, len(self._ranks)))
            if first not in self._ranks:
                break
            joined = list[str]()
            for part in parts:
                if joined and (joined[-1], part) == first:
                    joined[-1] += part
                else:
                    joined.append(part)
            parts = joined
        return [self._ids.get(part, UNK) for part in parts]

    def _prepared(self, text: str) -> str:
        if not text.isascii():
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # a lone surrogate is not text
        return normalise(text, self.notation) if self.notation else text.replace(SPACE, NO_TEXT)

    def context(self, prompt: str, dialect: int = 0) -> list[int]:
        """Return the ids before the target: [BOS] or the dialect's token, the prompt, the separator."""
        first = BOS if self.dialects == 1 else len(SPECIALS) + dialect
        return [first, *self.encode(prompt), *self._separator]

    def context_below(self, limit: int, prompt: str, dialect: int = 0) -> list[int]:
        """Return the ids before the target, fewer than `limit`; otherwise LimitFault. A prompt that is certainly too
        long is not encoded, since that takes time that grows with the square of a word's length.
        """
        fewest = len(self._prepared(prompt)) // self._longest if len(prompt) > limit else 0
        context = self.context(prompt, dialect) if fewest < limit else []
        if not context or len(context) >= limit:
            count = f"{len(context):,}" if context else f"at least {fewest:,}"
            raise LimitFault(f"the prompt has {count} tokens, and the model's context ends at {limit:,}", text=prompt)
        return context

    def draft_below(self, limit: int, draft: str) -> list[int]:
        """Return the ids of a draft; none if there are certainly `limit` or more, for the same reason."""
        if len(draft) > limit and len(self._prepared(draft)) >= limit * self._longest:
            return []
        return self.encode(draft)

    def example(self, pair: Pair, dialect: int = 0) -> tuple[list[int], int]:
        """Return the ids of context, target and [EOS], and the index at which the target begins."""
        context = self.context(pair.prompt, dialect)
        return [*context, *self.encode(pair.target), EOS], len(context)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the ids, with U+FFFD for each special token among them."""
        text = "".join([self._texts[token] for token in ids])
        return denormalise(text, self.notation) if self.notation else text

    def target(self, ids: Sequence[int], draft: str = "", drafted: Sequence[int] = ()) -> str:
        """Return the text of a target that ends with [EOS]; one that was cut off gets U+FFFD at its end. A draft whose
        ids are those of the target is not decoded, since it is known what that would give.
        """
        if not ids or ids[-1] != EOS:
            return self.decode(ids) + NO_TEXT
        if drafted and ids[:-1] == drafted and self.notation and draft.isascii() and UNK not in drafted:
            return draft
        return self.decode(ids[:-1])


def _exact(
    texts: Iterable[str], notation: Notation, vocab: int, min_frequency: int, dialects: int, pool: Sequence[str]
) -> Mapping[str, Any]:
    """Return the file of a tokenizer of names, those of the pool first, digits, the most frequent chunks, each at least
    `min_frequency` times, and characters, as which other chunks are read.
    """
    split, counts = splitter(notation), Counter[str]()
    for text in texts:
        counts.update(split(normalise(text, notation)))
    characters = sorted({character for piece in (*counts, *pool) for character in piece} | {SEPARATOR, ADJACENT})
    names = [*specials(dialects), *characters, *pool]
    if pool and len(names) > vocab:
        raise UsageError(
            f"a pool of {counted(len(pool), 'name')} makes a vocabulary of {len(names):,} tokens at least",
            remedy=f"lower 'name_pool', or raise 'vocab' from {vocab:,}",
        )
    known = set(pool)
    frequent = sorted(
        (-count, piece)
        for piece, count in counts.items()
        if 1 < len(piece) <= LONGEST_TOKEN and count >= min_frequency and piece not in known
    )
    names += [piece for _, piece in frequent[: max(0, vocab - len(names))]]
    return without_merges(names, notation, specials(dialects))


def _with_merges(
    pairs: Iterable[Pair], vocab: int, min_frequency: int, dialects: int, *, digits: bool
) -> Mapping[str, Any]:
    """Return the file of a tokenizer that merges characters, as the library trains it."""
    with needs_extra("train", "training a tokenizer needs the package tokenizers"):
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    steps: list[Any] = [pre_tokenizers.Split(SEPARATOR, "isolated"), pre_tokenizers.Metaspace(prepend_scheme="never")]
    if digits:
        steps.append(pre_tokenizers.Digits(individual_digits=True))
    tokenizer = Tokenizer(models.BPE(unk_token=SPECIALS[UNK]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    trainer = trainers.BpeTrainer(
        vocab_size=vocab,
        min_frequency=min_frequency,
        special_tokens=list(specials(dialects)),
        show_progress=False,
        max_token_length=LONGEST_TOKEN,
    )
    tokenizer.train_from_iterator((pair.prompt + SEPARATOR + pair.target for pair in pairs), trainer)
    return dict(json.loads(tokenizer.to_str()))
