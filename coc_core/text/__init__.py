"""Text forms: text to values and back, exactly invertible."""

from coc_core.text.forms import Codec, Form, Forms, Template, parse_decimal, parse_number, shown, unprintable, visible
from coc_core.text.lists import Row, check_permutation, numbered, row
from coc_core.text.surface import Surface

__all__ = [
    "Codec",
    "Form",
    "Forms",
    "Row",
    "Surface",
    "Template",
    "check_permutation",
    "numbered",
    "parse_decimal",
    "parse_number",
    "row",
    "shown",
    "unprintable",
    "visible",
]
