"""Text to token ids and back: Unicode BPE behind a Metaspace pre-tokenizer, as in the paper's appendix.

Metaspace writes a space as U+2581 at the front of the next word. Its usual habit of adding one to the front of a text
is off, and newlines stand alone, so that every text of known characters comes back exactly.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from coc_core.checkpoint import parse_json_object
from coc_core.data import Pair
from coc_core.errors import ArtefactError

SPECIALS = ("[PAD]", "[BOS]", "[EOS]", "[UNK]")
PAD, BOS, EOS, UNK = range(len(SPECIALS))
SEPARATOR = "\n"
NO_TEXT = "\ufffd"
"""Stands for what has no text. No convention's targets hold it, so a target with it is a protocol fault."""

LARGEST_FILE = 16 << 20  # bytes
_SPACE = "\u2581"

ResultT = TypeVar("ResultT")


class TextTokenizer:
    """A trained tokenizer. Nothing in a text is ever read as a special token, and no special token becomes text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.encode_special_tokens = True  # "[EOS]" in a prompt is five characters
        self.size: int = tokenizer.get_vocab_size()

    @classmethod
    def train(cls, pairs: Iterable[Pair], vocab: int, min_frequency: int, *, single_digits: bool) -> "TextTokenizer":
        """Learn the merges from prompt, newline, target; all characters are kept, even if they exceed `vocab`."""
        steps: list[Any] = [
            pre_tokenizers.Split(SEPARATOR, "isolated"),
            pre_tokenizers.Metaspace(_SPACE, prepend_scheme="never"),
        ]
        if single_digits:
            steps.append(pre_tokenizers.Digits(individual_digits=True))
        tokenizer = Tokenizer(models.BPE(unk_token=SPECIALS[UNK]))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
        tokenizer.decoder = decoders.Metaspace(_SPACE, prepend_scheme="never")
        trainer = trainers.BpeTrainer(
            vocab_size=vocab, min_frequency=min_frequency, special_tokens=list(SPECIALS), show_progress=False
        )
        tokenizer.train_from_iterator((pair.prompt + SEPARATOR + pair.target for pair in pairs), trainer)
        return cls(tokenizer)

    @classmethod
    def from_json(cls, data: bytes, where: str) -> "TextTokenizer":
        """The tokenizer that `to_json` wrote; ArtefactError, naming `where`, for anything else."""
        if len(data) > LARGEST_FILE:
            raise ArtefactError(f"{where} is larger than {LARGEST_FILE:,} bytes")
        check(parse_json_object(data, where), where)
        return cls(_trapped(lambda: Tokenizer.from_str(data.decode()), where))

    def to_json(self) -> bytes:
        """The text of `tokenizer.json`."""
        return (json.dumps(json.loads(self._tokenizer.to_str()), ensure_ascii=False, indent=1) + "\n").encode()

    def encode(self, text: str) -> list[int]:
        """The ids of a text; an unknown character is [UNK]."""
        return self._tokenizer.encode(text.replace(_SPACE, NO_TEXT)).ids

    def context(self, prompt: str) -> list[int]:
        """What the model reads before it writes the target: [BOS], the prompt, the separator."""
        return [BOS, *self.encode(prompt), *self.encode(SEPARATOR)]

    def example(self, pair: Pair) -> tuple[list[int], int]:
        """[BOS] prompt separator target [EOS], and the index at which the target begins."""
        context = self.context(pair.prompt)
        return [*context, *self.encode(pair.target), EOS], len(context)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the ids, with U+FFFD for each special token among them."""
        pieces, run = list[str](), list[int]()
        for token in ids:
            if token < len(SPECIALS):
                pieces += (self._tokenizer.decode(run), NO_TEXT)
                run = []
            else:
                run.append(token)
        return "".join(pieces) + self._tokenizer.decode(run)


_SPLIT = {"type": "Split", "pattern": {"String": SEPARATOR}, "behavior": "Isolated", "invert": False}
_METASPACE = {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": "never", "split": True}
_DIGITS = {"type": "Digits", "individual_digits": True}
_MODEL = {
    "type": "BPE",
    "dropout": None,
    "unk_token": SPECIALS[UNK],
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
    "ignore_merges": False,
}
_ADDED = [
    {
        "id": index,
        "content": name,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }
    for index, name in enumerate(SPECIALS)
]
_ALLOWED: Mapping[str, tuple[Any, ...]] = {
    "version": ("1.0",),
    "truncation": (None,),
    "padding": (None,),
    "added_tokens": (_ADDED,),
    "normalizer": (None,),
    "pre_tokenizer": tuple(
        {"type": "Sequence", "pretokenizers": steps} for steps in ([_SPLIT, _METASPACE], [_SPLIT, _METASPACE, _DIGITS])
    ),
    "post_processor": (None,),
    "decoder": (_METASPACE,),
}
"""What each part of a tokenizer file may be: what training writes, and nothing that a stranger could add."""


def check(parsed: Mapping[str, Any], where: str) -> None:
    """ArtefactError unless the parsed tokenizer file is of the kind that `TextTokenizer.train` makes."""
    for name in sorted({*parsed, *_ALLOWED, "model"}):
        if name not in parsed:
            raise ArtefactError(f"{where} lacks {name!r}")
        if name != "model" and parsed[name] not in _ALLOWED.get(name, ()):
            raise ArtefactError(f"{where}: {name!r} is not one that coc makes: {json.dumps(parsed[name])[:80]}")
    model = parsed["model"]
    if not isinstance(model, dict) or model.keys() != {*_MODEL, "vocab", "merges"}:
        raise ArtefactError(f"{where}: the model is no BPE of the known form")
    for name, expected in _MODEL.items():
        if model[name] != expected:
            raise ArtefactError(f"{where}: the model's {name!r} must be {json.dumps(expected)}")
    vocab, merges = model["vocab"], model["merges"]
    if not isinstance(vocab, dict) or not all(type(index) is int for index in vocab.values()):
        raise ArtefactError(f"{where}: the vocabulary is no table of ids")
    if sorted(vocab.values()) != list(range(len(vocab))):
        raise ArtefactError(f"{where}: the ids of the vocabulary are not 0 to {len(vocab) - 1}")
    if [vocab.get(name) for name in SPECIALS] != list(range(len(SPECIALS))):
        raise ArtefactError(f"{where}: the special tokens are not the first ids of the vocabulary")
    if not isinstance(merges, list) or not all(_is_merge(merge, vocab) for merge in merges):
        raise ArtefactError(f"{where}: a merge is no pair of tokens whose union is a token")


def _is_merge(merge: object, vocab: Mapping[str, int]) -> bool:
    match merge:
        case [str(left), str(right)]:
            return left in vocab and right in vocab and left + right in vocab
    return False


def _trapped(call: Callable[[], ResultT], where: str) -> ResultT:
    """The call's result; whatever it raises is an ArtefactError.

    tokenizers panics on some files, and pyo3's PanicException is a BaseException but no Exception.
    """
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        raise ArtefactError(f"{where} can't be read as a tokenizer: {error!s:.120}") from None
