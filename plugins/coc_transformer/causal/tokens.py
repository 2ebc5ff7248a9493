"""Tokenizers for transformers: coc's own in the form of the library, and the library's as one of coc.

The file of coc's own has two steps that coc performs in code, so that the library reads a prompt as the model does:
U+2581, which stands for a space within the tokenizer, is an unknown character in a text; and a prompt gets [BOS] before
it and the separator after it. coc's code ends a target with the id `EOS`: in a tokenizer of the library, the ids of
that place and of the model's own end change places, and back in `CausalNetwork`.
"""

import json
from collections.abc import Sequence
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object
from coc_core.text import described
from coc_transformer.causal.source import library
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


LARGEST_TOKENIZER = 1 << 26  # bytes


class PretrainedTokenizer(TextTokenizer):
    """A tokenizer of the library tokenizers, with one dialect: before a target stands the prompt alone. `data` is
    `tokenizer.json`, `size` the model's vocabulary, `end` the id that ends a text. ArtefactError, which names `where`,
    if the library can't read it, it has ids that the model has not, or the end is none of the model's.
    """

    def __init__(self, data: bytes, where: str, size: int, end: int) -> None:
        library()
        from tokenizers import Tokenizer

        try:
            self._library: Any = Tokenizer.from_str(data.decode())
            self._library.no_truncation()
            self._library.no_padding()
            names = {number: name for name, number in self._library.get_vocab(with_added_tokens=True).items()}
        except BaseException as error:  # PanicException is none of Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise ArtefactError(f"{where} is no tokenizer: {described(error):.200}") from None
        if not names or max(names) >= size:
            raise ArtefactError(f"{where} has ids that the model's vocabulary of {size:,} has not")
        if not 0 <= end < size:
            reason = f"'eos_token_id' of the configuration beside {where} is no id from 0 to {size - 1:,}"
            raise ArtefactError(reason, remedy="correct it, or set tokenizer=new")
        self.size, self.dialects, self.notation, self._end = size, 1, None, end
        self._named = [names.get(self.swapped(number), "") for number in range(size)]
        added = self._library.get_added_tokens_decoder()
        self._special = {self.swapped(number) for number, token in added.items() if token.special} | {EOS}
        self._longest = max(map(len, names.values()))

    def swapped(self, number: int) -> int:
        """Return the model's id of an id of coc, and the other way round."""
        return {EOS: self._end, self._end: EOS}.get(number, number)

    def to_json(self) -> bytes:
        return str(self._library.to_str()).encode()

    def kinds(self) -> list[int]:
        return [0] * self.size

    def names(self) -> dict[str, list[int]]:
        return {}

    def encode(self, text: str) -> list[int]:
        return self._encoded(text, whole=False)

    def context(self, prompt: str, dialect: int = 0) -> list[int]:
        return self._encoded(prompt, whole=True) or [EOS]

    def decode(self, ids: Sequence[int]) -> str:
        parts, part = list[str](), list[int]()
        for token in (*ids, EOS):
            if token in self._special:
                parts.append(self._library.decode(part, skip_special_tokens=False) if part else "")
                part = []
            else:
                part.append(self.swapped(token))
        return NO_TEXT.join(parts)

    def unknown_character(self, text: str) -> str | None:
        if self.decode(self.encode(text)) == text:
            return None
        return next((each for each in text if self.decode(self.encode(each)) != each), text[:1])

    def tokens(self) -> list[str]:
        return list(self._named)

    def _encoded(self, text: str, *, whole: bool) -> list[int]:
        found = self._library.encode(self._prepared(text), add_special_tokens=whole)
        return list(map(self.swapped, found.ids))

    def _prepared(self, text: str) -> str:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
