"""The tokenizer that a pretrained model has, as one of coc. coc's code ends a target with the id `EOS`: the ids of that
place and of the model's own end change places here, and back in `CausalNetwork`.
"""

from collections.abc import Sequence
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.text import described
from coc_transformer.causal.documents import library
from coc_transformer.tokenizer import EOS, NO_TEXT, TextTokenizer

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
        text: str = self._library.to_str()
        return text.encode()

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
