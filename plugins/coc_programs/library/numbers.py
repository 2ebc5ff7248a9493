"""Whole numbers of any size and sign, as chains of digits."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Self

from coc_programs.language import Steps, new, procedure, read, write
from coc_programs.record import Record

Few = Annotated[int, range(4)]
Decimal = Annotated[int, range(10)]


class Number(Record, letters="D"):
    """A whole number: its lowest digit in base 4 and the complement of four, and the rest, which is n // 4.

    So `x = yield read(n)` gives n % 4 as `x.digit`, and n // 4 as `x.rest`, unless `x.last`. The last digit, 0 or 3,
    repeats for ever, so that one way to add serves all signs: 0 alone is the number 0, 3 alone is -1. The rest of the
    one is the other.
    """

    digit: Few
    last: bool = False
    rest: "Number"
    ends = "last"

    @classmethod
    def store(cls, value: int) -> Self:
        """Return a number as new records."""
        if type(value) is not int:
            raise TypeError(f"{value!r} is no whole number")
        zero = cls(digit=0, last=True, rest=cls.at(0))
        minus = zero.rest = cls(digit=3, last=True, rest=zero)
        digits = list[int]()
        while value not in (0, -1):
            digits.append(value & 3)
            value >>= 2
        number = minus if value else zero
        for digit in reversed(digits):
            number = cls(digit=digit, rest=number)
        return number

    def load(self, read: Callable[[Any], Any]) -> int:
        """Return the number that begins with this digit."""
        digits, digit = list[str](), read(self)
        while not digit.last:
            digits.append(str(digit.digit))
            digit = read(digit.rest)
        return int("".join(reversed(digits)) or "0", 4) - (4 ** len(digits) if digit.digit else 0)

    @classmethod
    def kinds(cls) -> Iterator[Self]:
        """Yield a record of each kind that there is."""
        yield from (cls(digit=digit, rest=cls.at(1)) for digit in range(4))
        yield from (cls(digit=digit, last=True, rest=cls.at(1)) for digit in (0, 3))


class Division(Record, letters="Q"):
    """What a division finds."""

    quotient: Number
    rest: Number


class Tenth(Record, letters="Z"):
    """What a division by ten finds."""

    quotient: Number
    rest: Decimal


@procedure
def zero() -> Steps[Number]:
    """Return 0, in 3 steps."""
    minus: Number = yield minus_one()
    none = yield new(Number, digit=0, last=True, rest=minus)
    yield write(minus, rest=none)
    return none


@procedure
def minus_one() -> Steps[Number]:
    """Return -1 for `zero`, which gives it another rest than itself."""
    minus = yield new(Number, digit=3, last=True, rest=None)
    yield write(minus, rest=minus)
    return minus


# ── sums ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def add(a: Number, b: Number) -> Steps[Number]:
    """Return a + b."""
    return (yield added(a, b, False, False))


@procedure
def subtract(a: Number, b: Number) -> Steps[Number]:
    """Return a - b."""
    return (yield added(a, b, True, True))


@procedure
def negate(a: Number) -> Steps[Number]:
    """Return -a."""
    none = yield zero()
    return (yield added(none, a, True, True))


@procedure
def added(a: Number, b: Number, carry: bool, minus: bool) -> Steps[Number]:
    """Return a + b + carry; or, with minus, a - b - 1 + carry, where b counts with its digits turned over."""
    y = yield read(b)
    more: Decimal = (3 - y.digit if minus else y.digit) + (1 if carry else 0)
    if y.last and (more == 0 or more == 4):
        return a
    ended = y.last
    b = b if ended else y.rest
    x = yield read(a)
    total: Decimal = x.digit + more
    if x.last and ended:
        if total == 1:
            return (yield new(Number, digit=1, rest=a))
        if total == 6:
            return (yield new(Number, digit=2, rest=a))
        return x.rest
    digit: Few = total % 4
    rest: Number = yield added(a if x.last else x.rest, b, total > 3, minus)
    if digit == 1 or digit == 2:
        return (yield new(Number, digit=digit, rest=rest))
    return (yield joined(digit, rest))


@procedure
def joined(digit: Few, rest: Number) -> Steps[Number]:
    """Return a digit before others, without it if it says nothing."""
    z = yield read(rest)
    if z.last and z.digit == digit:
        return rest
    return (yield new(Number, digit=digit, rest=rest))


@procedure
def successor(a: Number) -> Steps[Number]:
    """Return a + 1."""
    x = yield read(a)
    if x.last:
        if x.digit == 3:
            return x.rest
        return (yield new(Number, digit=1, rest=a))
    if x.digit == 0 or x.digit == 1:
        return (yield new(Number, digit=x.digit + 1, rest=x.rest))
    rest: Number = x.rest
    digit: Few = 3
    if x.digit == 3:
        digit = 0
        rest = yield successor(rest)
    return (yield joined(digit, rest))


@procedure
def predecessor(a: Number) -> Steps[Number]:
    """Return a - 1."""
    return (yield added(a, (yield minus_one()), False, False))


# ── comparisons ───────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def same(a: Number, b: Number) -> Steps[bool]:
    """Return whether two numbers are equal."""
    while True:
        x = yield read(a)
        digit, last, a = x.digit, x.last, x.rest
        y = yield read(b)
        if y.digit != digit or y.last != last:
            return False
        if last:
            return True
        b = y.rest


@procedure
def less(a: Number, b: Number) -> Steps[bool]:
    """Return whether a is less than b."""
    below = False
    while True:
        x = yield read(a)
        digit, last = x.digit, x.last
        a = a if last else x.rest
        y = yield read(b)
        if last and y.last:
            return below if digit == y.digit else digit > y.digit
        below = below if digit == y.digit else digit < y.digit
        b = b if y.last else y.rest


@procedure
def is_negative(a: Number) -> Steps[bool]:
    """Return whether a is less than 0."""
    x = yield read(a)
    while not x.last:
        x = yield read(x.rest)
    return x.digit == 3


# ── products and quotients ────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def times(a: Number, b: Number) -> Steps[Number]:
    """Return a * b."""
    y = yield read(b)
    if y.last and y.digit == 0:
        return b
    return (yield product(a, b))


@procedure
def product(a: Number, b: Number) -> Steps[Number]:
    """Return a * b, where b is not 0."""
    x = yield read(a)
    if x.last:
        if x.digit == 0:
            return a
        return (yield added(x.rest, b, True, True))
    digit: Few = x.digit
    part: Number = yield product(x.rest, b)
    part = yield new(Number, digit=0, rest=part)
    while digit > 0:
        digit = digit - 1
        part = yield added(part, b, False, False)
    return part


@procedure
def division(a: Number, b: Number) -> Steps[Division]:
    """Return a // b, rounded down, and a % b, which has the sign of b; for b = 0, they are 0 and a."""
    y = yield read(b)
    if y.last and y.digit == 0:
        return (yield new(Division, quotient=b, rest=a))
    if not (yield is_negative(b)):
        return (yield divided(a, b))
    f = yield read((yield divided((yield negate(a)), (yield negate(b)))))
    return (yield new(Division, quotient=f.quotient, rest=(yield negate(f.rest))))


@procedure
def quotient(a: Number, b: Number) -> Steps[Number]:
    """Return a // b, rounded down; 0 for b = 0."""
    return (yield read((yield division(a, b)))).quotient


@procedure
def remainder(a: Number, b: Number) -> Steps[Number]:
    """Return a % b, which has the sign of b; a for b = 0."""
    return (yield read((yield division(a, b)))).rest


@procedure
def divided(a: Number, b: Number) -> Steps[Division]:
    """Return the quotient of a and b, rounded down, and the remainder, where b is above 0."""
    x = yield read(a)
    if x.last:
        rest: Number = a
        if x.digit == 3:
            rest = yield added(b, a, False, False)
        return (yield new(Division, quotient=a, rest=rest))
    digit: Few = x.digit
    part: Division = yield divided(x.rest, b)
    p = yield read(part)
    quotient: Number = p.quotient
    rest = yield joined(digit, p.rest)
    digit = 0
    while not (yield less(rest, b)):
        digit = digit + 1
        rest = yield added(rest, b, True, True)
    quotient = yield joined(digit, quotient)
    return (yield new(Division, quotient=quotient, rest=rest))


# ── in base ten ───────────────────────────────────────────────────────────────────────────────────────────────────────


@procedure
def tenth(a: Number) -> Steps[Tenth]:
    """Return the quotient of a and ten, and the remainder, where a is not below 0."""
    x = yield read(a)
    if x.last:
        return (yield new(Tenth, quotient=a, rest=0))
    digit: Few = x.digit
    part: Tenth = yield tenth(x.rest)
    p = yield read(part)
    rest: Decimal = (4 * p.rest + digit) % 10
    digit = (4 * p.rest + digit) // 10
    quotient: Number = yield joined(digit, p.quotient)
    return (yield new(Tenth, quotient=quotient, rest=rest))
