"""Scenes: what a state looks like, said once and drawn by whoever has a screen.

A scene is a row of columns, each with items that lie on one another: towers of disks or blocks, a pile of pancakes.
The items have names, so what moves from one scene to the next can be seen to move. A domain says what its scenes are
by being `Drawn`; the others are shown as the text that they render.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from attrs import frozen

from coc_core.domain.base import Domain

StateT = TypeVar("StateT")

TEXT_WIDTH = 100  # columns of the pictures that are text


@frozen
class Item:
    """A thing. `name` tells it from all others of its run, `size` is its width as a share of the widest, 0 to 1."""

    name: str
    label: str
    size: float = 1.0


@frozen
class Column:
    """A place, with the items that lie there from the ground up; the label stands beneath."""

    label: str
    items: tuple[Item, ...] = ()


@frozen
class Scene:
    """What a state looks like: its columns from left to right, or, where there are none, lines of text.

    `posts` says that the items hang on a post in each column, as the disks of a Tower of Hanoi do.
    """

    columns: tuple[Column, ...] = ()
    posts: bool = False
    text: str = ""


class Drawn(ABC, Generic[StateT]):
    """A domain whose states can be drawn as columns of items."""

    @abstractmethod
    def scene(self, state: StateT) -> Scene:
        """The scene of a state. Each item stands in it once; the columns are best the same for all states of a run."""


def scene_of(domain: Domain[Any, Any, Any, Any], state: Any) -> Scene:
    """The scene that a domain gives of `state`, or else its picture in text."""
    return domain.scene(state) if isinstance(domain, Drawn) else Scene(text=domain.render(state, TEXT_WIDTH))
