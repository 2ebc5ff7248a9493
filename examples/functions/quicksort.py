"""Quicksort of a list, by its first element."""

from coc_programs import Function, Steps, each, new, procedure, read
from coc_programs.library import List, Number, joint, less


@procedure
def quicksort(items: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order."""
    x = yield read(items)
    if not x.next:
        return items
    smaller: List[Number] = yield new(List)
    larger: List[Number] = smaller
    for item in each(x.next):
        if (yield less(item, x.first)):
            smaller = yield new(List, first=item, next=smaller)
        else:
            larger = yield new(List, first=item, next=larger)
    larger = yield new(List, first=x.first, next=(yield quicksort(larger)))
    return (yield joint((yield quicksort(smaller)), larger))


class Quicksort(Function):
    """n numbers in order."""

    main = quicksort
    reference = sorted

    def draw(self, n, rng):
        return [rng.randint(-(10**4), 10**4) for _ in range(n)]
