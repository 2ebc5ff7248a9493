"""The grammar of expressions: sums of registers and numbers, each with exactly one spelling.

    NEXT_ID    NEXT_ID+2    NEXT_ID-PTR    prev+prev    -prev    PTR-1    -1    0

First the registers that are added, then those that are subtracted, each group in alphabetical order, and a number last,
unless it is 0. No register is in both groups, and the text does not begin with a plus sign.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from coc_core.errors import ArithmeticFault
from coc_core.text import quoted

_TERM = re.compile(r"([+-]?)(?:([A-Za-z_]+)|(0|[1-9][0-9]{0,18}))", re.ASCII)


class Term(NamedTuple):
    """A signed term of a sum: a register, or a number if `register` is empty."""

    sign: int
    register: str
    number: int


@lru_cache(maxsize=1 << 12)
def parse_expression(text: str) -> tuple[Term, ...]:
    """Parse an expression; only the usual spelling of a sum is one.

    Returns:
        The terms, from left to right. There are no brackets.

    Raises:
        ArithmeticFault: The text is not a sum, or has another spelling.
    """
    terms: list[Term] = []
    position = 0
    while position < len(text) or not terms:
        found = _TERM.match(text, position)
        if found is None or (terms and not found[1]):
            raise ArithmeticFault(f"{quoted(text)} is not a sum of registers and numbers", text=text, offset=position)
        terms.append(Term(-1 if found[1] == "-" else 1, found[2] or "", int(found[3] or 0)))
        position = found.end()
    usual = _format(terms)
    if text != usual:
        offset = next((i for i, letter in enumerate(text) if usual[i : i + 1] != letter), len(text))
        raise ArithmeticFault(f"{quoted(text)} must be written {quoted(usual)}", text=text, offset=offset)
    return tuple(terms)


def _format(terms: list[Term]) -> str:
    """The one spelling of a sum."""
    number = sum(term.sign * term.number for term in terms)
    counts: Counter[str] = Counter()
    for term in terms:
        if term.register:
            counts[term.register] += term.sign
    added = "".join(f"+{register}" * counts[register] for register in sorted(counts))
    subtracted = "".join(f"-{register}" * -counts[register] for register in sorted(counts))
    last = f"{number:+}" if number or not added + subtracted else ""
    return (added + subtracted + last).removeprefix("+")
