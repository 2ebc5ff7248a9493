"""Sliding puzzles, the 8-puzzle and the 15-puzzle, solved in the fewest moves by IDA* (Korf 1985).

The search begins at the goal, so that the moves from the start lie in order when it has got there. It counts by chains
of records: the moves that are left, and how many of them may lead a tile away from where it belongs. The first limit is
the sum of the Manhattan distances, which each move changes by one, so that a bound on it is one on the moves away.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from math import isqrt
from typing import Annotated, Literal

from attrs import frozen

from coc_core.domain import KnowsUnsolvable, ReadsMoves
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms, item_codec, parse_decimal, quoted
from coc_programs import Call, Program, Record, Steps, chain, new, procedure, read, write

Direction = Literal["left", "right", "up", "down"]
OPPOSITE: dict[Direction, Direction] = {"left": "right", "right": "left", "up": "down", "down": "up"}


@frozen
class Slide:
    """The action: slide the tile at a place into the gap beside it."""

    place: Annotated[int, item_codec("P", "place")]


def _parse(text: str) -> tuple[int, ...]:
    return tuple(map(parse_decimal, text.split(" ")))


@frozen
class Board:
    """The number of the tile at each place, row by row, and 0 for the gap. Places have numbers from 1."""

    tiles: Annotated[tuple[int, ...], Codec(_parse, lambda tiles: " ".join(map(str, tiles)))]

    def __attrs_post_init__(self) -> None:
        if len(self.tiles) not in (4, 9, 16) or {*self.tiles} != {*range(len(self.tiles))}:
            raise ValueError("a board has the numbers 0 to 3, 0 to 8 or 0 to 15, each once, with 0 for the gap")

    @property
    def side(self) -> int:
        """How many places are in a row."""
        return isqrt(len(self.tiles))

    @property
    def gap(self) -> int:
        """The place of the gap."""
        return self.tiles.index(0) + 1

    @property
    def goal(self) -> "Board":
        """The board with all tiles in order, and the gap at the end."""
        return Board((*range(1, len(self.tiles)), 0))

    @property
    def is_solvable(self) -> bool:
        """Whether moves lead to the goal: if exchanges of two tiles do that are odd or even as the gap's moves are."""
        ordered = (tile or len(self.tiles) for tile in self.tiles)
        exchanges = sum(one > other for one, other in combinations(ordered, 2))
        return (exchanges + self.distance(0, len(self.tiles))) % 2 == 0

    def distance(self, tile: int, place: int) -> int:
        """Return the Manhattan distance of a tile from a place."""
        here, there = divmod(self.tiles.index(tile), self.side), divmod(place - 1, self.side)
        return abs(here[0] - there[0]) + abs(here[1] - there[1])

    def beside(self, place: int) -> dict[Direction, int]:
        """Return the place in each direction from one."""
        row, column = divmod(place - 1, self.side)
        found: dict[Direction, tuple[bool, int]] = {
            "left": (column > 0, place - 1),
            "right": (column < self.side - 1, place + 1),
            "up": (row > 0, place - self.side),
            "down": (row < self.side - 1, place + self.side),
        }
        return {direction: other for direction, (there, other) in found.items() if there}

    def after(self, place: int) -> "Board":
        """Return the board after the tile at a place has gone into the gap."""
        tile = self.tiles[place - 1]
        return Board(tuple({0: tile, tile: 0}.get(each, each) for each in self.tiles))

    @property
    def picture(self) -> str:
        """The rows, drawn."""
        digits = len(str(len(self.tiles) - 1))
        cells = [str(tile or ".").rjust(digits) for tile in self.tiles]
        return "\n".join(" ".join(cells[row : row + self.side]) for row in range(0, len(cells), self.side))


class Place(Record):
    """A place on the board. While it is the gap, what it says of a tile means nothing."""

    tile: "Spot"


class Spot(Record):
    """A tile at a place, which a move has led there; and the same tile moved on in each direction."""

    nearer: bool
    left: "Spot"
    right: "Spot"
    up: "Spot"
    down: "Spot"


class Way(Record):
    """A way of the gap: the tile that comes towards it, the next from this place, and those from there but not back."""

    to: Place
    tile: Direction
    then: "Way"
    next: "Way | None" = None


class Number(Record):
    """A number above another one; nothing stands below zero."""

    less: "Number | None" = None


@procedure
def solve(gap: Place, way: Way, tile: Spot, left: Number, spare: Number) -> Steps[None]:
    """Search with two moves more each time: one that leads away, and one that makes up for it."""
    if not (yield search(gap, way, tile, left, spare)):
        more = yield new(Number, less=spare)
        one = yield new(Number, less=left)
        two = yield new(Number, less=one)
        yield solve(gap, way, tile, two, more)


@procedure
def search(gap: Place, way: Way, tile: Spot, left: Number, spare: Number) -> Steps[bool]:
    """Yield whether so many moves lead to the start, the spare ones away from it. The gap is where `tile` was."""
    count = yield read(left)
    if not count.less:
        return True
    for out in chain(way, "next"):
        there = yield read(out.to)
        spot = yield read(there.tile)
        across = spot.left if out.tile == "left" else spot.right
        moved = across if out.tile in ("left", "right") else spot.up if out.tile == "up" else spot.down
        found = yield read(moved)
        rest: Number | None = spare
        if not found.nearer:
            fewer = yield read(spare)
            rest = fewer.less
        if rest:
            yield write(gap, tile=moved)
            if (yield search(out.to, out.then, there.tile, count.less, rest)):
                yield Slide(gap.number)
                return True
    yield write(gap, tile=tile)
    return False


class Tiles(Program[Board, Slide, Board], KnowsUnsolvable[Board], ReadsMoves[Slide, Board]):
    """Sliding puzzles with n x n places. Those that are drawn for n = 4 are at most 30 moves away from the goal."""

    name = "tiles"
    sizes = range(2, 5)
    problems = Forms(Form.of(Board, "{tiles}"))
    actions = Forms(Form.of(Slide, "Slide the tile at {place}."))
    main = solve

    def _problem(self, n: int, rng: random.Random) -> Board:
        """Return a board that can be solved: any for n < 4; for n = 4, one at most 30 moves away from the goal."""
        tiles = tuple(rng.sample(range(n * n), n * n))
        board, before = Board(tiles), 0
        if n < 4:
            return board if board.is_solvable else Board(tuple({1: 2, 2: 1}.get(tile, tile) for tile in tiles))
        board = board.goal
        for _ in range(30):
            following = board.after(rng.choice([each for each in board.beside(board.gap).values() if each != before]))
            board, before = following, board.gap
        return board

    def size(self, problem: Board) -> int:
        return problem.side

    def unsolvable(self, problem: Board) -> str | None:
        return None if problem.is_solvable else "to exchange two tiles takes an odd number of exchanges"

    def kinds(self) -> Iterable[Call | Record]:
        return (each for each in self.every_kind() if not (isinstance(each, Way) and each.tile == "up" and each.next))

    def begin(self, problem: Board) -> tuple[Call, Sequence[Record]]:
        size = len(problem.tiles)
        tiles, every = range(1, size), range(1, size + 1)
        beside = {place: problem.beside(place) for place in every}
        moves = [(tile, place, came) for tile in tiles for place in every for came in OPPOSITE]
        spot = {move: Spot.at(number) for number, move in enumerate(moves, size + 1)}
        spots = list[Spot]()
        for tile, place, came in moves:
            before = beside[place].get(OPPOSITE[came], place)
            moved = {each: spot[tile, beside[place].get(each, place), each] for each in OPPOSITE}
            spots.append(Spot(nearer=problem.distance(tile, place) < problem.distance(tile, before), **moved))
        arrivals = [(place, came) for place in every for came in OPPOSITE]
        turns = [(*each, goes) for each in arrivals for goes in beside[each[0]] if goes != OPPOSITE[each[1]]]
        last_first = reversed([*enumerate(turns, size + len(spots) + 1)])
        first = {(place, came): Way.at(number) for number, (place, came, _) in last_first}
        went = [(beside[place][goes], goes) for place, _, goes in turns]
        ways = [Way(to=Place.at(to), tile=OPPOSITE[goes], then=first[to, goes]) for to, goes in went]
        for (one, way), (other, following) in pairwise(zip(turns, ways, strict=True)):
            if one[:2] == other[:2]:
                way.next = following
        zero = Number()
        numbers = [zero]
        for _ in range(sum(problem.distance(tile, tile) for tile in tiles)):
            numbers.append(Number(less=numbers[-1]))
        places = [Place(tile=spot[min(place, size - 1), place, "left"]) for place in every]
        call = solve(Place.at(size), first[size, "left"], places[-1].tile, numbers[-1], zero)
        return call, [*places, *spots, *ways, *numbers]

    def initial(self, problem: Board) -> Board:
        return problem

    def every_action(self, state: Board) -> Iterable[Slide]:
        return map(Slide, state.beside(state.gap).values())

    def apply(self, state: Board, action: Slide) -> Board:
        if action.place not in state.beside(state.gap).values():
            raise ActionFault(f"P{action.place} is not beside the gap at P{state.gap}")
        return state.after(action.place)

    def is_goal(self, problem: Board, state: Board) -> bool:
        return state == state.goal

    def effect(self, state: Board, action: Slide) -> str:
        return f"Move tile {state.tiles[action.place - 1]} from P{action.place} to P{state.gap}."

    def actions_for(self, state: Board, move: str) -> Sequence[Slide]:
        for action in self.every_action(state):
            if self.effect(state, action) == move:
                return (action,)
        raise ValueError(f"{quoted(move)} is no move of a tile beside the gap")

    def render(self, state: Board, width: int) -> str:
        return state.picture
