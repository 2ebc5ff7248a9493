"""The state: what each block is on. The rules of the four actions, and which atoms hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import evolve, frozen

from coc_blocksworld.blocks.policy import Action, PickUp, PutDown, Stack, Unstack
from coc_blocksworld.blocks.problem import Atom, Problem
from coc_blocksworld.pictures import draw
from coc_core.domain import Column, Item, Scene
from coc_core.errors import ActionFault
from coc_core.text import quoted

TABLE, HAND = 0, -1


@frozen
class Blocks:
    """The state.

    Attributes:
        names: The name of each block: `names[b - 1]` for block b.
        below: What each block is on: `below[b - 1]` is a block, the TABLE or the HAND, for block b.
    """

    names: tuple[str, ...]
    below: tuple[int, ...]

    @property
    def hand(self) -> int | None:
        """The block in the hand, if there is one."""
        return self.below.index(HAND) + 1 if HAND in self.below else None

    def name(self, block: int) -> str:
        """The name of a block."""
        return self.names[block - 1]

    def moved(self, block: int, place: int) -> "Blocks":
        """The state in which a block is on another place."""
        return evolve(self, below=(*self.below[: block - 1], place, *self.below[block:]))


def initial(problem: Problem) -> Blocks:
    """The state that a problem starts in."""
    names = problem.names
    numbers = {name: number for number, name in enumerate(names, 1)}
    below = dict.fromkeys(problem.hand, HAND)
    for tower in problem.start:
        below |= zip(tower, (TABLE, *(numbers[name] for name in tower)), strict=False)
    return Blocks(names, tuple(below[name] for name in names))


def apply(state: Blocks, action: Action) -> Blocks:
    """The state after an action.

    Raises:
        ActionFault: The action is illegal.
    """
    named = [action.block, action.lower] if isinstance(action, Stack | Unstack) else [action.block]
    for block in named:
        if block > len(state.below):
            raise ActionFault(f"there is no block B{block}")
    block, lower = named[0], TABLE if len(named) == 1 else named[1]
    if isinstance(action, PickUp | Unstack):
        if state.hand is not None:
            raise ActionFault(f"the hand is not empty: it holds {state.name(state.hand)}")
        if state.below[block - 1] != lower:
            raise ActionFault(f"{state.name(block)} is not on {state.name(lower) if lower else 'the table'}")
        _check_clear(state, block)
        return state.moved(block, HAND)
    if state.hand != block:
        raise ActionFault(f"the hand does not hold {state.name(block)}")
    if lower:
        _check_clear(state, lower)
    return state.moved(block, lower)


def _check_clear(state: Blocks, block: int) -> None:
    if state.below[block - 1] == HAND:
        raise ActionFault(f"{state.name(block)} is in the hand")
    if block in state.below:
        raise ActionFault(f"{state.name(state.below.index(block) + 1)} is on {state.name(block)}")


def effect(state: Blocks, action: Action) -> str:
    """What an action does, with the names of the problem."""
    name = state.name(action.block)
    match action:
        case PickUp():
            return f"pick-up {name}"
        case PutDown():
            return f"put-down {name}"
        case Stack(_, lower):
            return f"stack {name} {state.name(lower)}"
        case Unstack(_, lower):
            return f"unstack {name} {state.name(lower)}"


def actions_for(state: Blocks, move: str) -> tuple[Action]:
    """The action that a text of `effect` stands for.

    Raises:
        ValueError: It is no such text.
        ActionFault: There is no such block.
    """
    name, *blocks = move.split(" ")
    kind, count = _KINDS.get(name, (PickUp, -1))
    if len(blocks) != count:
        raise ValueError(f"{quoted(move)} is not one of pick-up a, put-down a, stack a b, unstack a b")
    for block in blocks:
        if block not in state.names:
            raise ActionFault(f"there is no block {block}")
    return (kind(*(state.names.index(block) + 1 for block in blocks)),)


_KINDS: Mapping[str, tuple[Callable[..., Action], int]] = {
    "pick-up": (PickUp, 1),
    "put-down": (PutDown, 1),
    "stack": (Stack, 2),
    "unstack": (Unstack, 2),
}


def neighbours(state: Blocks) -> Iterator[Blocks]:
    """Yield the state after each legal action."""
    clear = [block for block, lower in enumerate(state.below, 1) if block not in state.below and lower != HAND]
    if state.hand is None:
        yield from (state.moved(block, HAND) for block in clear)
    else:
        yield from (state.moved(state.hand, place) for place in (TABLE, *clear))


def holds(state: Blocks, goal: Iterable[Atom]) -> bool:
    """Whether all atoms hold in a state."""
    lower = dict(zip(state.names, state.below, strict=True))
    numbers = {name: number for number, name in enumerate(state.names, 1)}
    covered = set(state.below)

    def is_true(atom: Atom) -> bool:
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

    return all(map(is_true, goal))


def towers(state: Blocks) -> dict[int, list[str]]:
    """The names in each tower from the table up, and those in the hand, by the lowest block's number."""
    above = {lower: block for block, lower in enumerate(state.below, 1)}
    found: dict[int, list[str]] = {}
    for base in (block for block, lower in enumerate(state.below, 1) if lower == TABLE):
        block, found[base] = base, [state.name(base)]
        while (block := above.get(block, TABLE)) != TABLE:
            found[base].append(state.name(block))
    return found


def render(state: Blocks, width: int) -> str:
    """Draw the hand, if it holds a block, over the towers."""
    held = [] if state.hand is None else [f"hand: {state.name(state.hand)}"]
    return "\n".join((*held, draw(list(towers(state).values()), width)))


def scene(state: Blocks) -> Scene:
    """Make a scene of the hand and the towers. Each block has its own place on the table."""
    by_base = towers(state)
    held = [] if state.hand is None else [state.name(state.hand)]
    piles = [("hand", held), *(("", by_base.get(base, [])) for base in range(1, len(state.below) + 1))]
    return Scene(tuple(Column(label, tuple(Item(name, name) for name in names)) for label, names in piles))
