"""Actions as operators. The variables are what each block is on, what is on each block, and what the hand holds."""

from attrs import evolve

from coc_blocksworld.blocks.policy import Action, PickUp, PutDown, Stack, Unstack
from coc_blocksworld.blocks.state import HAND, TABLE, Blocks
from coc_core.domain import Assignment, Operator

_NOTHING = 0
_IN_HAND = "hand", 0


def variables(state: Blocks) -> Assignment:
    """Return what each block is on, what is on it, and what the hand holds."""
    below = {("below", block): lower for block, lower in enumerate(state.below, 1)}
    above = {("above", lower): block for (_, block), lower in below.items() if lower not in (TABLE, HAND)}
    clear = {("above", block): _NOTHING for _, block in below}
    return {**below, **clear, **above, _IN_HAND: state.hand or _NOTHING}


def operator(action: Action) -> Operator | None:
    """Taking needs a clear block and an empty hand. Putting needs the block in the hand, and a clear one below."""
    below, above = ("below", action.block), ("above", action.block)
    free, held = {above: _NOTHING, _IN_HAND: _NOTHING}, {below: HAND, _IN_HAND: action.block}
    match action:
        case PickUp():
            return Operator({below: TABLE, **free}, held)
        case Unstack(_, lower):
            return Operator({below: lower, **free}, {**held, ("above", lower): _NOTHING})
        case PutDown(block):
            return Operator({_IN_HAND: block}, {below: TABLE, _IN_HAND: _NOTHING})
        case Stack(block, lower) if block != lower:
            place = {below: lower, ("above", lower): block, _IN_HAND: _NOTHING}
            return Operator({_IN_HAND: block, ("above", lower): _NOTHING}, place)
        case _:  # no block is on itself
            return None


def assign(state: Blocks, sets: Assignment) -> Blocks:
    """Return the state with some blocks on other places."""
    below = (sets.get(("below", block), lower) for block, lower in enumerate(state.below, 1))
    return evolve(state, below=tuple(below))
