"""Scenes: a description of a state as columns of items, which a terminal or a page can draw.

A scene is a row of columns, each with items on top of one another, such as towers of disks or blocks, or a pile of
pancakes. Items have names, so that a viewer can show which item moves from one scene to the next. A domain describes
its states by inheriting from `HasScenes`; the states of other domains are shown as text (`Domain.render`).
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from attrs import frozen

from coc_core.domain.base import Domain

StateT = TypeVar("StateT")

TEXT_WIDTH = 100
"""The width in characters of a scene that is text."""


@frozen
class Item:
    """A thing. `name` is unique within a run; `size` is the width as a share of the widest item's, 0 to 1."""

    name: str
    label: str
    size: float = 1.0


@frozen
class Column:
    """A place, with its items from the bottom up; the label is written below them."""

    label: str
    items: tuple[Item, ...] = ()


@frozen
class Scene:
    """A state: its columns from left to right or, if there are none, lines of text.

    With `posts`, each column has a post that its items are put on, like the disks of a Tower of Hanoi.
    """

    columns: tuple[Column, ...] = ()
    posts: bool = False
    text: str = ""


class HasScenes(ABC, Generic[StateT]):
    """A domain whose states can be drawn as columns of items. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def scene(self, state: StateT) -> Scene:
        """The scene of a state. Each item appears in it once; the columns should be the same throughout a run."""


def scene_of(domain: Domain[Any, Any, Any, Any], state: Any) -> Scene:
    """The scene of a state; for a domain without scenes, its picture as text."""
    return domain.scene(state) if isinstance(domain, HasScenes) else Scene(text=domain.render(state, TEXT_WIDTH))
