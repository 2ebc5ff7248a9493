"""Towers of blocks, written `[B1, B2]` from the table up, and the paper's BlocksWorld: both variants, and the policy.

The goal is one tower. An action names a block but no destination, which follows from the paper's strategy: of the 2n
moves, the first n put a block on the table, and the others put a block on the new tower. A block must be clear. Moving
a block to where it already is is legal and changes nothing. So what an action needs depends on the state, and it is not
an operator.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, pairwise, permutations
from typing import Annotated, Any, ClassVar, TypeVar

from attrs import frozen

from coc_core.domain import Column, Domain, HasScenes, Item, Scene
from coc_core.errors import ActionFault
from coc_core.text import (
    POSITIVE,
    Codec,
    Form,
    Forms,
    ItemNumbers,
    Surface,
    check_permutation,
    item_codec,
    list_codec,
    list_pattern,
    quoted,
)
from coc_core.types import Expectation, Step
from coc_problems import ReadsMoves

MOST_BLOCKS = 10_000
TABLE = 0
NOTHING = -2
"""What is on a block that is clear."""

BLOCK = item_codec("B", "block")
TOWER = list_codec("B", "block")

Block = Annotated[int, BLOCK]
Tower = Annotated[ItemNumbers, TOWER]
Towers = tuple[Tower, ...]

InstructionT = TypeVar("InstructionT")
ThingT = TypeVar("ThingT")


def _parse_several(text: str) -> Towers:
    if text == "[]":
        return ()
    if not (text.startswith("[[") and text.endswith("]]")):
        raise ValueError(f"{quoted(text, 60)} is not a list of lists of blocks")
    towers = tuple(TOWER.parse(f"[{part}]") for part in text[2:-2].split("], ["))
    if () in towers:
        raise ValueError("a tower is empty; leave it out")
    return towers


ONE_TOWER: Codec[Towers] = Codec(
    lambda text: (TOWER.parse(text),) if text != "[]" else (),
    lambda towers: TOWER.format(sum(towers, ())),
    TOWER.pattern,
)
"""The codec of at most one tower, without outer brackets."""
SEVERAL_TOWERS = Codec(
    _parse_several,
    lambda towers: f"[{', '.join(map(TOWER.format, towers))}]",
    list_pattern(list_pattern(f"B(?:0|{POSITIVE})", empty=False)),
)


def cut(blocks: Sequence[ThingT], ends: Iterable[int]) -> tuple[tuple[ThingT, ...], ...]:
    """Towers of the blocks in this order, which end after so many of them, and after the last; none of no blocks."""
    return tuple(tuple(blocks[first:last]) for first, last in pairwise((0, *ends, len(blocks)))) if blocks else ()


def standing(below: Sequence[int]) -> dict[int, Tower]:
    """Return the towers, by their lowest blocks, where `below[b - 1]` is what block b is on."""
    above = {lower: block for block, lower in enumerate(below, 1)}
    found: dict[int, Tower] = {}
    for base in (block for block, lower in enumerate(below, 1) if lower == TABLE):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        found[base] = tuple(tower)
    return found


def scene(towers: Iterable[tuple[str, Sequence[str]]]) -> Scene:
    """Make a scene of towers of names, each with the label of its place."""
    return Scene(tuple(Column(label, tuple(Item(name, name) for name in names)) for label, names in towers))


@frozen
class Rearrangement:
    """A problem: rebuild the towers `start` as the one tower `goal`. Both have the blocks B1 to Bn."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.goal) > MOST_BLOCKS:
            raise ValueError(f"{len(self.goal):,} blocks are too many; the limit is {MOST_BLOCKS:,}")
        check_permutation("B", chain.from_iterable(self.start), self.goal)


@frozen
class Move:
    """The action: move a block."""

    block: Block


@frozen
class Blocks:
    """The state.

    Attributes:
        below: What each block is on: `below[b - 1]` is a block, or the TABLE, for block b.
        moves: The number of moves so far.
        top: The top of the new tower, the TABLE if there is none.
    """

    below: tuple[int, ...]
    moves: int = 0
    top: int = TABLE

    @property
    def towers(self) -> list[list[str]]:
        """The names in each tower from the table up, in the order of the lowest blocks."""
        return [[f"B{block}" for block in tower] for tower in standing(self.below).values()]


_LOWER = item_codec("b", "block")
_PLACE = Codec(
    lambda text: TABLE if text == "table" else _LOWER.parse(text),
    lambda place: "table" if place == TABLE else _LOWER.format(place),
)


@frozen
class PhysicalMove:
    """A move with its origin and its destination."""

    block: Annotated[int, _LOWER]
    origin: Annotated[int, _PLACE]
    to: Annotated[int, _PLACE]


_MOVES: Forms[PhysicalMove] = Forms(Form.of(PhysicalMove, "{block} from {origin} to {to}"))


class BlocksworldRules(Domain[Rearrangement, InstructionT, Move, Blocks], HasScenes[Blocks], ReadsMoves[Move, Blocks]):
    """The rules of both variants, which differ in the towers that a problem starts with."""

    several: ClassVar[bool]
    """Whether a problem may start with several towers."""

    sizes = range(1, MOST_BLOCKS + 1)
    actions = Forms(Form.of(Move, "Move block {block}"))
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Rearrangement:
        """Draw towers: their number is uniform from 1 to n if there may be several."""
        blocks, between = range(1, n + 1), range(1, n)
        start = rng.sample(blocks, n)
        ends = sorted(rng.sample(between, rng.randint(1, n) - 1)) if self.several else ()
        return Rearrangement(cut(start, ends), tuple(rng.sample(blocks, n)))

    def _every_problem(self, n: int) -> Iterable[Rearrangement]:
        goal = tuple(range(1, n + 1))
        for blocks in permutations(goal):
            for count in range(n if self.several else 1):
                yield from (Rearrangement(cut(blocks, ends), goal) for ends in combinations(range(1, n), count))

    def size(self, problem: Rearrangement) -> int:
        return len(problem.goal)

    def initial(self, problem: Rearrangement) -> Blocks:
        below = {block: lower for tower in problem.start for lower, block in zip((TABLE, *tower), tower, strict=False)}
        return Blocks(tuple(below[block] for block in sorted(below)))

    def apply(self, state: Blocks, action: Move) -> Blocks:
        block, place = action.block, _destination(state, action.block)
        below = (*state.below[: block - 1], place, *state.below[block:])
        return Blocks(below, state.moves + 1, block if state.moves >= len(below) else state.top)

    def effect(self, state: Blocks, action: Move) -> str | None:
        """Return the move with its origin and destination, or None if it changes nothing."""
        place, lower = _destination(state, action.block), state.below[action.block - 1]
        return None if place == lower else _MOVES.format(PhysicalMove(action.block, lower, place))

    def actions_for(self, state: Blocks, move: str) -> Sequence[Move]:
        """Return instructions, the last of which makes the move.

        The ones before it stay where they are, and bring the strategy to where it puts the block there.
        """
        wanted = _MOVES.parse(move)
        block, place, found = wanted.block, wanted.to, list[Move]()
        while _destination(state, block) != place:
            alone = [each for each, lower in enumerate(state.below, 1) if lower == TABLE and each not in state.below]
            if state.moves >= len(state.below):  # only the block to build on stays where it is
                alone = [each for each in alone if each == place and state.top == TABLE]
            if not alone:
                where = _PLACE.format(place)
                raise ActionFault(
                    f"block B{block} can't be put on {where} now: all blocks go to the table, then on the new tower"
                )
            found.append(Move(alone[0]))
            state = self.apply(state, found[-1])
        lower = state.below[block - 1]
        if lower != wanted.origin:
            raise ActionFault(f"block B{block} is on {_PLACE.format(lower)}, not on {_PLACE.format(wanted.origin)}")
        return (*found, Move(block))

    def neighbours(self, state: Blocks) -> Iterable[Blocks]:
        """Yield the state after each move of a clear block to the table or a clear block. Moves are not counted."""
        clear = {*range(TABLE, len(state.below) + 1)}.difference(state.below) | {TABLE}
        for block in clear - {TABLE}:
            for place in clear - {block, state.below[block - 1]}:
                yield Blocks((*state.below[: block - 1], place, *state.below[block:]))

    def is_goal(self, problem: Rearrangement, state: Blocks) -> bool:
        return [*standing(state.below).values()] == [problem.goal]

    def scene(self, state: Blocks) -> Scene:
        """Return each block has its own place on the table, so that towers don't move sideways."""
        by_base = {tower[0]: tower for tower in state.towers}
        return scene(("", by_base.get(f"B{block}", ())) for block in range(1, len(state.below) + 1))

    def expect(self, problem: Rearrangement) -> Expectation:
        """2n moves in 2n steps: each block is put on the table once and on the tower once."""
        return Expectation(actions=2 * len(problem.goal), steps=2 * len(problem.goal))


def _destination(state: Blocks, block: int) -> int:
    """Return what the next move puts a block on; ActionFault if the block can't be moved."""
    if block > len(state.below):
        raise ActionFault(f"there is no block B{block}")
    if block in state.below:
        raise ActionFault(f"block B{block} can't be moved: B{state.below.index(block) + 1} lies on it")
    if state.moves < len(state.below):
        return TABLE
    if block == state.top:
        raise ActionFault(f"block B{block} can't be put on itself")
    return state.top


class OneTowerRules(BlocksworldRules[InstructionT]):
    """The paper's BlocksWorld: all blocks start in one tower."""

    name = "blocksworld"
    problems = Forms(Form.of(Rearrangement, "start={start} & goal={goal}", start=ONE_TOWER))
    several = False


class SeveralTowersRules(BlocksworldRules[InstructionT]):
    """The paper's Extended BlocksWorld: the blocks may start in several towers."""

    name = "blocksworld-extended"
    problems = Forms(Form.of(Rearrangement, "start={start} & goal={goal}", start=SEVERAL_TOWERS))
    several = True


@frozen
class Unstack:
    """Put the blocks of `start` on the table, beginning with the top of the last tower, then build `goal`."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if not self.start:
            raise ValueError("there is nothing to unstack")


@frozen
class Stack:
    """Continue building `goal`, of which `start` is built."""

    start: Towers
    goal: Tower

    def __attrs_post_init__(self) -> None:
        if len(self.start) > 1 or sum(map(len, self.start)) > len(self.goal):
            raise ValueError("more is built than the goal has")


Instruction = Unstack | Stack

_ONE_LINE = Surface("{instruction}", "PUSH {instruction}", join=" ")


class _ByLists(BlocksworldRules[Instruction]):
    """The policy whose instructions list all that is still to do."""

    surfaces = {("stack", "numeric"): _ONE_LINE, ("stack", "symbolic"): _ONE_LINE}

    def start(self, problem: Rearrangement) -> Unstack:
        return Unstack(problem.start, problem.goal)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        goal = instruction.goal
        if isinstance(instruction, Unstack):
            *towers, (*tower, block) = instruction.start
            left = (*towers, tuple(tower)) if tower else tuple(towers)
            return Step((Move(block),), then=(Unstack(left, goal) if left else Stack((), goal),))
        built = sum(instruction.start, ())
        if len(built) == len(goal):
            return Step(last=Stack((built,), goal))
        block = goal[len(built)]
        successor = Stack(((*built, block),), goal)
        if len(built) + 1 == len(goal):
            return Step((Move(block),), last=successor)
        return Step((Move(block),), then=(successor,))


def _forms(start: Codec[Towers]) -> Forms[Instruction]:
    def form(record: type[Any], phase: str) -> Form[Any]:
        return Form.of(record, f"CALL type={phase} start={{start}} & goal={{goal}}", start=start)

    return Forms(form(Unstack, "unstacking"), form(Stack, "stacking"))


class OneTower(_ByLists, OneTowerRules[Instruction]):
    """The paper's BlocksWorld: all blocks start in one tower."""

    instructions = _forms(ONE_TOWER)


class SeveralTowers(_ByLists, SeveralTowersRules[Instruction]):
    """The paper's Extended BlocksWorld: the number of towers is uniform from 1 to n."""

    instructions = _forms(SEVERAL_TOWERS)
