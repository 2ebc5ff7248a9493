"""The policy, one action a step: a block goes to its final place if that is ready, and onto the table otherwise.

It is written twice: with instructions that list all that is still to do, and as a program with a record for each block,
so that no prompt grows with the number of blocks, whose `towers` and `goal` are linked lists. A step of the program
reads the record of one block, decides by what is there and what is not, and never compares two names.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, takewhile
from typing import Annotated, Any

from attrs import frozen

from coc_core.text import Form, Forms, Surface
from coc_core.types import Step
from coc_programs import Call, Program, Record, Steps, every, procedure, read, write
from coc_puzzles.blocksworld.blocks.problem import HAND, Blocks as State, Problem, completed
from coc_puzzles.blocksworld.blocks.rules import Action, BlocksRules, Done, PickUp, PutDown, Stack, Unstack
from coc_puzzles.blocksworld.domain import SEVERAL_TOWERS, TABLE, Tower, Towers

Listed = Annotated[Towers, SEVERAL_TOWERS]


@frozen
class Arrange:
    """The instruction: all that is still to do.

    Attributes:
        hand: The block in the hand; empty if there is none.
        towers: The towers that have blocks to move, each with the highest block that stays, or else the one on the
            table, and all blocks above it.
        goal: The towers that have blocks missing, each with the highest block that is in place, or else the one that
            belongs on the table, and all blocks that belong above it. A single block is to be in the hand in the end.
    """

    hand: Tower
    towers: Listed
    goal: Listed

    def __attrs_post_init__(self) -> None:
        if len(self.hand) > 1 or any(len(tower) < 2 for tower in self.towers):
            raise ValueError("the hand holds one block at most, and a tower has two at least")
        for blocks in (chain(self.hand, *self.towers), chain(*self.goal)):
            if any(count > 1 for count in Counter(blocks).values()):
                raise ValueError("a block is in two places")


_ONE_FORM = Surface("{instruction}", "PUSH {instruction}")


class Blocks(BlocksRules[Arrange]):
    """The policy whose instructions list all that is still to do."""

    instructions = Forms(Form.of(Arrange, "CALL hand={hand} & towers={towers} & goal={goal}"))
    surfaces = {("stack", "numeric"): _ONE_FORM, ("stack", "symbolic"): _ONE_FORM}

    def start(self, problem: Problem) -> Arrange:
        """Return the instruction that solves a problem.

        The last tower is taken apart first, so short towers come last, and the tower with the block to hold comes
        first. The first tower of the goal is built first, and tall ones come first.
        """
        numbers = {name: number for number, name in enumerate(problem.names, 1)}
        places = completed(problem)
        above = {lower: block for block, lower in places.items() if lower not in (TABLE, HAND)}
        standing, towers, goal = set[str](), list[Tower](), list[Tower]()
        for tower in problem.start:
            stays = list(takewhile(lambda pair: places[pair[1]] == pair[0], zip((TABLE, *tower), tower, strict=False)))
            standing.update(block for _, block in stays)
            towers.append(tuple(numbers[block] for block in tower[max(len(stays) - 1, 0) :]))
        for base in (block for block, lower in places.items() if lower == TABLE):
            path = [base]
            while path[-1] in above:
                path.append(above[path[-1]])
            kept = sum(block in standing for block in path)
            goal.append(tuple(numbers[block] for block in path[max(kept - 1, 0) :]))
        held = tuple((numbers[block],) for block, lower in places.items() if lower == HAND)
        return Arrange(
            tuple(numbers[block] for block in problem.hand),
            tuple(sorted(filter(_has_work, towers), key=lambda tower: (tower[-1:] in held, len(tower)), reverse=True)),
            (*sorted(filter(_has_work, goal), key=len, reverse=True), *held),
        )

    def expand(self, instruction: Arrange) -> Step[Arrange, Action]:
        work = instruction
        if not work.towers and work.goal == ((work.hand,) if work.hand else ()):
            return Step((Done(),))
        action, after = _place(work) if work.hand else _take(work)
        return Step((action,), then=(after,))


def _has_work(tower: Tower) -> bool:
    """Return whether something lies on, or belongs on, the first block of a tower, which stays."""
    return len(tower) > 1


def _place(work: Arrange) -> tuple[Action, Arrange]:
    """Put down the block in the hand: on the block below it in the goal, if that is ready, else onto the table."""
    (block,) = work.hand
    for at, tower in enumerate(work.goal):
        if tower[1:2] == work.hand and _is_free(tower[0], work):
            rest = (tower[1:],) if len(tower) > 2 else ()
            return Stack(block, tower[0]), Arrange((), work.towers, (*work.goal[:at], *rest, *work.goal[at + 1 :]))
    return PutDown(block), Arrange((), work.towers, work.goal)


def _take(work: Arrange) -> tuple[Action, Arrange]:
    """Take the next block of the first goal tower, if it can go there at once, else the top of the last tower."""
    following = work.goal[0][:2] if work.goal else ()
    if following and (len(following) == 2 or not work.towers) and all(_is_free(block, work) for block in following):
        return PickUp(following[-1]), Arrange(following[-1:], work.towers, work.goal)
    *towers, (*tower, lower, block) = work.towers
    left = (*towers, (*tower, lower)) if tower else tuple(towers)
    return Unstack(block, lower), Arrange((block,), left, work.goal)


def _is_free(block: int, work: Arrange) -> bool:
    """Return whether nothing lies on a block. If it is the first of its goal tower, it is in place, too."""
    return all(block not in tower for tower in work.towers)


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


class LinkedBlocks(Program[Problem, Action, State], BlocksRules[Any]):
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
        work, places = Blocks().start(problem), completed(problem)
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
