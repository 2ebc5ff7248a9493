"""One mutator: right texts damaged in many ways, for the checks, the fuzzer and the tests."""

import random
import re
import string
from collections.abc import Sequence

from coc_check.texts.hostile import BREAKS, DIGITS, HEADS, NUMBERS, TEXTS

_WORD = re.compile(r"[A-Za-z_]+|[0-9]+|[^A-Za-z_0-9]")
_LONG = 66_000  # characters: just over what a target may have

_WAYS = {"character": 8, "number": 12, "words": 5, "lines": 5, "cut": 2, "break": 2, "repeat": 2}
_WAYS |= dict.fromkeys(("script", "brackets", "join"), 1)
"""The ways in which a text is damaged, and how often each is chosen."""


def mutated(text: str, rng: random.Random) -> str:
    """Return another text, which is `text` with one to a few damages."""
    mutator = Mutator(rng)
    while (found := mutator.damaged(text)) == text:
        pass
    return found


def mutations(text: str, count: int) -> list[str]:
    """Return the hostile texts and `count` mutations of `text`, always the same ones."""
    rng = random.Random(f"mutations of {text}")
    return [*TEXTS, *(mutated(text, rng) for _ in range(count))]


def small_mistakes(texts: Sequence[str]) -> list[str]:
    """Mutations of the texts, always the same ones, short ones first; none of no texts."""
    rng = random.Random(texts[0] if texts else "")
    return sorted(
        {mutated(rng.choice(texts), rng) for _ in range(300 if texts else 0)}, key=lambda text: (len(text), text)
    )


class Mutator:
    """Draws texts; all randomness comes from `rng`. `foreign` are right targets of other dialects."""

    def __init__(self, rng: random.Random, foreign: Sequence[str] = ()) -> None:
        self._rng = rng
        self._foreign = tuple(foreign) or ("",)

    def text(self, right: str) -> str:
        """Return any text: most often `right` with a few damages, now and then `right` itself or something else
        entirely.
        """
        rng, kind = self._rng, self._rng.random()
        if kind < 0.08:
            return right
        if kind < 0.09:
            return rng.choice(self._foreign)
        if kind < 0.11:  # the same characters
            return "".join(rng.choices(right or string.printable, k=int(2 ** (rng.random() * 8))))
        if kind < 0.14:  # the same words, and those that things begin with
            return "".join(rng.choices([*_WORD.findall(right), *HEADS], k=int(2 ** (rng.random() * 6))))
        text = self.damaged(right)
        return text if kind > 0.1405 else self.long(text)

    def damaged(self, text: str) -> str:
        """`text` with one to a few damages, which may cancel out."""
        text = self._damaged(text)
        while self._rng.random() < 0.3:
            text = self._damaged(text)
        return text

    def long(self, text: str) -> str:
        """Return a line or a part of the text repeated until it is as long as a target may be, or just longer."""
        most = _LONG - self._rng.randrange(2_000)
        if self._rng.random() < 0.5:
            line = self._rng.choice(text.split("\n"))
            return "\n".join([line] * (most // (len(line) + 1)))
        part = self._rng.choice((text, *HEADS, "1", "B1, ", "P1, ")) or " "
        return (part * (most // len(part) + 1))[:most]

    def _damaged(self, text: str) -> str:
        rng = self._rng
        at, times = rng.randint(0, len(text)), int(2 ** (rng.random() * 7))
        match rng.choices(tuple(_WAYS), tuple(_WAYS.values()))[0]:
            case "character":  # dropped, added, or replaced by another
                letters = (text or "x") if rng.random() < 0.7 else string.printable
                added = rng.choice(("", *rng.choices(letters, k=2)))
                return text[:at] + added + text[at + (rng.randint(0, 1) if added else 1) :]
            case "number":  # a hostile or a small one
                return self._replaced("-?[0-9]+", text, NUMBERS if rng.random() < 0.5 else [*map(str, range(-1, 11))])
            case "words":
                return "".join(self._rearranged(_WORD.findall(text)))
            case "lines":
                return "\n".join(self._rearranged(text.split("\n")))
            case "cut":  # at the end or at the beginning
                return text[:at] if rng.random() < 0.7 else text[at:]
            case "break":
                return self._replaced("[ \n]|$", text, BREAKS)
            case "script":  # a digit of another one
                return self._replaced("[0-9]", text, "".join(DIGITS))
            case "repeat":  # food for a pattern that backtracks
                part = rng.choice(HEADS) if rng.random() < 0.6 else text[at : at + 12]
                return text[:at] + part * times + text[at:]
            case "brackets":  # inside brackets
                inside = rng.choice(("", "B1", "P1, P2", "1"))
                return f"{text[:at]}{'[' * times}{inside}{']' * times}{text[at:]}"
            case _:  # two targets in one
                return text + rng.choice(("\n", " ", "")) + rng.choice((text, *self._foreign))

    def _replaced(self, pattern: str, text: str, others: Sequence[str]) -> str:
        """One match of the pattern is another text; `text` itself if there is none."""
        found = list(re.finditer(pattern, text))
        start, end = self._rng.choice(found).span() if found else (0, 0)
        return text[:start] + self._rng.choice(others) + text[end:] if found else text

    def _rearranged(self, items: list[str]) -> list[str]:
        """Return items with one dropped, doubled, moved, or two swapped."""
        one, two = (self._rng.randrange(len(items)) if items else 0 for _ in range(2))
        match self._rng.randrange(4) if items else None:
            case 0:
                del items[one]
            case 1:
                items.insert(two, items[one])
            case 2:
                items.insert(two, items.pop(one))
            case 3:
                items[one], items[two] = items[two], items[one]
        return items
