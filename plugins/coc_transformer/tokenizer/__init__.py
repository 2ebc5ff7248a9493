"""The tokenizer: text to token ids and back."""

from coc_transformer.tokenizer.tokenizer import LARGEST_FILE, TextTokenizer
from coc_transformer.tokenizer.tokens import (
    BOS,
    EOS,
    FIELD,
    ITEM,
    MOST_DIALECTS,
    MOST_TOKENS,
    NO_TEXT,
    PAD,
    SEPARATOR,
    SEPARATOR_KIND,
    SPACE,
    SPECIALS,
    SYMBOL,
    UNK,
)

__all__ = [
    "BOS",
    "EOS",
    "FIELD",
    "ITEM",
    "LARGEST_FILE",
    "MOST_DIALECTS",
    "MOST_TOKENS",
    "NO_TEXT",
    "PAD",
    "SEPARATOR",
    "SEPARATOR_KIND",
    "SPACE",
    "SPECIALS",
    "SYMBOL",
    "UNK",
    "TextTokenizer",
]
