"""The algorithm of Davis, Putnam, Logemann and Loveland: can a formula be true?"""

from itertools import product
from typing import cast

from coc_programs import Function, Steps, new, procedure, read
from coc_programs.library import List, Number, negate, same


@procedure
def dpll(clauses: List[List[Number]]) -> Steps[bool]:
    """Return whether one literal of each clause can be true; -a is the literal that is true where a is not."""
    x = yield read(clauses)
    if not x.next:
        return True
    literal: Number | None = yield chosen(clauses)
    if not literal:
        return False
    opposite: Number = yield negate(literal)
    rest: List[List[Number]] = yield assume(clauses, literal, opposite)
    if (yield dpll(rest)):
        return True
    rest = yield assume(clauses, opposite, literal)
    return (yield dpll(rest))


@procedure
def chosen(clauses: List[List[Number]]) -> Steps[Number | None]:
    """Return the literal of a clause that has only one, or else one of the first clause; None if a clause is empty."""
    literal: Number | None = None
    is_only = False
    x = yield read(clauses)
    while x.next:
        clauses = x.next
        c = yield read(cast(List, x.first))
        if not c.next:
            return None
        first = cast(Number, c.first)
        c = yield read(c.next)
        if not literal or (not c.next and not is_only):
            literal = first
            is_only = not c.next
        x = yield read(clauses)
    return literal


@procedure
def assume(clauses: List[List[Number]], literal: Number, opposite: Number) -> Steps[List[List[Number]]]:
    """Return what is left of clauses if a literal is true."""
    x = yield read(clauses)
    if not x.next:
        return clauses
    first = cast(List, x.first)
    rest: List[List[Number]] = yield assume(x.next, literal, opposite)
    left: List[Number] | None = yield shortened(first, literal, opposite)
    if not left:
        return rest
    return (yield new(List, first=left, next=rest))


@procedure
def shortened(clause: List[Number], literal: Number, opposite: Number) -> Steps[List[Number] | None]:
    """Return a clause without a literal that is false; None if one is true."""
    x = yield read(clause)
    if not x.next:
        return clause
    each, rest = cast(Number, x.first), x.next
    if (yield same(each, literal)):
        return None
    left: List[Number] | None = yield shortened(rest, literal, opposite)
    if not left:
        return None
    if (yield same(each, opposite)):
        return left
    return (yield new(List, first=each, next=left))


class Dpll(Function):
    """About 4 n clauses of three of n variables."""

    main = dpll

    def draw(self, n, rng):
        variables = [*range(1, n + 1)]
        return [[rng.choice((-1, 1)) * each for each in rng.choices(variables, k=3)] for _ in range(rng.randint(1, 5 * n))]

    def reference(self, clauses):
        most = max((abs(each) for clause in clauses for each in clause), default=0)
        worlds = product((False, True), repeat=most)
        return any(all(any(w[abs(e) - 1] is (e > 0) for e in clause) for clause in clauses) for w in worlds)
