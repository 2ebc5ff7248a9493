"""Whole numbers of any size and sign, as chains of digits."""

from coc_programs import Steps, new, procedure, read
from coc_scheme.records import Decimal, Digit, Division, Few, Tenth


@procedure
def added(a: Digit, b: Digit, carry: bool, minus: bool) -> Steps[Digit]:
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
            return (yield new(Digit, digit=1, rest=a))
        if total == 6:
            return (yield new(Digit, digit=2, rest=a))
        return x.rest
    digit: Few = total % 4
    rest: Digit = yield added(a if x.last else x.rest, b, total > 3, minus)
    if digit == 1 or digit == 2:
        return (yield new(Digit, digit=digit, rest=rest))
    return (yield joined(digit, rest))


@procedure
def joined(digit: Few, rest: Digit) -> Steps[Digit]:
    """Return a digit before others, without it if it says nothing."""
    z = yield read(rest)
    if z.last and z.digit == digit:
        return rest
    return (yield new(Digit, digit=digit, rest=rest))


@procedure
def same(a: Digit, b: Digit) -> Steps[bool]:
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
def less(a: Digit, b: Digit) -> Steps[bool]:
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
def times(a: Digit, b: Digit) -> Steps[Digit]:
    """Return a * b."""
    y = yield read(b)
    if y.last and y.digit == 0:
        return b
    return (yield product(a, b))


@procedure
def product(a: Digit, b: Digit) -> Steps[Digit]:
    """Return a * b, where b is not 0."""
    x = yield read(a)
    if x.last:
        if x.digit == 0:
            return a
        return (yield added(x.rest, b, True, True))
    digit: Few = x.digit
    part: Digit = yield product(x.rest, b)
    part = yield new(Digit, digit=0, rest=part)
    while digit > 0:
        digit = digit - 1
        part = yield added(part, b, False, False)
    return part


@procedure
def divide(a: Digit, b: Digit, remainder: bool) -> Steps[Digit | None]:
    """Return the quotient, rounded down, or the remainder, for b from 0; None for 0."""
    y = yield read(b)
    if y.last:
        return None
    found: Division = yield divided(a, b)
    f = yield read(found)
    return f.rest if remainder else f.quotient


@procedure
def divided(a: Digit, b: Digit) -> Steps[Division]:
    """Return the quotient of a and b, rounded down, and the remainder, where b is above 0."""
    x = yield read(a)
    if x.last:
        rest: Digit = a
        if x.digit == 3:
            rest = yield added(b, a, False, False)
        return (yield new(Division, quotient=a, rest=rest))
    digit: Few = x.digit
    part: Division = yield divided(x.rest, b)
    p = yield read(part)
    quotient: Digit = p.quotient
    rest = yield joined(digit, p.rest)
    digit = 0
    while not (yield less(rest, b)):
        digit = digit + 1
        rest = yield added(rest, b, True, True)
    quotient = yield joined(digit, quotient)
    return (yield new(Division, quotient=quotient, rest=rest))


@procedure
def tenth(a: Digit) -> Steps[Tenth]:
    """Return the quotient of a and ten, and the remainder, where a is not below 0."""
    x = yield read(a)
    if x.last:
        return (yield new(Tenth, quotient=a, rest=0))
    digit: Few = x.digit
    part: Tenth = yield tenth(x.rest)
    p = yield read(part)
    rest: Decimal = (4 * p.rest + digit) % 10
    digit = (4 * p.rest + digit) // 10
    quotient: Digit = yield joined(digit, p.quotient)
    return (yield new(Tenth, quotient=quotient, rest=rest))
