from .tokenizer import LARGEST_FILE as LARGEST_FILE, TextTokenizer as TextTokenizer
from .tokens import (
    EOS as EOS,
    FIELD as FIELD,
    ITEM as ITEM,
    MOST_DIALECTS as MOST_DIALECTS,
    MOST_TOKENS as MOST_TOKENS,
    PAD as PAD,
    SEPARATOR_KIND as SEPARATOR_KIND,
    SYMBOL as SYMBOL,
    UNK as UNK,
)
