"""The product of two whole numbers of any length and sign."""

from coc_programs import Function
from coc_programs.library import times


class Multiply(Function):
    """The product of two numbers of n digits."""

    main = times

    def draw(self, n, rng):
        return tuple(rng.choice((-1, 1)) * rng.randrange(10**n) for _ in range(2))

    def reference(self, a, b):
        return a * b
