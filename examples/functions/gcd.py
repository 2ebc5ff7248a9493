"""Euclid's algorithm."""

import math

from coc_programs import Function, Steps, procedure, read
from coc_programs.library import Number, remainder


@procedure
def gcd(a: Number, b: Number) -> Steps[Number]:
    """Return the largest number that divides two, of which none is negative."""
    while not (yield read(b)).last:
        a, b = b, (yield remainder(a, b))
    return a


class Gcd(Function):
    """The greatest common divisor of two numbers of n digits."""

    main = gcd
    reference = math.gcd

    def draw(self, n, rng):
        common = rng.randrange(10 ** (n // 2))
        return tuple(common * rng.randrange(10 ** (n - n // 2)) for _ in range(2))
