"""Texts of a domain's values: written and read back, and with small mistakes."""

import random
from collections.abc import Sequence
from typing import Any

from coc_check.check import one_line, require, trying
from coc_check.texts.mutation import mutated
from coc_core.text import Forms, quoted

MUTATIONS = 300


def round_trip(forms: Forms[Any], value: Any) -> None:
    """Nonconforming unless the text of a value is one line that is read as the value."""
    with trying(repr(value)):
        text = forms.format(value)
        require(one_line(text), f"{quoted(text)} is not one line of printable ASCII")
        require(forms.parse(text) == value, f"{value!r} is written as {quoted(text)}, which is read as another", text)


def small_mistakes(texts: Sequence[str]) -> list[str]:
    """Mutations of the texts, always the same ones, short ones first; none of no texts."""
    if not texts:
        return []
    rng = random.Random(texts[0])
    return sorted({mutated(rng.choice(texts), rng) for _ in range(MUTATIONS)}, key=lambda text: (len(text), text))
