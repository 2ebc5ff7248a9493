"""Strata: the kinds of step that a pair belongs to, read off its text, whatever the domain.

A model that is wrong once in 100,000 steps is wrong on rare kinds of step: a long carry, a large n, an address with one
digit more. Strata name these kinds, so that a training can draw each of them often and a report can say which failed.

Each family of strata looks at a pair from one side: how long its numbers and lists are, which small values its
instruction has, how hard its sums are.
"""

import re
from functools import lru_cache

from coc_core.models import Pair

FAMILIES = ("shape", "values", "carry")
"""What the keys of `sampling_buckets` are about, in order."""

_LIST = r"(?<![A-Za-z0-9_])\[[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*+\]"  # of items, or of lists of items
_PART = re.compile(rf"{_LIST}|-1(?![0-9])|[0-9]+")
_LARGE = r"(?<![a-z]=)(?<![0-9])[0-9]+|[0-9]{3,}|(?<=prev=)[0-9]+|(?<=pointer=)[0-9]+"  # or an address
_VALUE = re.compile(rf"{_LIST}|-1(?![0-9])|{_LARGE}")
_LENGTH = re.compile(r"#+|-1|\[·[^\]]*+\]")  # in a shape
_ITEM = re.compile(r"[^\[\],\s]+")
_OTHERS = re.compile("[1-8]")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]+")
_RESULT = re.compile(r"(?<![A-Za-z0-9_+-])[0-9]+")  # neither the -1 of a sentinel nor the 2 of NEXT_ID+2


def sampling_buckets(pair: Pair) -> tuple[str, ...]:
    """A key for each of `FAMILIES`; pairs with equal keys are of one kind, as far as that family sees.

    - shape: the prompt with a # for each digit, and lists as their numbers of items;
    - values: the prompt with its small values in full, while addresses, long numbers and lists have no length;
    - carry: the prompt without any value, the longest carry among the numbers that the target computes, and where the
      largest of them has zeros and nines.

    A small value is a number of at most two digits behind a lower-case name and `=`, other than the addresses `prev`
    and `pointer`. What a target computes are the numbers in it that don't stand in the prompt.
    """
    prompt, target = pair
    shape, values = _PART.sub(_measured, prompt), _VALUE.sub(_masked, prompt)
    return shape, values, f"{_operation(shape)}, {_carry(prompt, target)}"


def _measured(match: re.Match[str]) -> str:
    """The lengths of a number or a list. The sentinel stays."""
    text = match[0]
    if text[0] == "[":
        lists, items = text.count("[") - 1, len(_ITEM.findall(text))
        return f"[·{items} in {lists}]" if lists else f"[·{items}]"
    return text if text == "-1" else "#" * len(text)


def _masked(match: re.Match[str]) -> str:
    """That there is a number or a list. The sentinel stays."""
    text = match[0]
    return "[·]" if text[0] == "[" else text if text == "-1" else "#"


@lru_cache(1 << 12)  # shapes are few
def _operation(shape: str) -> str:
    """A shape without the lengths in it; the sentinel is a number like any other."""
    return _LENGTH.sub(lambda match: "[·]" if match[0][0] == "[" else "#", shape)


def _carry(prompt: str, target: str) -> str:
    """How hard the sums are: the longest carry, and where the largest sum has zeros and nines above its last digit.

    A one is carried as far as a sum has zeros right above its last digit, as three in 30,001. Zeros and nines elsewhere
    look like a carry and are none, as in 10,090: both kinds are rare, and each is learned wrong if the other is seen
    alone.
    """
    known = set(_NUMBER.findall(prompt))
    sums = [number for number in _RESULT.findall(target) if number not in known]
    if not sums:
        return "carry 0"
    zeros = max(len(number[:-1]) - len(number[:-1].rstrip("0")) for number in sums)
    largest = max(reversed(sums), key=len)
    longer = ", longer" if known and len(largest) > max(map(len, known)) else ""
    return f"carry {zeros}{longer}, {_OTHERS.sub('·', largest[:-1])}#"
