"""What `tokenizer.json` may contain: what training writes, and nothing else."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from coc_core.errors import ArtefactError
from coc_transformer.tokenizer.tokens import (
    LONGEST_TOKEN,
    MOST_DIALECTS,
    MOST_TOKENS,
    NOTATIONS,
    SEPARATOR,
    SPACE,
    SPECIALS,
    Notation,
    pattern,
    specials,
)

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


def check(parsed: Mapping[str, Any], where: str) -> Notation | None:
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
