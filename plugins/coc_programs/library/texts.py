"""Texts, as lists of the numbers of their characters."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, Self, cast

from coc_programs.language import Steps, each, new, procedure, read
from coc_programs.library.lists import List
from coc_programs.library.numbers import Number, Tenth, added, is_negative, joined, negate, same, tenth, zero
from coc_programs.record import Record

Sort = Literal["figure", "minus", "other"]


class Text(Record, letters="tx"):
    """A text: what `ord` gives for its first character, and the text after it. The empty text has neither."""

    first: Number | None = None
    next: "Text | None" = None

    @classmethod
    def store(cls, value: str) -> Self:
        """Return a text as new records."""
        found = cls()
        for character in reversed(value):
            found = cls(first=Number.store(ord(character)), next=found)
        return found

    def load(self, read: Callable[[Any], Any]) -> str:
        """Return the text."""
        return "".join(map(chr, List.elements(cast(Any, self), read)))

    @classmethod
    def kinds(cls) -> Iterator[Self]:
        """Yield a record of each kind that there is."""
        yield from (cls(), cls(first=Number.at(1), next=cls.at(2)))


@procedure
def decimal(a: Number) -> Steps[Text]:
    """Return a number in decimal."""
    none: Number = yield zero()
    text: Text = yield new(Text)
    if not (yield is_negative(a)):
        return (yield decimals(a, text, none))
    a = yield negate(a)
    text = yield decimals(a, text, none)
    minus: Number = yield new(Number, digit=2, rest=none)
    minus = yield new(Number, digit=3, rest=minus)
    minus = yield new(Number, digit=1, rest=minus)
    return (yield new(Text, first=minus, next=text))


@procedure
def decimals(a: Number, text: Text, none: Number) -> Steps[Text]:
    """Return the digits of a number, which is not below 0, before a text."""
    while True:
        part: Tenth = yield tenth(a)
        z = yield read(part)
        a = z.quotient
        rest = z.rest
        code: Number = yield new(Number, digit=3, rest=none)
        code = yield new(Number, digit=rest // 4, rest=code)
        code = yield new(Number, digit=rest % 4, rest=code)
        text = yield new(Text, first=code, next=text)
        x = yield read(a)
        if x.last:
            return text


@procedure
def number(text: Text) -> Steps[Number | None]:
    """Return the number that a text has in decimal, perhaps after a `-`; None if it has none."""
    value: Number = yield zero()
    before: Number = yield new(Number, digit=3, rest=value)
    before = yield new(Number, digit=0, rest=before)
    before = yield new(Number, digit=0, rest=before)  # the number of "0"
    seen: Sort = "other"
    negative = False
    for character in each(text):
        figure: Number = yield added(character, before, True, True)
        sort: Sort = yield sort_of(figure)
        if sort == "figure":
            value = yield with_figure(value, figure)
        elif sort == "other" or seen != "other":
            return None
        else:
            negative = True
        seen = sort
    if seen != "figure":
        return None
    if negative:
        return (yield negate(value))
    return value


@procedure
def sort_of(figure: Number) -> Steps[Sort]:
    """Return what a character is, given its number without that of "0"."""
    x = yield read(figure)
    if x.last:
        return "figure" if x.digit == 0 else "other"
    digit = x.digit
    x = yield read(x.rest)
    if x.last:
        return "figure" if x.digit == 0 else "minus" if digit == 1 else "other"
    if x.digit == 0 or x.digit == 3 or (x.digit == 2 and digit > 1):
        return "other"
    x = yield read(x.rest)
    return "figure" if x.last and x.digit == 0 else "other"


@procedure
def with_figure(a: Number, figure: Number) -> Steps[Number]:
    """Return 10 * a + figure."""
    total: Number = yield joined(0, a)
    total = yield added(total, a, False, False)
    total = yield added(total, total, False, False)
    return (yield added(total, figure, False, False))


@procedure
def same_text(a: Text, b: Text) -> Steps[bool]:
    """Return whether two texts are equal."""
    while True:
        x = yield read(a)
        first, rest = x.first, x.next
        y = yield read(b)
        if not first or not y.first:
            return not first and not y.first
        a, b = rest, y.next
        if not (yield same(first, y.first)):
            return False
