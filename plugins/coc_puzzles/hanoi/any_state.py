"""Tower of Hanoi from any state to any other one, on three pegs and more.

On three pegs the number of moves is the least possible. The largest disk that has to move goes at once, or by way of
the third peg. Which of these is shorter mostly follows from a few of the next smaller disks (D. Romik, Shortest paths
in the Tower of Hanoi graph and finite automata, 2006).
"""

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Annotated, Any

from attrs import frozen

from coc_core.domain import Assignment, HasOperators, HasScenes, Operator, Scene
from coc_core.text import Codec, Form, Forms, item_codec, list_of, parse_decimal
from coc_problems import ReadsMoves
from coc_programs import Call, Program, Record, Steps, procedure, read, write
from coc_puzzles.hanoi.domain import free_way, moves_of, pictured, why_not
from coc_puzzles.hanoi.instructions import MOST_DISKS, Move

MOST_PEGS = 64
_PEG = item_codec("P", "peg")


@frozen
class Standing:
    """A state: the number of pegs, and the peg of each disk, the smallest first."""

    pegs: int
    at: tuple[int, ...]


_LIST = Annotated[tuple[int, ...], list_of(Codec(parse_decimal, str), "peg")]


@frozen
class Spread:
    """A problem: the peg of each disk, the smallest first, at the start and in the end."""

    pegs: int
    start: _LIST
    goal: _LIST

    def __attrs_post_init__(self) -> None:
        if not 3 <= self.pegs <= MOST_PEGS:
            raise ValueError(f"there are 3 to {MOST_PEGS} pegs, not {self.pegs}")
        if len(self.start) != len(self.goal):
            raise ValueError(f"there are {len(self.start)} disks at the start and {len(self.goal)} in the end")
        if wrong := [peg for peg in (*self.start, *self.goal) if not 1 <= peg <= self.pegs]:
            raise ValueError(f"{wrong[0]} is not one of the pegs 1 to {self.pegs}")


_PHYSICAL: Forms[Move] = Forms(Form.of(Move, "Move disk {disk} from {src} to {dst}"))


class Peg(Record):
    """A peg, and the next one."""

    next: "Peg | None" = None


class Disk(Record):
    """A disk: where it is, where it belongs, and the next smaller one."""

    peg: Peg
    to: Peg
    smaller: "Disk | None" = None


@procedure
def solve(disk: Disk, pegs: Peg) -> Steps[None]:
    """Bring a disk and all smaller ones to where they belong."""
    here = yield read(disk)
    if here.peg != here.to:
        spare = yield third(here.peg, here.to, pegs)
        here = yield read(disk)
        if (yield takes_two(here.smaller, here.peg, here.to, spare, pegs)):
            here = yield read(disk)
            yield gather(here.smaller, here.to, pegs)
            yield move(disk, spare)
            here = yield read(disk)
            spare = yield third(here.peg, here.to, pegs)
        here = yield read(disk)
        yield gather(here.smaller, spare, pegs)
        here = yield read(disk)
        yield move(disk, here.to)
    here = yield read(disk)
    if here.smaller:
        yield solve(here.smaller, pegs)


@procedure
def gather(disk: Disk | None, to: Peg, pegs: Peg) -> Steps[None]:
    """Bring a disk and all smaller ones to a peg."""
    if disk:
        here = yield read(disk)
        if here.peg != to:
            spare = yield third(here.peg, to, pegs)
            here = yield read(disk)
            yield gather(here.smaller, spare, pegs)
            yield move(disk, to)
        here = yield read(disk)
        yield gather(here.smaller, to, pegs)


@procedure
def move(disk: Disk, to: Peg) -> Steps[None]:
    """Move a disk."""
    here = yield read(disk)
    yield Move(disk.number, here.peg.number, to.number)
    yield write(disk, peg=to)


@procedure
def third(one: Peg, other: Peg, pegs: Peg) -> Steps[Peg]:
    """Yield the first peg that is neither of two."""
    peg = yield read(pegs)
    if pegs != one and pegs != other:
        return pegs
    found: Peg = yield third(one, other, peg.next)
    return found


@procedure
def takes_two(disk: Disk | None, start: Peg, end: Peg, spare: Peg, pegs: Peg) -> Steps[bool]:
    """Yield whether moving a disk in two steps is shorter, given the next smaller one; no for more than three pegs."""
    first = yield read(pegs)
    second = yield read(first.next)
    last = yield read(second.next)
    if last.next:
        return False
    shorter: bool = yield compare(disk, start, end, spare)
    return shorter


@procedure
def compare(disk: Disk | None, start: Peg, end: Peg, spare: Peg) -> Steps[bool]:
    """Yield whether two moves of a disk are shorter, from disk to disk.

    `lead` is by how many moves of this disk one move of the larger one takes longer, as far as is known. The smaller
    disks belong on `one` before that, `two` for two moves, and `none` is the other peg; likewise after it.
    """
    lead: Annotated[int, range(-1, 2)] = -1
    one, two, none = spare, end, start
    later_one, later_two, later_none = spare, start, end
    left = disk
    while left:
        here = yield read(left)
        balance = 2 * lead
        if here.peg == one:
            two, none = none, two
            balance -= 1
        elif here.peg == two:
            one, none = none, one
            balance += 1
        else:
            one, two = two, one
        if here.to == later_one:
            later_two, later_none = later_none, later_two
            balance -= 1
        elif here.to == later_two:
            later_one, later_none = later_none, later_one
            balance += 1
        else:
            later_one, later_two = later_two, later_one
        if balance > 1 or balance < -1:
            return balance > 1
        lead = balance
        left = here.smaller
    return lead > 0


class HanoiAny(
    Program[Spread, Move, Standing],
    HasOperators[Spread, Any, Move, Standing],
    HasScenes[Standing],
    ReadsMoves[Move, Standing],
):
    """n disks, from any state to any other one. Of problems that are drawn, three of four have three pegs."""

    name = "hanoi-any"
    sizes = range(1, MOST_DISKS + 1)
    problems = Forms(Form.of(Spread, "pegs={pegs} start={start} goal={goal}"))
    actions = Forms(Form.of(Move, "Move {disk} from {src} to {dst}.", disk=item_codec("D", "disk"), src=_PEG, dst=_PEG))
    main = solve

    def _problem(self, n: int, rng: random.Random) -> Spread:
        pegs = rng.choice((3, 3, 3, rng.randint(4, 6)))
        start, goal = (tuple(rng.choices(range(1, pegs + 1), k=n)) for _ in range(2))
        return Spread(pegs, start, goal)

    def size(self, problem: Spread) -> int:
        return len(problem.start)

    def begin(self, problem: Spread) -> tuple[Call, Sequence[Record]]:
        pegs = [Peg() for _ in range(problem.pegs)]
        for peg, following in pairwise(pegs):
            peg.next = following
        ways = zip(problem.start, problem.goal, strict=True)
        disks = [Disk(peg=pegs[start - 1], to=pegs[end - 1]) for start, end in ways]
        for disk, larger in pairwise(disks):
            larger.smaller = disk
        return solve(disks[-1], pegs[0]), [*disks, *pegs]

    def initial(self, problem: Spread) -> Standing:
        return Standing(problem.pegs, problem.start)

    def is_goal(self, problem: Spread, state: Standing) -> bool:
        return state.at == problem.goal

    def variables(self, state: Standing) -> Assignment:
        """Return whether each disk is on each peg. The pegs are numbered on from the disks."""
        n = len(state.at)
        return {(disk, n + peg): peg == at for disk, at in enumerate(state.at, 1) for peg in range(1, state.pegs + 1)}

    def operator(self, action: Move) -> Operator:
        way = free_way(action)
        return Operator({(action.disk, action.dst): False, **way.needs}, way.sets)  # so there is such a peg

    def assign(self, state: Standing, sets: Assignment) -> Standing:
        moved = {disk: peg - len(state.at) for (disk, peg), there in sets.items() if there}
        return Standing(state.pegs, tuple(moved.get(disk, peg) for disk, peg in enumerate(state.at, 1)))

    def every_action(self, state: Standing) -> Iterable[Move]:
        n = len(state.at)
        return (Move(move.disk, n + move.src, n + move.dst) for move in moves_of(state.at, _pegs(state)))

    def why_illegal(self, state: Standing, action: Move) -> str:
        n = len(state.at)
        for peg in (action.src, action.dst):
            if not n < peg <= n + state.pegs:
                return f"there is no peg P{peg}: they are P{n + 1} to P{n + state.pegs}"
        return why_not(state.at, action.disk, action.src - n, action.dst - n)

    def effect(self, state: Standing, action: Move) -> str:
        n = len(state.at)
        return _PHYSICAL.format(Move(action.disk, action.src - n, action.dst - n))

    def actions_for(self, state: Standing, move: str) -> Sequence[Move]:
        n, found = len(state.at), _PHYSICAL.parse(move)
        return (Move(found.disk, n + found.src, n + found.dst),)

    def scene(self, state: Standing) -> Scene:
        return pictured(state.at, _pegs(state))


def _pegs(state: Standing) -> range:
    return range(1, state.pegs + 1)
