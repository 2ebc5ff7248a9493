"""The pancake puzzle: bring the largest unsorted pancake to the top, then flip it into place.

A stack is written from the bottom up. P1 is the largest pancake and belongs at the bottom.
"""

import random
from collections.abc import Iterable
from itertools import permutations
from typing import Annotated, TypeVar

from attrs import frozen

from coc_core.domain import Column, Domain, HasScenes, Item, Scene
from coc_core.errors import ActionFault
from coc_core.text import (
    Form,
    Forms,
    ItemNumbers,
    Surface,
    check_permutation,
    item_codec,
    list_codec,
)
from coc_core.types import Step

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


Flip = FlipFrom | FlipInto
InstructionT = TypeVar("InstructionT")

_FLIP = "flip "  # and how many pancakes from the top
_APPEND = "APPEND[{address}] CALL instruction {instruction} pointer={PTR}."
_PUSH = Surface("CALL instruction {instruction}", "PUSH CALL instruction {instruction}.")


class PancakeRules(Domain[Order, InstructionT, Flip, Stack], HasScenes[Stack]):
    """n pancakes in a stack, without a policy. The only action turns over all pancakes from some place to the top."""

    name = "pancake"
    sizes = range(1, MOST_PANCAKES + 1)
    problems = Forms(Form.of(Order, "start={start} & goal={goal}"))
    actions = Forms(
        Form.of(FlipFrom, "Flip from where {pancake} is located."),
        Form.of(FlipInto, "Flip from where {pancake} must be located."),
    )
    notes = Forms(
        Form.of(Largest, "The largest unsorted pancake is {pancake}."),
        Form.of(AfterFirst, "State after first flip: {state}."),
        Form.of(AfterSecond, "State after second flip: {state}."),
        Form.of(Sorted, "No pancake is unsorted."),
    )
    interchangeable_names = frozenset({"P"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Order:
        goal = ordered(n)
        return Order(tuple(rng.sample(goal, n)), goal)

    def _every_problem(self, n: int) -> Iterable[Order]:
        goal = ordered(n)
        return (Order(start, goal) for start in permutations(goal))

    def near_goal_problem(self, n: int, rng: random.Random) -> Order:
        """Permute a few pancakes of a sorted stack, above a random place; half of the time, undo one step as well."""
        goal = ordered(n)
        lowest = rng.randrange(max(1, n - 1))
        places = rng.sample(range(lowest, n), rng.randint(min(2, n), n - lowest))
        start = list(goal)
        for place, other in zip(places, sorted(places), strict=True):
            start[place] = goal[other]
        return Order(undo_step(tuple(start), rng) if rng.randrange(2) else tuple(start), goal)

    def size(self, problem: Order) -> int:
        return len(problem.goal)

    def initial(self, problem: Order) -> Stack:
        return problem.start

    def apply(self, state: Stack, action: Flip) -> Stack:
        return flipped(state, _place(state, action))

    def effect(self, state: Stack, action: Flip) -> str | None:
        count = len(state) - _place(state, action)
        return f"{_FLIP}{count}" if count > 1 else None

    def neighbours(self, state: Stack) -> Iterable[Stack]:
        return (flipped(state, place) for place in range(len(state) - 1))

    def is_goal(self, problem: Order, state: Stack) -> bool:
        return state == problem.goal

    def scene(self, state: Stack) -> Scene:
        """Return one pile. The width of pancake p is 1 - 0.75 (p - 1) / n of the column."""
        n = len(state)
        items = (Item(f"P{pancake}", f"P{pancake}", 1 - 0.75 * (pancake - 1) / n) for pancake in state)
        return Scene((Column("", tuple(items)),))


class Pancake(PancakeRules[Sort]):
    """The policy whose instructions hold the whole stack."""

    instructions = Forms(Form.of(Sort, "state={state} & goal={goal}"))
    surfaces = {
        ("chain", "numeric"): Surface("CALL instruction pointer={PTR} {instruction}", _APPEND),
        ("chain", "symbolic"): Surface("CALL instruction {instruction}", _APPEND),
        ("stack", "numeric"): _PUSH,
        ("stack", "symbolic"): _PUSH,
    }

    def start(self, problem: Order) -> Sort:
        return Sort(problem.start, problem.goal)

    def expand(self, instruction: Sort) -> Step[Sort, Flip]:
        state, goal = instruction.state, instruction.goal
        place = _first_wrong(state, goal)
        if place is None:
            return Step((Sorted(),), last=instruction)
        pancake = goal[place]
        first = flipped(state, state.index(pancake))
        second = flipped(first, place)
        emits = (Largest(pancake), FlipFrom(pancake), AfterFirst(first), FlipInto(pancake), AfterSecond(second))
        successor = Sort(second, goal)
        return Step(emits, last=successor) if second == goal else Step(emits, then=(successor,))


def flipped(state: Stack, place: int) -> Stack:
    """Return the stack with the pancakes from `place` (0 is the bottom) to the top turned over."""
    return state[:place] + state[place:][::-1]


def undo_step(state: Stack, rng: random.Random) -> Stack:
    """Draw a stack from which one step of the policy leads to `state`; `state` itself if there is none.

    The step puts one of the pancakes in place that are sorted from the bottom up.
    """
    first_wrong = _first_wrong(state, ordered(len(state)))
    sorted_count = len(state) - 1 if first_wrong is None else first_wrong  # the top one has nowhere to come from
    if sorted_count == 0:
        return state
    place = rng.randrange(sorted_count)
    return flipped(flipped(state, place), rng.randrange(place + 1, len(state)))


def _first_wrong(state: Stack, goal: Stack) -> int | None:
    return next((place for place in range(len(goal)) if state[place] != goal[place]), None)


def _place(state: Stack, action: Flip) -> int:
    if action.pancake > len(state):
        raise ActionFault(f"there is no pancake P{action.pancake}")
    return state.index(action.pancake) if isinstance(action, FlipFrom) else action.pancake - 1
