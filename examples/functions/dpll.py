"""The algorithm of Davis, Putnam, Logemann and Loveland: can a formula be true?"""

from coc_programs import Function, Steps, each, new, procedure, read
from coc_programs.library import List, Number, negate, same


@procedure
def dpll(clauses: List[List[Number]]) -> Steps[bool]:
    """Return whether one literal of each clause can be true; -a is the literal that is true where a is not."""
    if not (yield read(clauses)).next:
        return True
    literal: Number | None = yield chosen(clauses)
    if not literal:
        return False
    if (yield dpll((yield assume(clauses, literal)))):
        return True
    return (yield dpll((yield assume(clauses, (yield negate(literal))))))


@procedure
def chosen(clauses: List[List[Number]]) -> Steps[Number | None]:
    """Return the only literal of a clause, or else one of the last clause; None if a clause is empty."""
    literal: Number | None = None
    for clause in each(clauses):
        c = yield read(clause)
        if not c.next or not (yield read(c.next)).next:
            return c.first
        literal = c.first
    return literal


@procedure
def assume(clauses: List[List[Number]], literal: Number) -> Steps[List[List[Number]]]:
    """Return what is left of clauses if a literal is true."""
    opposite: Number = yield negate(literal)
    found: List[List[Number]] = yield new(List)
    for clause in each(clauses):
        left: List[Number] | None = yield new(List)
        for other in each(clause):
            if (yield same(other, literal)):
                left = None
                break
            if not (yield same(other, opposite)):
                left = yield new(List, first=other, next=left)
        if left:
            found = yield new(List, first=left, next=found)
    return found


class Dpll(Function):
    """Up to 5 n clauses of three of n variables."""

    main = dpll

    def draw(self, n, rng):
        literals = [sign * each for each in range(1, n + 1) for sign in (-1, 1)]
        return [rng.choices(literals, k=3) for _ in range(rng.randint(1, 5 * n))]

    def reference(self, clauses):
        if not clauses or [] in clauses:
            return not clauses
        return any(
            self.reference([[each for each in clause if each != -one] for clause in clauses if one not in clause])
            for one in (clauses[0][0], -clauses[0][0])
        )
