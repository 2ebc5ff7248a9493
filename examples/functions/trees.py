"""A binary search tree: numbers are inserted, and then listed in order."""

from coc_programs import Function, Record, Steps, each, new, procedure, read, write
from coc_programs.library import List, Number, less


class Tree(Record):
    """A tree: what is less than its key is in the left one."""

    key: Number
    left: "Tree | None" = None
    right: "Tree | None" = None


@procedure
def insert(tree: Tree | None, key: Number) -> Steps[Tree]:
    """Put a key into a tree, and return the tree."""
    if not tree:
        return (yield new(Tree, key=key))
    if (yield less(key, (yield read(tree)).key)):
        yield write(tree, left=(yield insert((yield read(tree)).left, key)))
    else:
        yield write(tree, right=(yield insert((yield read(tree)).right, key)))
    return tree


@procedure
def in_order(tree: Tree | None, after: List[Number]) -> Steps[List[Number]]:
    """Return the keys of a tree in order, in front of others."""
    if not tree:
        return after
    t = yield read(tree)
    after = yield new(List, first=t.key, next=(yield in_order(t.right, after)))
    return (yield in_order(t.left, after))


@procedure
def tree_sort(items: List[Number]) -> Steps[List[Number]]:
    """Return numbers in order."""
    tree: Tree | None = None
    for item in each(items):
        tree = yield insert(tree, item)
    return (yield in_order(tree, (yield new(List))))


class TreeSort(Function):
    """n numbers in order."""

    main = tree_sort
    reference = sorted

    def draw(self, n, rng):
        return [rng.randint(-(10**4), 10**4) for _ in range(n)]
