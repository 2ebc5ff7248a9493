"""coc's tokenizer in the form of the library transformers. Its file has two steps that coc performs in code, so that
the library reads a prompt as the model does: U+2581, which stands for a space within the tokenizer, is an unknown
character in a text; and a prompt gets [BOS] before it and the separator after it.
"""

import json
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object
from coc_transformer.tokenizer import BOS, EOS, NO_TEXT, PAD, SEPARATOR, SPACE, SPECIALS, UNK, TextTokenizer

_ADDED = ("normalizer", "post_processor")


def to_library(tokenizer: TextTokenizer) -> bytes:
    """Return the contents of `tokenizer.json` for transformers."""
    return _to_bytes({**json.loads(tokenizer.to_json()), **_steps(tokenizer.encode(SEPARATOR))})


def from_library(data: bytes, where: str) -> TextTokenizer:
    """Return the inverse of `to_library`; ArtefactError, naming `where`, for a file that it did not write."""
    parsed = parse_json_object(data, where)
    tokenizer = TextTokenizer.from_json(_to_bytes({**parsed, **dict.fromkeys(_ADDED)}), where)
    if tokenizer.notation or tokenizer.dialects > 1:
        raise ArtefactError(f"{where} can't be in such a folder: it rewrites numbers, or tells dialects apart")
    steps = _steps(tokenizer.encode(SEPARATOR))
    for name in _ADDED:
        if parsed.get(name) != steps[name]:
            raise ArtefactError(f"{where}: {name!r} is not one of such a folder: {json.dumps(parsed.get(name))[:80]}")
    return tokenizer


def library_settings(max_len: int) -> dict[str, Any]:
    """Return the contents of `tokenizer_config.json`. A special token spelled out in a text is plain characters."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": SPECIALS[BOS],
        "eos_token": SPECIALS[EOS],
        "pad_token": SPECIALS[PAD],
        "unk_token": SPECIALS[UNK],
        "split_special_tokens": True,
        "clean_up_tokenization_spaces": False,
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": max_len,
        "padding_side": "left",
    }


def _steps(separator: list[int]) -> dict[str, Any]:
    """Return the steps before and after the tokenizer proper; `separator` has the ids of the separator."""
    prompt, following = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    begin, end = ({"SpecialToken": {"id": name, "type_id": 0}} for name in (SPECIALS[BOS], SEPARATOR))
    tokens = {
        SPECIALS[BOS]: {"id": SPECIALS[BOS], "ids": [BOS], "tokens": [SPECIALS[BOS]]},
        SEPARATOR: {"id": SEPARATOR, "ids": separator, "tokens": [SEPARATOR] * len(separator)},
    }
    return {
        "normalizer": {"type": "Replace", "pattern": {"String": SPACE}, "content": NO_TEXT},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [begin, prompt, end],
            "pair": [begin, prompt, end, following],
            "special_tokens": tokens,
        },
    }


def _to_bytes(file: dict[str, Any]) -> bytes:
    return (json.dumps(file, ensure_ascii=False, indent=1) + "\n").encode()
