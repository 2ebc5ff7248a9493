"""The domain: any arrangement of blocks, any goal over it, and a hand that moves one block at a time."""

import random
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve, fields

from coc_blocksworld.blocks import policy, sampling
from coc_blocksworld.blocks.goal import contradiction
from coc_blocksworld.blocks.policy import (
    ACTIONS,
    INSTRUCTIONS,
    NOTES,
    Action,
    Arrange,
    PickUp,
    PutDown,
    Stack,
    Unstack,
)
from coc_blocksworld.blocks.problem import PROBLEMS, Atom, Problem
from coc_blocksworld.blocks.state import HAND, IN_HAND, NOTHING, TABLE, Blocks as State, Variables, initial, towers
from coc_blocksworld.pictures import draw
from coc_blocksworld.towers import MOST_BLOCKS
from coc_core.domain import (
    Assignment,
    Column,
    HasOperators,
    HasScenes,
    Item,
    KnowsUnsolvable,
    Operator,
    ReadsMoves,
    Scene,
)
from coc_core.errors import ActionFault
from coc_core.text import Surface, quoted
from coc_core.types import Step

InstructionT = TypeVar("InstructionT")


class BlocksRules(
    HasOperators[Problem, InstructionT, Action, State],
    HasScenes[State],
    ReadsMoves[Action, State],
    KnowsUnsolvable[Problem],
):
    """BlocksWorld as planning books have it, with the actions pick-up, put-down, stack and unstack; no policy yet."""

    name = "blocks"
    sizes = range(1, MOST_BLOCKS + 1)
    problems = PROBLEMS
    actions = ACTIONS
    notes = NOTES
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Problem:
        return sampling.drawn(n, rng)

    def _every_problem(self, n: int) -> Iterable[Problem]:
        return sampling.listed(n)

    def size(self, problem: Problem) -> int:
        return len(problem.names)

    def unsolvable(self, problem: Problem) -> str | None:
        return contradiction(problem.goal)

    def initial(self, problem: Problem) -> State:
        return initial(problem)

    def variables(self, state: State) -> Assignment:
        return Variables(state)

    def operator(self, action: Action) -> Operator | None:
        """Taking needs a clear block and an empty hand. Putting needs the block in the hand, and a clear one below."""
        below, above = ("below", action.block), ("above", action.block)
        free, held = {above: NOTHING, IN_HAND: NOTHING}, {below: HAND, IN_HAND: action.block}
        match action:
            case PickUp():
                return Operator({below: TABLE, **free}, held)
            case Unstack(_, lower):
                return Operator({below: lower, **free}, {**held, ("above", lower): NOTHING})
            case PutDown(block):
                return Operator({IN_HAND: block}, {below: TABLE, IN_HAND: NOTHING})
            case Stack(block, lower) if block != lower:
                place = {below: lower, ("above", lower): block, IN_HAND: NOTHING}
                return Operator({IN_HAND: block, ("above", lower): NOTHING}, place)
            case _:  # no block is on itself
                return None

    def assign(self, state: State, sets: Assignment) -> State:
        below = list(state.below)
        for (side, block), lower in sets.items():
            if side == "below":
                below[block - 1] = lower
        return evolve(state, below=tuple(below))

    def why_illegal(self, state: State, action: Action) -> str:
        block, *others = named = [action.block, action.lower] if isinstance(action, Stack | Unstack) else [action.block]
        for each in named:
            if each > len(state.below):
                return f"there is no block B{each}"
        name = state.name(block)
        if isinstance(action, PickUp | Unstack):
            if state.hand is not None:
                return f"the hand is not empty: it holds {state.name(state.hand)}"
            if state.below[block - 1] != (others or [TABLE])[0]:
                return f"{name} is not on {state.name(others[0]) if others else 'the table'}"
        elif state.hand != block:
            return f"the hand does not hold {name}"
        under = named[-1] if isinstance(action, Stack) else block
        if state.below[under - 1] == HAND:
            return f"{state.name(under)} is in the hand"
        return f"{state.name(state.below.index(under) + 1)} is on {state.name(under)}"

    def every_action(self, state: State) -> Iterable[Action]:
        clear = [block for block, lower in enumerate(state.below, 1) if block not in state.below and lower != HAND]
        if state.hand is not None:
            return (PutDown(state.hand), *(Stack(state.hand, block) for block in clear))
        places = ((block, state.below[block - 1]) for block in clear)
        return (Unstack(block, lower) if lower else PickUp(block) for block, lower in places)

    def effect(self, state: State, action: Action) -> str:
        """What an action does, with the names of the problem."""
        others = (state.name(action.lower),) if isinstance(action, Stack | Unstack) else ()
        return " ".join((_NAMES[type(action)], state.name(action.block), *others))

    def actions_for(self, state: State, move: str) -> tuple[Action]:
        name, *blocks = move.split(" ")
        kind = _KINDS.get(name, PickUp)
        if name not in _KINDS or len(blocks) != len(fields(kind)):
            raise ValueError(f"{quoted(move)} is not one of pick-up a, put-down a, stack a b, unstack a b")
        for block in blocks:
            if block not in state.names:
                raise ActionFault(f"there is no block {block}")
        return (kind(*(state.names.index(block) + 1 for block in blocks)),)

    def is_goal(self, problem: Problem, state: State) -> bool:
        lower = dict(zip(state.names, state.below, strict=True))
        numbers = {name: number for number, name in enumerate(state.names, 1)}
        covered = set(state.below)

        def holds(atom: Atom) -> bool:
            match atom:
                case "on", block, other:
                    return lower[block] == numbers[other]
                case "ontable", block:
                    return lower[block] == TABLE
                case "clear", block:
                    return numbers[block] not in covered and lower[block] != HAND
                case "holding", block:
                    return lower[block] == HAND
                case _:  # handempty
                    return HAND not in covered

        return all(map(holds, problem.goal))

    def render(self, state: State, width: int) -> str:
        """Draw the hand, if it holds a block, over the towers."""
        held = [] if state.hand is None else [f"hand: {state.name(state.hand)}"]
        return "\n".join((*held, draw(list(towers(state).values()), width)))

    def scene(self, state: State) -> Scene:
        """Make a scene of the hand and the towers. Each block has its own place on the table."""
        by_base = towers(state)
        held = [] if state.hand is None else [state.name(state.hand)]
        piles = [("hand", held), *(("", by_base.get(base, [])) for base in range(1, len(state.below) + 1))]
        return Scene(tuple(Column(label, tuple(Item(name, name) for name in names)) for label, names in piles))


_KINDS: Mapping[str, type[Any]] = {"pick-up": PickUp, "put-down": PutDown, "stack": Stack, "unstack": Unstack}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class Blocks(BlocksRules[Arrange]):
    """The policy whose instructions list all that is still to do."""

    instructions = INSTRUCTIONS
    surfaces = dict.fromkeys(
        (("stack", "numeric"), ("stack", "symbolic")), Surface("{instruction}", "PUSH {instruction}")
    )

    def start(self, problem: Problem) -> Arrange:
        return policy.start(problem)

    def expand(self, instruction: Arrange) -> Step[Arrange, Action]:
        return policy.expand(instruction)
