"""A binary search tree: numbers are inserted, and then listed in order."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
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
        is_less: bool = yield less(key, (yield read(tree)).key)
        t = yield read(tree)
        child = t.left if is_less else t.right
        if not child:
            break
        tree = child
    if is_less:
        yield write(tree, left=fresh)
    else:
        yield write(tree, right=fresh)


@procedure
def in_order(tree: Tree | None, after: List[Number]) -> Steps[List[Number]]:
    """Return the keys of a tree in order, in front of others."""
    if not tree:
        return after
    t = yield read(tree)
    key, left = t.key, t.left
    after = yield in_order(t.right, after)
    after = yield new(List, first=key, next=after)
    return (yield in_order(left, after))


@procedure
def tree_sort(items: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order."""
    tree: Tree | None = None
    for item in each(items):
        if tree:
            yield insert(tree, item)
        else:
            tree = yield new(Tree, key=item)
    return (yield in_order(tree, (yield new(List))))


class TreeSort(Function):
    """n numbers in order."""

    main = tree_sort

    def draw(self, n, rng):
        return [rng.randint(-(10**4), 10**4) for _ in range(n)]

    def reference(self, items):
        return sorted(items)
