"""A binary search tree: numbers are inserted, and then listed in order."""

from typing import cast

from coc_programs import Function, Record, Steps, new, procedure, read, write
from coc_programs.library import List, Number, less


class Tree(Record):
    """A tree: what is less than its key is in the left one."""

    key: Number
    left: "Tree | None" = None
    right: "Tree | None" = None


@procedure
def insert(tree: Tree, key: Number) -> Steps[None]:
    """Put a key into a tree."""
    fresh: Tree = yield new(Tree, key=key)
    while True:
        t = yield read(tree)
        if (yield less(key, t.key)):
            t = yield read(tree)
            if not t.left:
                yield write(tree, left=fresh)
                return
            tree = t.left
        else:
            t = yield read(tree)
            if not t.right:
                yield write(tree, right=fresh)
                return
            tree = t.right


@procedure
def in_order(tree: Tree, after: List[Number]) -> Steps[List[Number]]:
    """Return the keys of a tree in order, in front of others."""
    t = yield read(tree)
    key, left = t.key, t.left
    if t.right:
        after = yield in_order(t.right, after)
    after = yield new(List, first=key, next=after)
    if left:
        after = yield in_order(left, after)
    return after


@procedure
def tree_sort(first: Number, others: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order."""
    tree: Tree = yield new(Tree, key=first)
    x = yield read(others)
    while x.next:
        others = x.next
        yield insert(tree, cast(Number, x.first))
        x = yield read(others)
    return (yield in_order(tree, others))


class TreeSort(Function):
    """n + 1 numbers in order."""

    main = tree_sort

    def draw(self, n, rng):
        numbers = [rng.randint(-(10**4), 10**4) for _ in range(n + 1)]
        return numbers[0], numbers[1:]

    def reference(self, first, others):
        return sorted([first, *others])
