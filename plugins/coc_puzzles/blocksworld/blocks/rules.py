"""General BlocksWorld: any arrangement of blocks, any goal over it, and a hand that moves one block at a time."""

import random
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from attrs import fields, frozen

from coc_core.domain import Assignment, HasOperators, HasScenes, KnowsUnsolvable, Operator, Scene
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, quoted
from coc_problems import ReadsMoves
from coc_puzzles.blocksworld.blocks.problem import (
    HAND,
    PROBLEMS,
    Atom,
    Blocks,
    Problem,
    all_filled,
    atoms_of,
    contradiction,
    drawn,
    filled,
    listed,
)
from coc_puzzles.blocksworld.domain import MOST_BLOCKS, NOTHING, TABLE, Block, scene, standing

InstructionT = TypeVar("InstructionT")


@frozen
class PickUp:
    """The action: pick up a block from the table."""

    block: Block


@frozen
class PutDown:
    """The action: put down the block in the hand, onto the table."""

    block: Block


@frozen
class Stack:
    """The action: put the block in the hand on another one."""

    block: Block
    lower: Block


@frozen
class Unstack:
    """The action: take a block from the one below it."""

    block: Block
    lower: Block


Action = PickUp | PutDown | Stack | Unstack

_KINDS: Mapping[str, type[Any]] = {"pick-up": PickUp, "put-down": PutDown, "stack": Stack, "unstack": Unstack}
_NAMES = {kind: name for name, kind in _KINDS.items()}


@frozen
class Done:
    """A note: nothing is left to do."""


class BlocksRules(
    HasOperators[Problem, InstructionT, Action, Blocks],
    HasScenes[Blocks],
    ReadsMoves[Action, Blocks],
    KnowsUnsolvable[Problem],
):
    """BlocksWorld as planning books have it, with the actions pick-up, put-down, stack and unstack; no policy yet."""

    name = "blocks"
    sizes = range(1, MOST_BLOCKS + 1)
    problems = PROBLEMS
    actions = Forms(
        Form.of(PickUp, "Pick up {block}"),
        Form.of(PutDown, "Put down {block}"),
        Form.of(Stack, "Stack {block} on {lower}"),
        Form.of(Unstack, "Unstack {block} from {lower}"),
    )
    notes = Forms(Form.of(Done, "Every block is where it belongs."))
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Problem:
        return drawn(n, rng)

    def _every_problem(self, n: int) -> Iterable[Problem]:
        return listed(n)

    def size(self, problem: Problem) -> int:
        return len(problem.names)

    def unsolvable(self, problem: Problem) -> str | None:
        return contradiction(problem.goal)

    def initial(self, problem: Problem) -> Blocks:
        return Blocks(problem.names, all_filled(problem.numbered(atoms_of(problem.start, problem.hand))))

    def variables(self, state: Blocks) -> Assignment:
        return state.slots

    def operator(self, action: Action) -> Operator:
        """Taking needs a clear block and an empty hand. Putting needs the block in the hand, and a clear one below."""
        block = action.block
        held: list[Atom] = [("holding", block)]
        free: list[Atom] = [("clear", block), ("handempty",)]
        match action:
            case PickUp():
                return _operator([("ontable", block), *free], held)
            case PutDown():
                return _operator(held, [("ontable", block), *free])
            case Stack(_, lower):
                return _operator([*held, ("clear", lower)], [("on", block, lower), *free])
            case Unstack(_, lower):
                return _operator([("on", block, lower), *free], [*held, ("clear", lower)])

    def assign(self, state: Blocks, sets: Assignment) -> Blocks:
        return Blocks(state.names, {**state.slots, **sets})

    def why_illegal(self, state: Blocks, action: Action) -> str:
        block, *others = named = [action.block, action.lower] if isinstance(action, Stack | Unstack) else [action.block]
        for each in named:
            if each > len(state.names):
                return f"there is no block B{each}"
        name = state.name(block)
        if isinstance(action, PickUp | Unstack):
            if state.hand is not None:
                return f"the hand is not empty: it holds {state.name(state.hand)}"
            if state.slots["below", block] != (others or [TABLE])[0]:
                return f"{name} is not on {state.name(others[0]) if others else 'the table'}"
        elif state.hand != block:
            return f"the hand does not hold {name}"
        under = named[-1] if isinstance(action, Stack) else block
        upper = state.slots["above", under]
        return (
            f"{state.name(under)} is in the hand" if upper == HAND else f"{state.name(upper)} is on {state.name(under)}"
        )

    def every_action(self, state: Blocks) -> Iterable[Action]:
        clear = [block for block in range(1, len(state.names) + 1) if state.slots["above", block] == NOTHING]
        if state.hand is not None:
            return (PutDown(state.hand), *(Stack(state.hand, block) for block in clear))
        places = ((block, state.slots["below", block]) for block in clear)
        return (Unstack(block, lower) if lower != TABLE else PickUp(block) for block, lower in places)

    def effect(self, state: Blocks, action: Action) -> str:
        """Return what an action does, with the names of the problem."""
        others = (state.name(action.lower),) if isinstance(action, Stack | Unstack) else ()
        return " ".join((_NAMES[type(action)], state.name(action.block), *others))

    def actions_for(self, state: Blocks, move: str) -> tuple[Action]:
        name, *blocks = move.split(" ")
        kind = _KINDS.get(name, PickUp)
        if name not in _KINDS or len(blocks) != len(fields(kind)):
            raise ValueError(f"{quoted(move)} is not one of pick-up a, put-down a, stack a b, unstack a b")
        for block in blocks:
            if block not in state.names:
                raise ActionFault(f"there is no block {block}")
        return (kind(*(state.names.index(block) + 1 for block in blocks)),)

    def is_goal(self, problem: Problem, state: Blocks) -> bool:
        return all(filled(atom).items() <= state.slots.items() for atom in problem.numbered(problem.goal))

    def scene(self, state: Blocks) -> Scene:
        """Make a scene of the hand and the towers. Each block has its own place on the table."""
        by_base = standing(state.below)
        held = () if state.hand is None else (state.hand,)
        piles = [("hand", held), *(("", by_base.get(base, ())) for base in range(1, len(state.names) + 1))]
        return scene((label, [*map(state.name, blocks)]) for label, blocks in piles)


def _operator(needs: Iterable[Atom], sets: Iterable[Atom]) -> Operator:
    return Operator(all_filled(needs), all_filled(sets))
