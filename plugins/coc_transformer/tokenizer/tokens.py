"""The special tokens, the tokens of the kinds `exact`, `binary` and `brackets`, and what `tokenizer.json` may contain:
what training writes, and nothing else.

These three kinds read a text as names (letters followed by a number, `B12`), single digits, and the chunks between them
(` CALL n=`), each a token of its own. The text is normalised first. A number that is not part of a name is written
units first, in decimal or in binary digits. Between two names a comma and a space are implied, so that a list has as
many tokens as items.

With the units first, a sum is written in the order in which it is computed: each digit follows from the digits at its
place and the carry before it. Binary digits help with numbers that are larger than those in training. Up to 20, the
only tens digits are 1 and 2, and a model that is trained on these numbers has never seen a 3 there. In binary, both
digits occur at every place but the highest. Where brackets are tokens of their own, the model says that a list ends
before it decides how the text goes on.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError

SPECIALS = ("[PAD]", "[BOS]", "[EOS]", "[UNK]")
PAD, BOS, EOS, UNK = range(len(SPECIALS))
MOST_DIALECTS = 16
MOST_TOKENS = 65_536
LONGEST_TOKEN = 1_000
"""In characters, so that a response is at most so many times longer than the context."""
SEPARATOR = "\n"

SPACE = "\u2581"
"""Stands for the space before a word in the kinds `merged` and `digits`."""

_NAME = "[A-Za-z]+[0-9]+"
_PLAIN = f"(?:(?!{_NAME})[^0-9\\[])"

FIELD, ITEM, SYMBOL, SEPARATOR_KIND = range(4)
"""Which counter a token advances; see `kind_of`."""

_COMMA = re.compile(r"[\[\]() ]*,[\[\]() ,]*")
IMPLIED = ", "
"""Stands between two names that nothing stands between in tokens."""
ADJACENT = "\u2060"
"""Stands between two names that have nothing between them."""

_NAMES_OR_NUMBER = {
    dropped: re.compile(f"(?P<names>(?<![A-Za-z]){_NAME}(?:(?:{dropped})?{_NAME})*)|[0-9]+")
    for dropped in (IMPLIED, ADJACENT)
}
"""A run of names, with or without what is dropped between them, or a number. A name is looked for at the first of its
letters only: a long word that is not a name would else take quadratic time.
"""
_JUNCTION = re.compile("(?<=[0-9])(?=[A-Za-z])")
"""Where, in such a run, one name follows another immediately."""

begins_with_name = re.compile(_NAME).match
"""Whether a text begins with a name, as a match."""

NO_TEXT = "\ufffd"
"""Stands for whatever has no text. No convention's targets contain it, so a target with it is a protocol fault."""

_MOST_DECIMAL = 599  # digits: Python converts 640 at least, whatever limit a user has set
_MOST_BINARY = 1_990  # digits of the largest such number


@frozen
class Notation:
    """How a kind of tokens writes a text: the regular expression of a digit, what writes a decimal number in such
    digits and reads it, and whether each bracket is a token of its own.
    """

    digits: str
    write: Callable[[str], str]
    read: Callable[[str], str]
    brackets: bool = False


def _reversed(digits: str) -> str:
    return digits[::-1]


def _to_binary(decimal: str) -> str:
    """Write a number with as many zeros before it as the text has; U+FFFD for one that is too long to convert."""
    if len(decimal) > _MOST_DECIMAL:
        return NO_TEXT
    zeros, number = _split(decimal)
    return _reversed(f"{zeros}{int(number):b}")


def _to_decimal(binary: str) -> str:
    """Return the inverse of `_to_binary`; U+FFFD for what is too long, and for other digits."""
    if len(binary) > _MOST_BINARY or binary.strip("01"):
        return NO_TEXT
    zeros, number = _split(_reversed(binary))
    return f"{zeros}{int(number, 2)}"


def _split(digits: str) -> tuple[str, str]:
    """Return the zeros before a number, and the number."""
    number = digits.lstrip("0") or "0"
    return digits[: len(digits) - len(number)], number


NOTATIONS: Mapping[str, Notation] = {
    "exact": Notation("[0-9]", _reversed, _reversed),
    "binary": Notation("[01]", _to_binary, _to_decimal),
    "brackets": Notation("[01]", _to_binary, _to_decimal, brackets=True),
}
"""Those of the kinds of tokens that read a text as names, digits and the chunks between them."""


def specials(dialects: int) -> tuple[str, ...]:
    """Return the special tokens by id; of several dialects each has one that begins its sequences."""
    return (*SPECIALS, *(f"[DIALECT{index}]" for index in range(dialects if dialects > 1 else 0)))


def pattern(notation: Notation) -> str:
    """Return the regular expression of a token: a name, a digit, or a chunk, which ends where any list begins."""
    if notation.brackets:
        return rf"{_NAME}|{notation.digits}|[\[\]]|(?:(?!{_NAME})[^0-9\[\]])+"
    return rf"{_NAME}|{notation.digits}|{_PLAIN}*\[+-?|{_PLAIN}+"


def splitter(notation: Notation) -> Callable[[str], list[str]]:
    """Return what splits a normalised text into the matches of `pattern`, in linear time: the pattern looks for a name
    at each letter of a word, which is read once here, as a whole, and is a name if a digit follows it.
    """
    name, word = "[A-Za-z]++[0-9]++", "[A-Za-z]++(?![0-9])"
    if notation.brackets:
        chunk = rf"[\[\]]|(?>(?:{word}|[^A-Za-z0-9\[\]])+)"
    else:
        plain = rf"(?:{word}|[^A-Za-z0-9\[])"
        chunk = rf"(?>{plain}*)\[+-?|(?>{plain}+)"
    return re.compile(f"{name}|{notation.digits}|{chunk}").findall


def normalise(text: str, notation: Notation) -> str:
    """Return the text from which tokens are read: numbers units first, the commas between names left out."""
    if not text.isascii():
        text = text.replace(ADJACENT, NO_TEXT)
    return _rewritten(text, IMPLIED, ADJACENT, notation.write)


def denormalise(text: str, notation: Notation) -> str:
    """Return the text that `normalise` made this one of."""
    return _rewritten(text, ADJACENT, IMPLIED, notation.read)


def kind_of(token: str) -> int:
    """Return the kind of a token. A digit (SYMBOL) continues its item, a name or a comma (ITEM) begins one, and any
    other (FIELD) begins a field, as does the line break between prompt and target (SEPARATOR_KIND).
    """
    if token == SEPARATOR:
        return SEPARATOR_KIND
    if re.fullmatch("[0-9]", token):
        return SYMBOL
    return ITEM if re.fullmatch(_NAME, token) or _COMMA.fullmatch(token) else FIELD


def stem_of(token: str) -> str | None:
    """Return the letters of a name; None for any other token."""
    return token.rstrip("0123456789") if re.fullmatch(_NAME, token) else None


def _rewritten(text: str, dropped: str, added: str, number: Callable[[str], str]) -> str:
    """Rewrite each number; between two names leave out `dropped`, and put `added` where there is nothing."""

    def rewrite(found: re.Match[str]) -> str:
        names = found["names"]
        return _JUNCTION.sub(added, names).replace(dropped, "") if names else number(found[0])

    return _NAMES_OR_NUMBER[dropped].sub(rewrite, text)


_SPLIT = {"type": "Split", "pattern": {"String": SEPARATOR}, "behavior": "Isolated", "invert": False}
_METASPACE = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "never", "split": True}
_DIGITS = {"type": "Digits", "individual_digits": True}


_FORMS: Sequence[tuple[Any, Any, Notation | None]] = (
    ({"type": "Sequence", "pretokenizers": [_SPLIT, _METASPACE]}, _METASPACE, None),
    ({"type": "Sequence", "pretokenizers": [_SPLIT, _METASPACE, _DIGITS]}, _METASPACE, None),
    *(({**_SPLIT, "pattern": {"Regex": pattern(each)}}, {"type": "Fuse"}, each) for each in NOTATIONS.values()),
)
"""How each kind of tokens splits a text and joins it again, and how it writes numbers."""


def without_merges(names: Sequence[str], notation: Notation, special: Sequence[str]) -> Mapping[str, Any]:
    """Return the file of a tokenizer whose tokens, in the order of ids, are pieces that its notation splits off."""
    ((splits, joins, _),) = [form for form in _FORMS if form[2] is notation]
    return _document(splits, joins, {name: index for index, name in enumerate(names)}, [], special)


def _document(splits: Any, joins: Any, vocab: Any, merges: Any, special: Sequence[str]) -> Mapping[str, Any]:
    """Return a file, with its keys in the order in which the library writes them."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    model: dict[str, Any] = {"type": "BPE", "dropout": None, "unk_token": "[UNK]"}
    model |= dict.fromkeys(("continuing_subword_prefix", "end_of_word_suffix"))
    model |= {"fuse_unk": False, "byte_fallback": False, "ignore_merges": joins["type"] == "Fuse"}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": index, "content": name, **flags} for index, name in enumerate(special)],
        "normalizer": None,
        "pre_tokenizer": splits,
        "post_processor": None,
        "decoder": joins,
        "model": {**model, "vocab": vocab, "merges": merges},
    }


def check_file(parsed: Mapping[str, Any], where: str) -> Notation | None:
    """Return how the tokens write numbers; None for `merged` and `digits`, which leave them as they are. ArtefactError
    if `TextTokenizer.train` could not have made the file.
    """
    model, added = parsed.get("model"), parsed.get("added_tokens")
    vocab, merges = (model.get(name) if isinstance(model, dict) else None for name in ("vocab", "merges"))
    dialects = len(added) - len(SPECIALS) if isinstance(added, list) else 1
    special, faults = specials(min(max(dialects, 1), MOST_DIALECTS)), list[list[str]]()
    for splits, joins, notation in _FORMS:
        expected = _document(splits, joins, vocab, merges, special)
        faults.append([name for name in (*expected, *parsed) if _text(parsed, name) != _text(expected, name)])
        if not faults[-1]:
            _check_tokens(vocab, merges, special, where, exact=notation is not None)
            return notation
    name = min(faults, key=len)[0]
    raise ArtefactError(f"{where}: {name!r} is not one that coc makes: {_text(parsed, name)[:80]}")


def _text(file: Mapping[str, Any], name: str) -> str:
    return json.dumps(file[name], sort_keys=True) if name in file else "nothing"


def _check_tokens(vocab: object, merges: object, special: Sequence[str], where: str, *, exact: bool) -> None:
    if not isinstance(vocab, dict) or not all(type(index) is int for index in vocab.values()):
        raise ArtefactError(f"{where}: the vocabulary is not a table of ids")
    if len(vocab) > MOST_TOKENS:
        raise ArtefactError(f"{where} has {len(vocab):,} tokens, and {MOST_TOKENS:,} are allowed")
    if any("\ud800" <= character <= "\udfff" for character in "".join(vocab)):
        raise ArtefactError(f"{where} has a token that is not text")
    if sorted(vocab.values()) != list(range(len(vocab))):
        raise ArtefactError(f"{where}: the ids of the vocabulary are not 0 to {len(vocab) - 1}")
    if [vocab.get(name) for name in special] != list(range(len(special))):
        raise ArtefactError(f"{where}: the special tokens are not the first ids of the vocabulary")
    if (longest := max(map(len, vocab))) > LONGEST_TOKEN:
        raise ArtefactError(f"{where} has a token of {longest:,} characters, and {LONGEST_TOKEN:,} are allowed")
    if not isinstance(merges, list) or not all(_is_merge(merge, vocab) for merge in merges) or (exact and merges):
        raise ArtefactError(f"{where}: a merge is not a pair of tokens whose union is a token")
    if any(left + right in special for left, right in merges):
        raise ArtefactError(f"{where}: a merge makes a special token of a text")


def _is_merge(merge: object, vocab: Mapping[str, int]) -> bool:
    match merge:
        case [str(left), str(right)]:
            return left in vocab and right in vocab and left + right in vocab
    return False
