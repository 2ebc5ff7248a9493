"""Text forms: text to values and back, exactly invertible."""

from coc_core.text.codec import Codec
from coc_core.text.counts import counted, duration
from coc_core.text.display import escaped, find_unprintable, quoted, shortened
from coc_core.text.exceptions import described, message_of
from coc_core.text.forms import Form, Forms
from coc_core.text.lists import ItemNumbers, check_permutation, item_codec, list_codec, list_of
from coc_core.text.names import align_names, letters_in, names_in, number_names, rename
from coc_core.text.numerals import parse_decimal, parse_number
from coc_core.text.options import decimal_from, one_of, parse_options, whole_from
from coc_core.text.sizes import MOST_SIZES, format_sizes, parse_sizes
from coc_core.text.surface import Surface
from coc_core.text.template import Template

__all__ = [
    "MOST_SIZES",
    "Codec",
    "Form",
    "Forms",
    "ItemNumbers",
    "Surface",
    "Template",
    "align_names",
    "check_permutation",
    "counted",
    "decimal_from",
    "described",
    "duration",
    "escaped",
    "find_unprintable",
    "format_sizes",
    "item_codec",
    "letters_in",
    "list_codec",
    "list_of",
    "message_of",
    "names_in",
    "number_names",
    "one_of",
    "parse_decimal",
    "parse_number",
    "parse_options",
    "parse_sizes",
    "quoted",
    "rename",
    "shortened",
    "whole_from",
]
