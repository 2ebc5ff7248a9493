"""Quicksort of a list, by its first element."""

from coc_programs import Function, Steps, each, new, procedure, read
from coc_programs.library import List, Number, less


@procedure
def quicksort(items: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order."""
    return (yield sorted_before(items, (yield new(List))))


@procedure
def sorted_before(items: List[Number], after: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order, in front of others."""
    x = yield read(items)
    if not x.next:
        return after
    pivot, rest = x.first, x.next
    smaller: List[Number] = yield new(List)
    larger: List[Number] = smaller
    for item in each(rest):
        if (yield less(item, pivot)):
            smaller = yield new(List, first=item, next=smaller)
        else:
            larger = yield new(List, first=item, next=larger)
    after = yield sorted_before(larger, after)
    after = yield new(List, first=pivot, next=after)
    return (yield sorted_before(smaller, after))


class Quicksort(Function):
    """n numbers in order."""

    main = quicksort

    def draw(self, n, rng):
        return [rng.randint(-(10**4), 10**4) for _ in range(n)]

    def reference(self, items):
        return sorted(items)
