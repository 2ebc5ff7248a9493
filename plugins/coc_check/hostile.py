"""Hostile texts for the checks, the fuzzer and the tests: those that nobody should write, and right ones damaged."""

import random
import re
import string
from collections.abc import Sequence

TEXTS: tuple[str, ...] = ("", " ", "\n", "What?", "\x00", "\x1b[2J", "\u00e9\u0301 \U0001f600", "[" * 200, "9" * 400)
TEXTS += ("\r\n\t", "nobody " * 300, "\ud800", "OUTPUT \n", "PTR=-1", "PTR=\u0663")
"""Prompts and targets of no convention: empty, not ASCII, with control characters, deep, long, half a character."""

NUMBERS: tuple[str, ...] = ("-1", "-2", "-0", "+1", "0", "00", "01", "1_0", "1e3", "0x1", "1.0", "2*3", "(1)", " 1")
NUMBERS += ("1 ", "1\n", "", str(2**31), str(2**63), "9" * 19, "9" * 20, "9" * 400, "-" + "9" * 19, "²", "Ⅷ", "1+1")
NUMBERS += ("prev", "NEXT_ID+1", "NEXT_ID-1", "PTR", "PTR+PTR", "prev+prev+prev", "NEXT_ID+" + "9" * 19, "-prev")
NUMBERS += ("__import__('os')",)
"""What may stand where a number belongs. Some of it is one, or is an expression that has one."""

NOT_EXPRESSIONS = (*TEXTS, "+", "NEXT_ID+", "+ 1", "nobody+1", "1 000", "\u0661", "9" * 25, "1+" * 200 + "1")
NOT_EXPRESSIONS += ("-0", "+1", "01", "0-1", "-1+0", "1+NEXT_ID", "+NEXT_ID+1", "NEXT_ID+0", "NEXT_ID+1+0")
NOT_EXPRESSIONS += ("PTR+NEXT_ID", "-PTR+prev", "NEXT_ID-NEXT_ID")
"""What has no number in any notation: it is no number and no sum, or not in its one spelling."""

BREAKS = ("\r", "\r\n", "\n\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\t", "\0", "\x1b[2J", "\xa0", "  ", "")
"""Line breaks and spaces that are not the one newline and the one space of a convention."""

DIGITS = ("٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
"""The digits from 0 to 9 in other scripts."""

HEADS = ("OUTPUT ", "PUSH ", "APPEND[", "PTR=", " prev=", "INSTR ", "CALL ", "\n", " ", "[", "]", ", ", "], [", " & ")
"""What the parts of a target begin with, and what stands between them."""

_WAYS = {"character": 8, "number": 13, "pieces": 10, "cut": 2, "break": 2, "repeat": 3, "join": 1}
"""The ways in which a text is damaged, and how often each is chosen."""


def mutated(text: str, rng: random.Random) -> str:
    """Return another text, which is `text` with one to a few damages."""
    while (found := damaged(text, rng)) == text:
        pass
    return found


def mutations(text: str, count: int) -> list[str]:
    """Return the hostile texts and `count` mutations of `text`, always the same ones."""
    rng = random.Random(f"mutations of {text}")
    return [*TEXTS, *(mutated(text, rng) for _ in range(count))]


def small_mistakes(texts: Sequence[str]) -> list[str]:
    """Return mutations of the texts, always the same ones, short ones first; none of no texts."""
    rng = random.Random(texts[0] if texts else "")
    found = {mutated(rng.choice(texts), rng) for _ in range(300 if texts else 0)}
    return sorted(found, key=lambda text: (len(text), text))


def damaged(text: str, rng: random.Random, foreign: Sequence[str] = ("",)) -> str:
    """Return `text` with one to a few damages, which may cancel out; `foreign` are right targets of other dialects."""
    text = _damaged(text, rng, foreign)
    while rng.random() < 0.3:
        text = _damaged(text, rng, foreign)
    return text


def _damaged(text: str, rng: random.Random, foreign: Sequence[str]) -> str:
    at = rng.randint(0, len(text))
    match rng.choices(tuple(_WAYS), tuple(_WAYS.values()))[0]:
        case "character":  # dropped, added, or replaced by another
            letters = (text or "x") if rng.random() < 0.7 else string.printable
            added = rng.choice(("", *rng.choices(letters, k=2)))
            return text[:at] + added + text[at + (rng.randint(0, 1) if added else 1) :]
        case "number":  # a hostile or a small one, or one in another script
            others = rng.choice((NUMBERS, [*map(str, range(-1, 11))], "".join(DIGITS)))
            return _replaced("-?[0-9]+", text, others, rng)
        case "pieces":  # words or lines
            return "".join(_rearranged(re.findall(rng.choice(("[A-Za-z_]+|[0-9]+|[^A-Za-z_0-9]", ".*\n?")), text), rng))
        case "cut":  # at the end or at the beginning
            return text[:at] if rng.random() < 0.7 else text[at:]
        case "break":
            return _replaced("[ \n]|$", text, BREAKS, rng)
        case "repeat":  # food for a pattern that backtracks
            part = rng.choice(HEADS) if rng.random() < 0.6 else text[at : at + 12]
            return text[:at] + part * int(2 ** (rng.random() * 7)) + text[at:]
        case _:  # two targets in one
            return text + rng.choice(("\n", " ", "")) + rng.choice((text, *foreign))


def _replaced(pattern: str, text: str, others: Sequence[str], rng: random.Random) -> str:
    """Return `text` with one match of the pattern replaced by another text; `text` itself if there is none."""
    found = list(re.finditer(pattern, text))
    start, end = rng.choice(found).span() if found else (0, 0)
    return text[:start] + rng.choice(others) + text[end:] if found else text


def _rearranged(items: list[str], rng: random.Random) -> list[str]:
    """Return items with one dropped, moved, or put elsewhere twice."""
    one, other = (rng.randrange(len(items) or 1) for _ in range(2))
    left = [*items[:one], *items[one + 1 :]]
    return [*left[:other], *rng.randrange(3) * items[one : one + 1], *left[other:]]
