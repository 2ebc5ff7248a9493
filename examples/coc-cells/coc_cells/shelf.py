"""An immutable list of texts. A changed copy shares all but a few nodes of the tree that holds them."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

_WIDTH = 32

Node = tuple[Any, ...]
"""Up to `_WIDTH` texts, or as many nodes."""


@frozen
class Shelf:
    """Texts in places 0 to `size` - 1. The tree has `height` levels of nodes above those that hold texts."""

    size: int = 0
    height: int = 0
    root: Node = ()

    def __getitem__(self, place: int) -> str:
        node, height = self.root, self.height
        while height:
            slot, place = divmod(place, _WIDTH**height)
            node, height = node[slot], height - 1
        text: str = node[place]
        return text

    def __iter__(self) -> Iterator[str]:
        return _texts(self.root, self.height)

    def placed(self, place: int, text: str) -> "Shelf":
        """The shelf with `text` in a place, which is one of 0 to `size`."""
        root, height = self.root, self.height
        if place == _WIDTH ** (height + 1):  # the tree is full
            root, height = (root,), height + 1
        return Shelf(max(self.size, place + 1), height, _placed(root, height, place, text))


def _placed(node: Node, height: int, place: int, text: str) -> Node:
    if not height:
        return (*node[:place], text, *node[place + 1 :])
    slot, rest = divmod(place, _WIDTH**height)
    child = node[slot] if slot < len(node) else ()
    return (*node[:slot], _placed(child, height - 1, rest, text), *node[slot + 1 :])


def _texts(node: Node, height: int) -> Iterator[str]:
    for item in node:
        if height:
            yield from _texts(item, height - 1)
        else:
            yield item
