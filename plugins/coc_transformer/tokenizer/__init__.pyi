from .tokenizer import LARGEST_FILE as LARGEST_FILE, TextTokenizer as TextTokenizer
from .tokens import (
    BOS as BOS,
    EOS as EOS,
    FIELD as FIELD,
    ITEM as ITEM,
    MOST_DIALECTS as MOST_DIALECTS,
    MOST_TOKENS as MOST_TOKENS,
    NO_TEXT as NO_TEXT,
    PAD as PAD,
    SEPARATOR as SEPARATOR,
    SEPARATOR_KIND as SEPARATOR_KIND,
    SPACE as SPACE,
    SPECIALS as SPECIALS,
    SYMBOL as SYMBOL,
    UNK as UNK,
)
