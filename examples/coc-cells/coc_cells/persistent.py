"""A persistent list of texts: a changed copy shares all but a few nodes of the tree that holds them."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

_WIDTH = 32

Node = tuple[Any, ...]
"""Up to `_WIDTH` texts, or as many nodes."""


@frozen
class PersistentList:
    """An immutable list of texts, with the indices 0 to `size` - 1.

    The tree has `height` levels of nodes above those that hold texts, so that reading or replacing a text takes
    logarithmic time.
    """

    size: int = 0
    height: int = 0
    root: Node = ()

    def __getitem__(self, index: int) -> str:
        node, height = self.root, self.height
        while height:
            slot, index = divmod(index, _WIDTH**height)
            node, height = node[slot], height - 1
        text: str = node[index]
        return text

    def __iter__(self) -> Iterator[str]:
        return _texts(self.root, self.height)

    def replaced(self, index: int, text: str) -> "PersistentList":
        """Return the list with `text` at an index from 0 to `size`; at `size` the list grows."""
        root, height = self.root, self.height
        if index == _WIDTH ** (height + 1):  # the tree is full
            root, height = (root,), height + 1
        return PersistentList(max(self.size, index + 1), height, _replaced(root, height, index, text))


def _replaced(node: Node, height: int, index: int, text: str) -> Node:
    if not height:
        return (*node[:index], text, *node[index + 1 :])
    slot, rest = divmod(index, _WIDTH**height)
    child = node[slot] if slot < len(node) else ()
    return (*node[:slot], _replaced(child, height - 1, rest, text), *node[slot + 1 :])


def _texts(node: Node, height: int) -> Iterator[str]:
    for item in node:
        if height:
            yield from _texts(item, height - 1)
        else:
            yield item
