"""The policy: one action a step. A block goes to its final place if that is ready, and onto the table otherwise."""

from collections import Counter
from itertools import chain, takewhile
from typing import Annotated

from attrs import frozen

from coc_core.text import Form, Forms, Surface
from coc_core.types import Step
from coc_puzzles.blocksworld.blocks.problem import HAND, Problem, completed
from coc_puzzles.blocksworld.blocks.rules import Action, BlocksRules, Done, PickUp, PutDown, Stack, Unstack
from coc_puzzles.blocksworld.towers import SEVERAL_TOWERS, TABLE, Tower, Towers

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
