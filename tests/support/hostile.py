"""Texts that no teacher writes: right targets damaged in many ways, and texts of the same letters or words."""

import re
import string

NUMBERS = ("-1", "-2", "-0", "+1", "0", "00", "01", "1_0", "1e3", "0x1", "1.0", "2*3", "(1)", " 1", "1 ", "1\n", "")
NUMBERS += (str(2**31), str(2**63), "9" * 19, "9" * 20, "9" * 400, "-" + "9" * 19, "²", "Ⅷ", "1+1", "prev", "NEXT_ID+1")
NUMBERS += ("NEXT_ID-1", "PTR", "PTR+PTR", "prev+prev+prev", "NEXT_ID+" + "9" * 19, "-prev", "__import__('os')")
BREAKS = ("\r", "\r\n", "\n\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\t", "\0", "\x1b[2J", "\xa0", "  ", "")
DIGITS = ("٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
HEADS = (
    "OUTPUT ",
    "PUSH ",
    "APPEND[",
    "PTR=",
    " prev=",
    "INSTR ",
    "CALL ",
    "\n",
    " ",
    "[",
    "]",
    ", ",
    "], [",
    " & ",
    ".",
)
_NUMBER = re.compile(r"-?[0-9]+")
_WORD = re.compile(r"[A-Za-z_]+|[0-9]+|[^A-Za-z_0-9]")
_LONG = 66_000  # characters: just over what a target may have


class Mutator:
    """Draws texts; all randomness comes from `rng`. `foreign` are right targets of other dialects."""

    def __init__(self, rng, foreign=()):
        self._rng = rng
        self._foreign = tuple(foreign) or ("",)
        ways = {
            self.character: 8,
            self.number: 12,
            self.words: 5,
            self.lines: 5,
            self.cut: 2,
            self.line_break: 2,
            self.other_digits: 1,
            self.repeated: 2,
            self.brackets: 1,
            self.joined: 1,
        }
        self._ways = tuple(way for way, weight in ways.items() for _ in range(weight))

    def text(self, right):
        """A text, most often `right` with up to three damages."""
        draw, choice = self._rng.random, self._rng.choice
        kind = draw()
        if kind < 0.08:
            return right
        if kind < 0.09:
            return choice(self._foreign)
        if kind < 0.11:
            return self.letters(right)
        if kind < 0.14:
            return self.sentence(right)
        text = choice(self._ways)(right)
        while draw() < 0.3:
            text = choice(self._ways)(text)
        return text if kind > 0.1405 else self.long(text)

    def _place(self, text):
        return int(self._rng.random() * (len(text) + 1))

    def character(self, text):
        """One character dropped, added or replaced by another."""
        at, width = self._place(text), int(self._rng.random() * 2)
        letters = (text or "x") if self._rng.random() < 0.7 else string.printable
        added = self._rng.choice(letters) if not width or self._rng.random() < 0.7 else ""
        return text[:at] + added + text[at + width :]

    def number(self, text):
        """One number replaced by a hostile one, or by one near it."""
        found = list(_NUMBER.finditer(text))
        if not found:
            return text
        here = self._rng.choice(found)
        new = self._rng.choice(NUMBERS) if self._rng.random() < 0.5 else str(int(self._rng.random() * 12) - 1)
        return text[: here.start()] + new + text[here.end() :]

    def _rearranged(self, items):
        """Items with one dropped, doubled, moved, or two swapped."""
        if not items:
            return items
        one, two = (int(self._rng.random() * len(items)) for _ in range(2))
        match int(self._rng.random() * 4):
            case 0:
                del items[one]
            case 1:
                items.insert(two, items[one])
            case 2:
                items.insert(two, items.pop(one))
            case _:
                items[one], items[two] = items[two], items[one]
        return items

    def words(self, text):
        return "".join(self._rearranged(_WORD.findall(text)))

    def lines(self, text):
        return "\n".join(self._rearranged(text.split("\n")))

    def cut(self, text):
        """A text that ends early, or begins late."""
        at = self._place(text)
        return text[:at] if self._rng.random() < 0.7 else text[at:]

    def line_break(self, text):
        """A break of another kind, for a newline or a space or anywhere."""
        at = self._place(text)
        old = "\n" if self._rng.random() < 0.5 else " "
        found = text.find(old, at)
        return text[:found] + self._rng.choice(BREAKS) + text[found + (found >= 0) :]

    def other_digits(self, text):
        """A digit of another script."""
        at = self._place(text)
        found = re.search("[0-9]", text[at:])
        if not found:
            return text
        at += found.start()
        return text[:at] + self._rng.choice(DIGITS)[int(text[at])] + text[at + 1 :]

    def repeated(self, text):
        """A head or a part of the text, over and over: food for a pattern that would go back."""
        at, times = self._place(text), int(2 ** (self._rng.random() * 7))
        part = self._rng.choice(HEADS) if self._rng.random() < 0.6 else text[at : at + 12]
        return text[:at] + part * times + text[at:]

    def brackets(self, text):
        """Brackets inside brackets."""
        at, times = self._place(text), int(2 ** (self._rng.random() * 7))
        return text[:at] + "[" * times + self._rng.choice(("", "B1", "P1, P2", "1")) + "]" * times + text[at:]

    def joined(self, text):
        """Two targets in one."""
        return text + self._rng.choice(("\n", " ", "")) + self._rng.choice((text, *self._foreign))

    def letters(self, text):
        """A random text over the letters of this one."""
        return "".join(self._rng.choices(text or string.printable, k=int(2 ** (self._rng.random() * 8))))

    def sentence(self, text):
        """A random text over the words of this one and the words that begin things."""
        words = [*_WORD.findall(text), *HEADS]
        return "".join(self._rng.choices(words, k=int(2 ** (self._rng.random() * 6))))

    def long(self, text):
        """As long as a target may be, or just longer."""
        most = _LONG - int(self._rng.random() * 2_000)
        if self._rng.random() < 0.5:
            line = self._rng.choice(text.split("\n"))
            return "\n".join([line] * (most // (len(line) + 1)))
        part = self._rng.choice((text, *HEADS, "1", "B1, ", "P1, ")) or " "
        return (part * (most // len(part) + 1))[:most]
