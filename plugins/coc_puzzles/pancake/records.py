"""The problems, instructions, actions and notes of the pancake puzzle, and their text forms.

A stack is written from the bottom up. P1 is the largest pancake and belongs at the bottom.
"""

from typing import Annotated

from attrs import frozen

from coc_core.text import Form, Forms, ItemNumbers, check_permutation, item_codec, list_codec

MOST_PANCAKES = 1000

PANCAKE = item_codec("P", "pancake")
STACK = list_codec("P", "pancake")

Number = Annotated[int, PANCAKE]
Stack = Annotated[ItemNumbers, STACK]


def ordered(n: int) -> Stack:
    """Return the sorted stack, with the largest pancake at the bottom."""
    return tuple(range(1, n + 1))


@frozen
class Order:
    """A problem: sort the stack `start` into `goal`."""

    start: Stack
    goal: Stack

    def __attrs_post_init__(self) -> None:
        n = len(self.goal)
        if n > MOST_PANCAKES:
            raise ValueError(f"{n:,} pancakes are too many; the limit is {MOST_PANCAKES:,}")
        check_permutation("P", self.start, self.goal)
        if self.goal != ordered(n):
            raise ValueError(f"the goal of {n} pancakes must be P1 to P{n}, in this order")


@frozen
class Sort:
    """The instruction: sort the stack `state` into `goal`."""

    state: Stack
    goal: Stack

    def __attrs_post_init__(self) -> None:
        check_permutation("P", self.state, self.goal)


@frozen
class FlipFrom:
    """The action: turn over all pancakes from `pancake` to the top."""

    pancake: Number


@frozen
class FlipInto:
    """The action: turn over all pancakes from the place where `pancake` belongs to the top."""

    pancake: Number


@frozen
class Largest:
    """A note: the pancake to put in place next."""

    pancake: Number


@frozen
class AfterFirst:
    """A note: the stack after the first flip."""

    state: Stack


@frozen
class AfterSecond:
    """A note: the stack after the second flip."""

    state: Stack


@frozen
class Sorted:
    """A note: nothing is left to do."""


PROBLEMS: Forms[Order] = Forms(Form.of(Order, "start={start} & goal={goal}"))
INSTRUCTIONS: Forms[Sort] = Forms(Form.of(Sort, "state={state} & goal={goal}"))
ACTIONS: Forms[FlipFrom | FlipInto] = Forms(
    Form.of(FlipFrom, "Flip from where {pancake} is located."),
    Form.of(FlipInto, "Flip from where {pancake} must be located."),
)
NOTES: Forms[Largest | AfterFirst | AfterSecond | Sorted] = Forms(
    Form.of(Largest, "The largest unsorted pancake is {pancake}."),
    Form.of(AfterFirst, "State after first flip: {state}."),
    Form.of(AfterSecond, "State after second flip: {state}."),
    Form.of(Sorted, "No pancake is unsorted."),
)
