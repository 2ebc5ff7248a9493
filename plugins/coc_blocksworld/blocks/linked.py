"""General BlocksWorld with a record for each block, so that no prompt grows with the number of blocks.

The policy of `coc_blocksworld.blocks.policy`, with the same actions, by steps that each read one record. `towers` and
`goal` of that policy are linked lists here. A step reads the record of one block, decides by what is there and what is
not, and never compares two names.
"""

from collections.abc import Iterable
from typing import Annotated

from attrs import evolve, frozen

from coc_blocksworld.blocks.goal import completed
from coc_blocksworld.blocks.policy import Blocks
from coc_blocksworld.blocks.problem import Problem
from coc_blocksworld.blocks.rules import Action, BlocksRules, Done, PickUp, PutDown, Stack, Unstack
from coc_blocksworld.blocks.state import HAND
from coc_blocksworld.towers import BLOCK, NOTHING, TABLE, Linked, MaybeLinked, bracketed
from coc_core.domain import At, Record, StoresRecords, stored_forms
from coc_core.text import Codec, quoted
from coc_core.types import Step

Place = Annotated[int, bracketed({TABLE: "table", HAND: "hand"})]


def _parse_yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{quoted(text, 24)} is neither yes nor no")
    return text == "yes"


@frozen
class Contents:
    """What a record says of its block.

    Attributes:
        on: What the block is on: a block, the TABLE, or the HAND.
        under: The block that is on it, or NOTHING.
        goal_on: What it belongs on.
        goal_under: The block that belongs on it, or NOTHING.
        placed: Whether it is in its final place, and so are all blocks below it.
        next_tower: If the tower it is in is taken apart down to this block, the top of the tower to take apart next.
        next_goal: If it is the top of a tower of the goal, the block from which the next tower of the goal is built.
    """

    on: Place
    under: MaybeLinked
    goal_on: Place
    goal_under: MaybeLinked
    placed: Annotated[bool, Codec(_parse_yes, lambda placed: "yes" if placed else "no")]
    next_tower: MaybeLinked = NOTHING
    next_goal: MaybeLinked = NOTHING


@frozen
class Build:
    """Look whether a block can be put on `build`, the highest block in place of the first tower that lacks one.

    In this and the other instructions, `clear` is the top of the tower that is to be taken apart, or NOTHING.
    """

    clear: MaybeLinked
    at: At[Contents]


@frozen
class Check:
    """A block can be put on `build`: look whether the one that belongs there can be picked up."""

    build: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Pass:
    """No block can be put on `build`: look whether the one that belongs there is there already."""

    build: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Carry:
    """Stack the block in the hand on the one named."""

    block: Linked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Take:
    """Unstack the block named, the top of the tower that is taken apart."""

    build: MaybeLinked
    at: At[Contents]


@frozen
class Lift:
    """The block in the hand was on the one named: note that it is gone."""

    block: Linked
    build: MaybeLinked
    at: At[Contents]


@frozen
class Put:
    """Look where the block in the hand, which is the one named, belongs."""

    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Try:
    """The block in the hand belongs on the one named: look whether it can be put there."""

    block: Linked
    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Hold:
    """The block in the hand shall be held in the end: look whether anything else is left to do."""

    block: Linked
    at: At[Contents]


@frozen
class Drop:
    """The block named was put onto the table, for the time being: note that."""

    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Settle:
    """The block named was put in its final place, on `lower`: note that."""

    lower: Linked
    build: MaybeLinked
    clear: MaybeLinked
    at: At[Contents]


@frozen
class Finish:
    """Nothing is left to do."""


Visit = Build | Check | Pass | Carry | Take | Lift | Put | Try | Hold | Drop | Settle
"""An instruction that names a record."""

Instruction = Visit | Finish | Record[Contents]


class LinkedBlocks(BlocksRules[Instruction], StoresRecords[Problem, Instruction]):
    """The policy whose instructions name one block."""

    instructions = stored_forms(
        BLOCK, Contents, Build, Check, Pass, Carry, Take, Lift, Put, Try, Hold, Drop, Settle, Finish
    )
    finitely_many_kinds = True

    def start(self, problem: Problem) -> Instruction:
        work = Blocks().start(problem)
        build = work.goal[0][0] if work.goal else NOTHING
        clear = work.towers[-1][-1] if work.towers else NOTHING
        first = Put(build, clear, At(work.hand[0])) if work.hand else _next(build, clear)
        if isinstance(first, Finish):
            return first
        contents = {record.number: record.contents for record in self.records(problem)}
        return evolve(first, at=At(first.at.number, contents[first.at.number]))

    def records(self, problem: Problem) -> Iterable[Record[Contents]]:
        work, state = Blocks().start(problem), self.initial(problem)
        numbers = {name: number for number, name in enumerate(problem.names, 1)}
        below = dict(enumerate(state.below, 1))
        goal_below = {numbers[block]: numbers.get(lower, lower) for block, lower in completed(problem).items()}
        above, goal_above = ({lower: block for block, lower in each.items()} for each in (below, goal_below))
        placed = {TABLE}
        for block in (numbers[name] for tower in problem.start for name in tower):
            if below[block] == goal_below[block] and below[block] in placed:
                placed.add(block)
        next_tower = {lower[0]: upper[-1] for upper, lower in zip(work.towers, work.towers[1:], strict=False)}
        next_goal = {first[-1]: second[0] for first, second in zip(work.goal, work.goal[1:], strict=False)}
        for block in below:
            contents = Contents(
                below[block],
                above.get(block, NOTHING),
                goal_below[block],
                goal_above.get(block, NOTHING),
                block in placed,
                next_tower.get(block, NOTHING),
                next_goal.get(block, NOTHING),
            )
            yield Record(block, contents)

    def expand(self, instruction: Instruction) -> Step[Instruction, Action]:
        if isinstance(instruction, Finish | Record) or instruction.at.contents is None:
            return Step((Done(),))
        block, seen = instruction.at.number, instruction.at.contents
        match instruction:
            case Build(clear):
                return _build(block, seen, clear)
            case Check(build, clear):
                if seen.under == NOTHING and seen.on == TABLE:
                    return Step((PickUp(block),), then=(Carry(block, clear, At(build)),))
                return _go_on(_take(build, clear))
            case Pass(build, clear):
                return _go_on(Build(clear, At(block)) if seen.placed else _take(build, clear))
            case Carry(carried, clear):
                settle = Settle(block, carried, clear, At(carried))
                return Step((Stack(carried, block),), then=(Record(block, evolve(seen, under=carried)), settle))
            case Take() if seen.on in (TABLE, HAND):  # no tower is taken apart down to the table
                return Step((Done(),))
            case Take(build):
                lift = Lift(block, build, At(seen.on))
                return Step((Unstack(block, seen.on),), then=(Record(block, evolve(seen, on=HAND)), lift))
            case Lift(lifted, build):
                is_done = seen.placed or seen.on == TABLE
                put = Put(build, seen.next_tower if is_done else block, At(lifted))
                return Step(then=(Record(block, evolve(seen, under=NOTHING)), put))
            case Put(build, clear):
                return _put(block, seen, build, clear)
            case Try(held, build, clear):
                if seen.placed and seen.under == NOTHING:
                    settle = Settle(block, build, clear, At(held))
                    return Step((Stack(held, block),), then=(Record(block, evolve(seen, under=held)), settle))
                return Step((PutDown(held),), then=(Drop(build, clear, At(held)),))
            case Hold(held):
                if seen.goal_on == HAND:
                    return Step((Done(),))
                return Step((PutDown(held),), then=(Drop(block, NOTHING, At(held)),))
            case Drop(build, clear):
                return Step(then=(Record(block, evolve(seen, on=TABLE)), _next(build, clear)))
            case Settle(lower, build, clear):
                return Step(then=(Record(block, evolve(seen, on=lower, placed=True)), _next(build, clear)))


def _build(block: int, seen: Contents, clear: int) -> Step[Instruction, Action]:
    """Go on from the highest block that is known to be in place, or to be the lowest, in a tower of the goal."""
    if seen.goal_on == HAND:  # all towers of the goal stand
        return _go_on(_take(block, clear)) if clear != NOTHING else Step((PickUp(block), Done()))
    if seen.goal_under == NOTHING:
        return _go_on(_next(seen.next_goal, clear))
    is_free = seen.placed and seen.under == NOTHING
    return _go_on((Check if is_free else Pass)(block, clear, At(seen.goal_under)))


def _put(block: int, seen: Contents, build: int, clear: int) -> Step[Instruction, Action]:
    """Decide by where the block in the hand belongs."""
    if seen.goal_on == TABLE or (seen.goal_on == HAND and clear != NOTHING):
        down = evolve(seen, on=TABLE, placed=seen.goal_on == TABLE)
        return Step((PutDown(block),), then=(Record(block, down), _next(build, clear)))
    if seen.goal_on == HAND:
        return _go_on(Hold(block, At(build)) if build != NOTHING else Finish())
    return _go_on(Try(block, build, clear, At(seen.goal_on)))


def _next(build: int, clear: int) -> Visit | Finish:
    """With an empty hand: build if there is something to build, else take apart, else finish."""
    return Build(clear, At(build)) if build != NOTHING else _take(build, clear)


def _take(build: int, clear: int) -> Visit | Finish:
    return Take(build, At(clear)) if clear != NOTHING else Finish()


def _go_on(instruction: Instruction) -> Step[Instruction, Action]:
    return Step(then=(instruction,))
