"""Sampling buckets: the kinds of step that a pair belongs to, derived from its text alone, for any domain. A model that
is wrong once in 100,000 steps is wrong on rare kinds of step, such as a long carry. Buckets name these kinds, so that
training can draw from each of them often (stratified sampling) and a report can show which failed.
"""

import re
from functools import lru_cache

from coc_core.models import Pair

FAMILIES = ("shape", "values", "carry")
"""The families of the keys of `sampling_buckets`, in order."""

_LIST = r"(?<![A-Za-z0-9_])\[[^\[\]]*+(?>(?:\[[^\[\]]*+\][^\[\]]*+)*)\]"  # items, or lists of items
_PART = re.compile(rf"{_LIST}|-1(?![0-9])|[0-9]+")
_LARGE = r"(?<![a-z]=)(?<![0-9])[0-9]+|[0-9]{3,}|(?<=prev=)[0-9]+|(?<=pointer=)[0-9]+"  # or an address
_VALUE = re.compile(rf"{_LIST}|-1(?![0-9])|{_LARGE}")
_LENGTH = re.compile(r"#+|-1|\[·[^\]]*+\]")  # a number or a list in a shape
_ITEM = re.compile(r"[^\[\],\s]+")
_OTHERS = re.compile("[1-8]")
_RUNS = re.compile("0+|[1-9]+")
_MOST_CONVERTED = 599  # digits: Python converts 640 at least, whatever limit a user has set
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]+")
_RESULT = re.compile(r"(?<![A-Za-z0-9_+-])[0-9]+")  # neither the -1 of a sentinel nor the 2 of NEXT_ID+2


def sampling_buckets(pair: Pair, *, binary: bool = False) -> tuple[str, ...]:
    """Return the keys of a pair's buckets, one for each of `FAMILIES`.

    - shape: the prompt with a # for each digit, also of `binary` ones, and lists replaced by their numbers of items;
    - values: the prompt with its small values in full, and addresses, long numbers and lists without their lengths;
    - carry: the prompt without values, the longest carry among the numbers that the target computes, and where the
      largest of them has zeros and nines; or, in `binary` digits, the longest run of equal digits that it writes.

    A small value is a number of at most two digits after a lower-case name and `=`, except for the addresses `prev` and
    `pointer`. The numbers that a target computes are those that do not occur in the prompt.
    """
    prompt, target = pair
    shape = _PART.sub(_measured_in_binary if binary else _measured, prompt)
    values = _VALUE.sub(_masked, prompt)
    return shape, values, f"{_operation(shape)}, {_carry(prompt, target, binary)}"


def _measured(match: re.Match[str]) -> str:
    """Return a number or a list replaced by its length; the sentinel remains."""
    text = match[0]
    if text[0] == "[":
        lists, items = text.count("[") - 1, len(_ITEM.findall(text))
        return f"[·{items} in {lists}]" if lists else f"[·{items}]"
    return text if text == "-1" else "#" * len(text)


def _measured_in_binary(match: re.Match[str]) -> str:
    """Return a number replaced by its length in binary digits, a list by its length; the sentinel remains."""
    number = match[0]
    return "#" * len(_in_binary(number)) if number.isdecimal() else _measured(match)


def _masked(match: re.Match[str]) -> str:
    """Return a number or a list replaced by a mark; the sentinel remains."""
    text = match[0]
    return "[·]" if text[0] == "[" else text if text == "-1" else "#"


@lru_cache(1 << 12)  # there are few shapes
def _operation(shape: str) -> str:
    """Return a shape without lengths; the sentinel counts as a number."""
    return _LENGTH.sub(lambda match: "[·]" if match[0][0] == "[" else "#", shape)


def _carry(prompt: str, target: str, binary: bool) -> str:
    """Return how difficult the additions are: the longest carry, and the zeros and nines of the largest result. The
    zeros just above its last digit show how far a one was carried: over three digits in 30,001. Others, as in 10,090,
    only look like it. Both are rare, and a model that is trained on one kind gets the other wrong. In binary digits,
    runs of ones and of zeros are the same, and long ones are rare also among the numbers that a target copies.
    """
    known, written = set(_NUMBER.findall(prompt)), _RESULT.findall(target)
    results = [number for number in written if number not in known]
    if binary:
        known, results = {*map(_in_binary, known)}, [*map(_in_binary, results)]
    found = ["carry 0"]
    if results:
        zeros = max(len(number[:-1]) - len(number[:-1].rstrip("0")) for number in results)
        largest = max(reversed(results), key=len)
        longer = ", longer" if known and len(largest) > max(map(len, known)) else ""
        found = [f"carry {zeros}{longer}", f"{_OTHERS.sub('·', largest[:-1])}#"]
    if binary:
        runs = _RUNS.findall(" ".join(map(_in_binary, written)))
        found[1:] = [f"run {max(map(len, runs), default=0)}"]
    return ", ".join(found)


def _in_binary(number: str) -> str:
    """Return the binary digits of a number; the number itself if it is too long to be converted."""
    return f"{int(number):b}" if len(number) <= _MOST_CONVERTED else number
