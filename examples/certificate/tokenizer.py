"""The tokenizer: text to tokens and back, as `tokenizer.json` says."""

import math
import re
from itertools import pairwise
from typing import Any

import numpy as np

from certificate.strict import fields, require

NAME = "[A-Za-z]+[0-9]+"
SPACE, ADJACENT = "\u2581", "\u2060"
LONGEST_NUMBER = 599  # digits
LONG_WORD = "[A-Za-z]{1000}|[^ \n]{20000}"  # which takes quadratic time
FIELD, ITEM, SYMBOL, SEPARATOR = range(4)
LINES = {"type": "Split", "pattern": {"String": "\n"}, "behavior": "Isolated", "invert": False}
WORDS = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "never", "split": True}
DIGITS = {"type": "Digits", "individual_digits": True}
CHUNKS = rf"(?:(?!{NAME})[^0-9\[])*\[+-?|(?:(?!{NAME})[^0-9\[])+"
PATTERNS = {rf"{NAME}|[0-9]|{CHUNKS}", rf"{NAME}|[01]|{CHUNKS}", rf"{NAME}|[01]|[\[\]]|(?:(?!{NAME})[^0-9\[\]])+"}
FIXED = {"version": "1.0", "truncation": None, "padding": None, "normalizer": None, "post_processor": None}
MODEL = {
    "type": "BPE",
    "dropout": None,
    "unk_token": "[UNK]",
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
}
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}


class Tokenizer:
    """Names, digits and chunks, or byte-pair encoding. Refuses a document that coc would not open."""

    def __init__(self, document: dict[str, Any], size: int, dialects: int) -> None:
        names = [*FIXED, "added_tokens", "pre_tokenizer", "decoder", "model"]
        fields(document, "tokenizer.json", dict.fromkeys(names, (str, type(None), list, dict)))
        self.pattern, self.digits = _kind(document)
        numbered = [f"[DIALECT{index}]" for index in range(dialects if dialects > 1 else 0)]
        special = ["[PAD]", "[BOS]", "[EOS]", "[UNK]", *numbered]
        added = [{"id": index, "content": name} | FLAGS for index, name in enumerate(special)]
        known = {name: document[name] for name in FIXED} == FIXED and 1 <= dialects <= 16
        require(known and document["added_tokens"] == added, "other special tokens")
        model = document["model"]
        expected = MODEL | {"ignore_merges": self.pattern is not None}
        require(type(model) is dict and model.keys() == {*expected, "vocab", "merges"}, "the tokenizer is no BPE")
        require({name: model[name] for name in expected} == expected, "the tokenizer is a BPE of another kind")
        self.vocab: dict[str, int] = model["vocab"]
        require(type(self.vocab) is dict and all(type(id) is int for id in self.vocab.values()), "no table of ids")
        require(sorted(self.vocab.values()) == list(range(size)), f"the ids of the tokens are not 0 to {size - 1}")
        self.tokens = sorted(self.vocab, key=self.vocab.__getitem__)
        require(self.tokens[: len(special)] == special, "the special tokens are not the first ones")
        require(max(map(len, self.tokens)) <= 1000, "a token is too long")
        merges = model["merges"]
        pairs = type(merges) is list and all(type(merge) is list and len(merge) == 2 for merge in merges)
        require(pairs and not (merges and self.pattern), "the merges are not pairs")
        require(
            all({*merge, "".join(merge)} <= self.vocab.keys() - {*special} for merge in merges), "a merge is no token"
        )
        self.specials, self.ranks = len(special), {tuple(merge): rank for rank, merge in enumerate(merges)}

    def encode(self, text: str) -> list[int]:
        """Return the ids of an ASCII text, which must be the text of these ids."""
        require(text.isascii() and not re.search(LONG_WORD, text), f"{text!r:.60} is not ASCII, or has too long a word")
        found = [token for piece in self.pieces(text) for token in self.merged(piece)]
        require(all(self.vocab.get(token, 0) >= self.specials for token in found), f"{text!r} has unknown characters")
        require(self.text("".join(found)) == text, f"{text!r} is the text of other tokens")
        return [self.vocab[token] for token in found]

    def pieces(self, text: str) -> list[str]:
        """Return the parts of a text, each a token or several."""
        if self.pattern:
            return [found[0] for found in re.finditer(f"{self.pattern}|.", self.normalised(text), re.DOTALL)]
        parts = re.findall(f"\n|{SPACE}[^{SPACE}\n]*|[^{SPACE}\n]+", text.replace(" ", SPACE))
        return [piece for part in parts for piece in (re.findall("[0-9]|[^0-9]+", part) if self.digits else [part])]

    def normalised(self, text: str) -> str:
        """Return numbers with their units first, in decimal or binary, and lists of names without commas."""
        return re.sub(f"(?P<names>(?<![A-Za-z]){NAME}(?:(?:, )?{NAME})*)|[0-9]+", self.rewritten, text)

    def rewritten(self, found: re.Match[str]) -> str:
        """Return a list of names, or a number, as the tokens have it."""
        if found["names"]:
            return re.sub("(?<=[0-9])(?=[A-Za-z])", ADJACENT, found["names"]).replace(", ", "")
        require(len(found[0]) <= LONGEST_NUMBER, f"{found[0]:.20} has too many digits")
        number = found[0].lstrip("0") or "0"
        return (f"{int(number):b}" if self.binary else number)[::-1] + "0" * (len(found[0]) - len(number))

    @property
    def binary(self) -> bool:
        """Whether numbers are in binary."""
        return self.pattern is not None and "[01]" in self.pattern

    def text(self, written: str) -> str:
        """Return what `normalised` made these tokens of."""
        if not self.pattern:
            return written.replace(SPACE, " ")
        return re.sub(f"(?P<names>(?<![A-Za-z]){NAME}(?:{ADJACENT}?{NAME})*)|[0-9]+", self.read, written)

    def read(self, found: re.Match[str]) -> str:
        """Return a list of names, or a number, as a text has it."""
        if found["names"]:
            return re.sub("(?<=[0-9])(?=[A-Za-z])", ", ", found["names"]).replace(ADJACENT, "")
        digits = found[0][::-1]
        number = digits.lstrip("0") or "0"
        return "0" * (len(digits) - len(number)) + (f"{int(number, 2)}" if self.binary else number)

    def merged(self, piece: str) -> list[str]:
        """Return the tokens of a part."""
        if self.pattern and piece in self.vocab:
            return [piece]
        parts = list(piece)
        while len(parts) > 1:
            rank, at = min((self.ranks.get(pair, math.inf), at) for at, pair in enumerate(pairwise(parts)))
            if rank == math.inf:
                break
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return parts

    def kinds(self) -> np.ndarray:
        """Return which counter each token advances."""
        item = rf"{NAME}|[\[\]()\u2581 ]*,[\[\]()\u2581 ,]*"
        tests = [re.compile(pattern).fullmatch for pattern in (r"[\s\S]*", item, "[0-9]", "\n")]
        kinds = [max(kind for kind, test in enumerate(tests) if test(token)) for token in self.tokens]
        return np.array([FIELD] * self.specials + kinds[self.specials :], np.int8)


def _kind(document: dict[str, Any]) -> tuple[str | None, bool]:
    """Return the pattern of the tokens, None for byte-pair encoding; and whether digits are tokens of their own
    there.
    """
    split, decoder = document["pre_tokenizer"], document["decoder"]
    for digits in (False, True):
        if split == {"type": "Sequence", "pretokenizers": [LINES, WORDS, DIGITS][: 2 + digits]} and decoder == WORDS:
            return None, digits
    for pattern in PATTERNS:
        if split == LINES | {"pattern": {"Regex": pattern}} and decoder == {"type": "Fuse"}:
            return pattern, False
    require(False, "the tokenizer is not of a kind that coc makes")
    raise AssertionError
