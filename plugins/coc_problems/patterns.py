"""The texts of a form as regular expressions."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from attrs import fields

from coc_core.text import INTEGER, UNSTATED, Form

_TRIED = [*map(str, range(101))]
_WORDS = re.compile(r"\(\?:(\w+(?:\|\w+)*)\)")


def form_patterns(form: Form[Any]) -> Iterator[str]:
    """Yield regular expressions as codecs have them, of which each text of the form matches one."""
    patterns = [form.codecs.get(name, INTEGER).pattern for name in form.template.names]
    if len(form.template.fields) < len(patterns):
        patterns[-1] += UNSTATED
    head, *literals = map(re.escape, form.template.fill(("\n",) * len(patterns)).split("\n"))
    has_conditions = hasattr(form.record, "__attrs_post_init__") or any(each.validator for each in fields(form.record))
    for found in _accepted(form, patterns) if has_conditions else [patterns]:
        yield head + "".join(map("".join, zip(found, literals, strict=True)))


def _accepted(form: Form[Any], patterns: Sequence[str]) -> Iterator[list[str]]:
    """Yield patterns of the values that a record with conditions of its own accepts, which are found by trying: words
    that go together, and the numbers that go with them.
    """
    words = [found[1].split("|") if (found := _WORDS.fullmatch(each)) else [each] for each in patterns]
    others = [each for each in patterns if not _WORDS.fullmatch(each)]
    for chosen in product(*words):
        numbers = [number for number in _TRIED if _parses(form, chosen, number)]
        if others not in ([], [INTEGER.pattern]) or _TRIED[-1] in numbers:
            yield [*chosen[:-1], chosen[-1] + UNSTATED]
        elif numbers:
            yield [f"(?:{'|'.join(numbers)})" if word == INTEGER.pattern else word for word in chosen]


def _parses(form: Form[Any], words: Sequence[str], number: str) -> bool:
    text = form.template.fill(tuple(number if word == INTEGER.pattern else word for word in words))
    with suppress(ValueError):
        return form.parse(text) is not None
    return False
