"""The policy of `coc_blocksworld.blocks.policy`, with the same actions, by steps that each read one record.

`towers` and `goal` of that policy are linked lists here. A step reads the record of one block, decides by what is there
and what is not, and never compares two names.
"""

from collections.abc import Iterable

from attrs import evolve

from coc_blocksworld.blocks.goal import completed
from coc_blocksworld.blocks.linked.records import (
    Build,
    Carry,
    Check,
    Contents,
    Drop,
    Finish,
    Hold,
    Instruction,
    Lift,
    Pass,
    Put,
    Settle,
    Take,
    Try,
    Visit,
)
from coc_blocksworld.blocks.policy import Blocks
from coc_blocksworld.blocks.problem import Problem
from coc_blocksworld.blocks.rules import Action, BlocksRules, Done, PickUp, PutDown, Stack, Unstack
from coc_blocksworld.blocks.state import HAND
from coc_blocksworld.towers import BLOCK, NOTHING, TABLE
from coc_core.domain import At, Record, StoresRecords, stored_forms
from coc_core.types import Step


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
        for tower in problem.start:
            for block in (numbers[name] for name in tower):
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
