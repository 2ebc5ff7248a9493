"""Sorting by insertion, by the moves of `coc_algorithms.sort`: about n^2 / 4 comparisons."""

from coc_algorithms.sort import Item, MergeSort, merge
from coc_programs import Steps, chain, procedure, write


@procedure
def insertion_sort(first: Item) -> Steps[Item | None]:
    """Sort a chain, by merging one item after another into a sorted chain. Returns its first item."""
    front = None
    for item in chain(first, "next"):
        yield write(item, next=None)
        front = yield merge(front, item)
    return front


class InsertionSort(MergeSort):
    """n numbers to sort. Of equal ones, that which comes first stays first."""

    name = "sort-insertion"
    main = insertion_sort
