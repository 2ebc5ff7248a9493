"""Blocks on a table with room for three stacks: any start, any goal. One goal stack after the other is built."""

import random
from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations_with_replacement, permutations

from attrs import field, frozen, validators

from coc_core.domain import Domain, HasScenes, Scene
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, check_permutation, parse_decimal, words_pattern
from coc_core.types import Step
from coc_puzzles.blocksworld.domain import Block, Towers, cut, draw, scene

MOST_BLOCKS = 100
PLACES = (1, 2, 3)

_place = validators.in_(PLACES)
_PLACE = Codec(parse_decimal, pattern=words_pattern(PLACES))


def _check_places(*arrangements: Towers) -> None:
    for stacks in arrangements:
        if len(stacks) != len(PLACES):
            raise ValueError(f"there are {len(PLACES)} stacks, not {len(stacks)}; an empty one is []")


@frozen
class Rearrangement:
    """A problem: rebuild the three stacks `start` as the stacks `goal`, each from the table up, of blocks B1 to Bn."""

    start: Towers
    goal: Towers

    def __attrs_post_init__(self) -> None:
        _check_places(self.start, self.goal)
        blocks = tuple(chain(*self.goal))
        if len(blocks) > MOST_BLOCKS:
            raise ValueError(f"{len(blocks):,} blocks are too many; the limit is {MOST_BLOCKS:,}")
        check_permutation("B", chain(*self.start), blocks)


@frozen
class Arrange:
    """The instruction: the blocks that are not in place yet, where they are, and where they belong.

    What is in place is left out: the lowest blocks of a stack if they are those of its goal.
    """

    stacks: Towers
    goal: Towers

    def __attrs_post_init__(self) -> None:
        _check_places(self.stacks, self.goal)
        here, there = Counter(chain(*self.stacks)), Counter(chain(*self.goal))
        if here != there or len(here) != here.total():
            raise ValueError("the stacks and the goal have different blocks, or one of them twice")
        if any(stack and stack[:1] == goal[:1] for stack, goal in zip(self.stacks, self.goal, strict=True)):
            raise ValueError("a block is in place already")


@frozen
class Move:
    """The action: move the top block of a stack onto another stack."""

    block: Block
    src: int = field(validator=_place)
    dst: int = field(validator=_place)

    def __attrs_post_init__(self) -> None:
        if self.src == self.dst:
            raise ValueError(f"the stacks must differ, not be {self.src}, {self.dst}")


@frozen
class Done:
    """A note: nothing is left to do."""


class ThreeStacks(Domain[Rearrangement, Arrange, Move, Towers], HasScenes[Towers]):
    """n blocks in three stacks. A block that is on top may be moved onto another stack, even an empty one.

    Every goal can be reached: while a stack is built, the other two hold the rest, and any block of theirs is uncovered
    by moving what lies on it to the other one.
    """

    name = "blocks-3"
    sizes = range(1, MOST_BLOCKS + 1)
    problems = Forms(Form.of(Rearrangement, "start={start} & goal={goal}"))
    instructions = Forms(Form.of(Arrange, "CALL stacks={stacks} & goal={goal}"))
    actions = Forms(Form.of(Move, "Move {block} from {src} to {dst}", src=_PLACE, dst=_PLACE))
    notes = Forms(Form.of(Done, "Every block is in place."))
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Rearrangement:
        return Rearrangement(_drawn(n, rng), _drawn(n, rng))

    def _every_problem(self, n: int) -> Iterable[Rearrangement]:
        """Return every start, with every goal but for names: B1, B2, and so on follow each other in its stacks."""
        ends = list(combinations_with_replacement(range(n + 1), 2))
        goals = [cut(range(1, n + 1), each) for each in ends]
        orders = permutations(range(1, n + 1))
        return (Rearrangement(cut(order, each), goal) for order in orders for each in ends for goal in goals)

    def size(self, problem: Rearrangement) -> int:
        return sum(map(len, problem.goal))

    def start(self, problem: Rearrangement) -> Arrange:
        return _without_placed(problem.start, problem.goal)

    def expand(self, instruction: Arrange) -> Step[Arrange, Move]:
        stacks, goal = instruction.stacks, instruction.goal
        if not any(goal):
            return Step((Done(),))
        action = _next(stacks, goal)
        after = _without_placed(_moved(stacks, action), goal)
        return Step((action,), then=(after,) if any(after.goal) else ())

    def initial(self, problem: Rearrangement) -> Towers:
        return problem.start

    def apply(self, state: Towers, action: Move) -> Towers:
        source = state[action.src - 1]
        if source[-1:] != (action.block,):
            top = f"has B{source[-1]} on top" if source else "is empty"
            raise ActionFault(f"B{action.block} can't be taken from stack {action.src}, which {top}")
        return _moved(state, action)

    def every_action(self, state: Towers) -> Iterable[Move]:
        return (Move(state[src - 1][-1], src, dst) for src, dst in permutations(PLACES, 2) if state[src - 1])

    def is_goal(self, problem: Rearrangement, state: Towers) -> bool:
        return state == problem.goal

    def render(self, state: Towers, width: int) -> str:
        return draw([[f"B{block}" for block in stack] for stack in state], width)

    def scene(self, state: Towers) -> Scene:
        return scene((str(place), [f"B{block}" for block in stack]) for place, stack in zip(PLACES, state, strict=True))


def _next(stacks: Towers, goal: Towers) -> Move:
    """Return the policy's move, if something is left to do.

    A block that can go where it belongs does. Otherwise the first stack with blocks missing is cleared, and then the
    block that it needs next is uncovered. Nothing is put on top of that block.
    """
    tops = {stack[-1]: place for place, stack in zip(PLACES, stacks, strict=True) if stack}
    for place, stack, missing in zip(PLACES, stacks, goal, strict=True):
        if missing and not stack and missing[0] in tops:
            return Move(missing[0], tops[missing[0]], place)
    built = next(place for place in PLACES if goal[place - 1])
    holder = next(place for place in PLACES if goal[built - 1][0] in stacks[place - 1])
    src = built if stacks[built - 1] else holder
    dst = next(place for place in PLACES if place not in (built, src, holder))
    return Move(stacks[src - 1][-1], src, dst)


def _moved(stacks: Towers, action: Move) -> Towers:
    after = list(stacks)
    after[action.src - 1] = after[action.src - 1][:-1]
    after[action.dst - 1] = (*after[action.dst - 1], action.block)
    return tuple(after)


def _without_placed(stacks: Towers, goal: Towers) -> Arrange:
    """Return the stacks and the goal without the blocks that are in place."""
    placed = [
        next((at for at in range(len(one)) if one[at : at + 1] != other[at : at + 1]), len(one))
        for one, other in zip(stacks, goal, strict=True)
    ]
    left = (tuple(stack[count:] for stack, count in zip(each, placed, strict=True)) for each in (stacks, goal))
    return Arrange(*left)


def _drawn(n: int, rng: random.Random) -> Towers:
    """Stacks of n blocks, each with the same probability."""
    first, second = sorted(rng.sample(range(n + 2), 2))
    return cut(rng.sample(range(1, n + 1), n), (first, second - 1))
