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
    Notation,
    pattern,
    specials,
)

_SPLIT = {"type": "Split", "pattern": {"String": SEPARATOR}, "behavior": "Isolated", "invert": False}
_METASPACE = {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "never", "split": True}
_DIGITS = {"type": "Digits", "individual_digits": True}
_MODEL = {
    "type": "BPE",
    "dropout": None,
    "unk_token": "[UNK]",
    **dict.fromkeys(("continuing_subword_prefix", "end_of_word_suffix")),
    **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), False),
}


def _matches(notation: Notation) -> Mapping[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": pattern(notation)}, "behavior": "Isolated", "invert": False}
    return {"pre_tokenizer": split, "decoder": {"type": "Fuse"}}


_FORMS: Sequence[tuple[Mapping[str, Any], Notation | None]] = (
    *(
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": steps}, "decoder": _METASPACE}, None)
        for steps in ([_SPLIT, _METASPACE], [_SPLIT, _METASPACE, _DIGITS])
    ),
    *((_matches(notation), notation) for notation in NOTATIONS.values()),
)
"""How each kind of tokens splits a text and joins it again, and how it writes numbers."""

_FIXED = {"version": "1.0", **dict.fromkeys(("truncation", "padding", "normalizer", "post_processor"))}

_ORDER = (
    *("version", "truncation", "padding", "added_tokens", "normalizer"),
    *("pre_tokenizer", "post_processor", "decoder", "model"),
)


def check(parsed: Mapping[str, Any], where: str) -> Notation | None:
    """Return how the tokens write numbers; None for `merged` and `digits`, which leave them as they are. ArtefactError
    if `TextTokenizer.train` could not have made the file.
    """
    for name in sorted({*parsed, *_ORDER}):
        if name not in parsed:
            raise ArtefactError(f"{where} lacks {name!r}")
        if name not in _ORDER or (name in _FIXED and parsed[name] != _FIXED[name]):
            raise ArtefactError(f"{where}: {name!r} is not one that coc makes: {json.dumps(parsed[name])[:80]}")
    form = {name: parsed[name] for name in ("pre_tokenizer", "decoder")}
    notations = [notation for known, notation in _FORMS if known == form]
    if not notations:
        raise ArtefactError(
            f"{where}: 'pre_tokenizer' and 'decoder' are not of a kind that coc makes: {json.dumps(form):.80}"
        )
    allowed = [specials(dialects) for dialects in range(1, MOST_DIALECTS + 1)]
    special = next((some for some in allowed if parsed["added_tokens"] == _added(some)), None)
    if special is None:
        raise ArtefactError(f"{where}: 'added_tokens' are not the special tokens that coc makes")
    _check_model(parsed["model"], special, where, exact=notations[0] is not None)
    return notations[0]


def without_merges(names: Sequence[str], notation: Notation, special: Sequence[str]) -> Mapping[str, Any]:
    """Return the file of a tokenizer whose tokens, in the order of ids, are pieces that its notation splits off."""
    vocab = {name: index for index, name in enumerate(names)}
    model: Mapping[str, Any] = {**_MODEL, "ignore_merges": True, "vocab": vocab, "merges": []}
    parts = {**_FIXED, "added_tokens": _added(special), **_matches(notation), "model": model}
    return {name: parts[name] for name in _ORDER}


def _added(special: Sequence[str]) -> list[dict[str, Any]]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return [{"id": index, "content": name, **flags} for index, name in enumerate(special)]


def _check_model(model: object, special: Sequence[str], where: str, *, exact: bool) -> None:
    if not isinstance(model, dict) or model.keys() != {*_MODEL, "vocab", "merges"}:
        raise ArtefactError(f"{where}: the model is not a BPE of the known form")
    for name, expected in {**_MODEL, "ignore_merges": exact}.items():
        if model[name] != expected:
            raise ArtefactError(f"{where}: the model's {name!r} must be {json.dumps(expected)}")
    vocab, merges = model["vocab"], model["merges"]
    if isinstance(vocab, dict) and len(vocab) > MOST_TOKENS:
        raise ArtefactError(f"{where} has {len(vocab):,} tokens, and {MOST_TOKENS:,} are allowed")
    if not isinstance(vocab, dict) or not all(type(index) is int for index in vocab.values()):
        raise ArtefactError(f"{where}: the vocabulary is not a table of ids")
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
