"""General BlocksWorld with a record for each block, so that no prompt grows with the number of blocks.

A program with the actions of the policy in `blocks.policy`, whose `towers` and `goal` are linked lists
here. A step reads the record of one block, decides by what is there and what is not, and never compares two names.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from coc_programs import Call, Program, Record, Steps, every, procedure, read, write
from coc_puzzles.blocksworld.blocks.policy import Blocks as Listed
from coc_puzzles.blocksworld.blocks.problem import HAND, Blocks, Problem, completed
from coc_puzzles.blocksworld.blocks.rules import Action, BlocksRules, Done, PickUp, PutDown, Stack, Unstack
from coc_puzzles.blocksworld.towers import TABLE


class Block(Record):
    """A block.

    Attributes:
        below: The block that it has to be taken from.
        above: The block that has to be taken from it.
        next_tower: If the tower it is in is taken apart down to this block, the block below the top of the next one.
        goal_on: The block that it belongs on; None for the table or the hand.
        held: Whether it belongs in the hand.
        placed: Whether it is where it belongs, and so are all blocks below it.
        next: The block to put in place after this one.
    """

    below: "Block | None" = None
    above: "Block | None" = None
    next_tower: "Block | None" = None
    goal_on: "Block | None" = None
    held: bool = False
    placed: bool = False
    next: "Block | None" = None


@procedure
def arrange(hand: Block | None, build: Block | None, clear: Block | None) -> Steps[None]:
    """Put blocks in place from `build` on as long as that can be done at once, else take one from `clear`."""
    if hand:
        yield put(hand, None if clear else build)
    while build or clear:
        if build:
            block = yield read(build)
            if block.placed:
                build = block.next
                continue
            if block.held and not clear:
                yield PickUp(build.number)
                break
            if block.goal_on and not block.below and not block.above:
                lower = yield read(block.goal_on)
                if lower.placed and not lower.above:
                    yield PickUp(build.number)
                    yield Stack(build.number, lower.number)
                    yield write(build, placed=True)
                    continue
        lower = yield read(clear)
        clear = lower.below or lower.next_tower
        if lower.above:
            yield Unstack(lower.above.number, lower.number)
            yield write(lower.above, below=None)
            yield write(lower, above=None)
            yield put(lower.above, None if clear else build)
    yield Done()


@procedure
def put(block: Block, last: Block | None) -> Steps[None]:
    """Put the block in the hand where it belongs if that is ready, else onto the table.

    If no tower is left to take apart, `last` is the block to put in place next.
    """
    seen = yield read(block)
    if seen.goal_on:
        lower = yield read(seen.goal_on)
        if lower.placed and not lower.above:
            yield Stack(block.number, lower.number)
            yield write(block, placed=True)
            return
    elif not seen.held:
        yield write(block, placed=True)
    elif last:
        following = yield read(last)
        if following.held:  # it is the block in the hand
            yield write(last, placed=True)
            return
    yield PutDown(block.number)


class LinkedBlocks(Program[Problem, Action, Blocks], BlocksRules[Any]):
    """The program whose instructions name a few blocks."""

    main = arrange
    edition = 2

    def kinds(self) -> Iterator[Call | Block]:
        """Yield all calls; and blocks linked as in a tower, where they belong only if nothing is below them."""
        yield from every(arrange)
        for block in every(Block):
            apart = (block.goal_on and block.held) or (block.placed and (block.held or block.below or block.next))
            unlinked = (block.next and not block.goal_on) or (block.next_tower and (block.below or not block.above))
            on_table = block.above and not block.below  # where it is in place, unless it belongs elsewhere
            if not (apart or unlinked) and (block.goal_on or block.held or block.placed or not on_table):
                yield block

    def begin(self, problem: Problem) -> tuple[Call, Sequence[Block]]:
        work, places = Listed().start(problem), completed(problem)
        named = {name: Block(held=places[name] == HAND) for name in problem.names}
        for name, block in named.items():
            block.goal_on = named.get(places[name])
        for tower in problem.start:
            for lower, name in zip((TABLE, *tower), tower, strict=False):
                if places[name] != lower:
                    break
                named[name].placed = True
        blocks = dict(enumerate(named.values(), 1))
        towers = [[blocks[number] for number in tower] for tower in work.towers]
        order = [blocks[number] for tower in work.goal for number in tower[1:] or tower]
        for below, above in chain.from_iterable(map(pairwise, towers)):
            below.above, above.below = above, below
        for later, earlier in pairwise(towers):
            earlier[0].next_tower = later[-2]
        for block, following in pairwise(order):
            block.next = following
        hand = next((blocks[number] for number in work.hand), None)
        return arrange(hand, next(iter(order), None), towers[-1][-2] if towers else None), list(blocks.values())
