"""Sliding puzzles, the 8-puzzle and the 15-puzzle, solved in the fewest moves by IDA* (Korf 1985).

The search begins at the goal, so that the moves from the start lie in order when it has got there. It counts by chains
of records: the moves that are left, and how many of them may lead a tile away from where it belongs. The first limit is
the sum of the Manhattan distances, which each move changes by one, so that a bound on it is one on the moves away.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import isqrt
from typing import Annotated, Any, Literal

from attrs import frozen

from coc_algorithms.shared import begun, linked, numbers
from coc_core.domain import Column, HasScenes, Item, KnowsUnsolvable, Scene
from coc_core.errors import ActionFault
from coc_core.text import Form, Forms, item_codec
from coc_programs import Call, Program, Record, Steps, chain, new, procedure, read, write

Direction = Literal["left", "right", "up", "down"]
OPPOSITE: dict[Direction, Direction] = {"left": "right", "right": "left", "up": "down", "down": "up"}


@frozen
class Slide:
    """The action: slide the tile at a place into the gap beside it."""

    place: Annotated[int, item_codec("P", "place")]


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


@frozen
class Board:
    """The number of the tile at each place, row by row, and 0 for the gap. Places have numbers from 1."""

    tiles: Annotated[tuple[int, ...], numbers(" ")]

    def __attrs_post_init__(self) -> None:
        if len(self.tiles) not in (4, 9, 16) or {*self.tiles} != {*range(len(self.tiles))}:
            raise ValueError("a board has the numbers 0 to 3, 0 to 8 or 0 to 15, each once, with 0 for the gap")

    @property
    def side(self) -> int:
        return isqrt(len(self.tiles))

    @property
    def gap(self) -> int:
        return self.tiles.index(0) + 1

    @property
    def is_solvable(self) -> bool:
        """Whether moves lead to the goal: if exchanges of two tiles do that are odd or even as the gap's moves are."""
        ordered = (tile or len(self.tiles) for tile in self.tiles)
        exchanges = sum(one > other for one, other in combinations(ordered, 2))
        return (exchanges + self.distance(self.gap, len(self.tiles))) % 2 == 0

    def distance(self, place: int, other: int) -> int:
        """Return the Manhattan distance of two places."""
        rows, columns = zip(divmod(place - 1, self.side), divmod(other - 1, self.side), strict=True)
        return abs(rows[0] - rows[1]) + abs(columns[0] - columns[1])

    def beside(self, place: int) -> dict[Direction, int]:
        """Return the place in each direction from one."""
        others = dict(zip(OPPOSITE, (place - 1, place + 1, place - self.side, place + self.side), strict=True))
        places = range(1, len(self.tiles) + 1)
        return {way: other for way, other in others.items() if other in places and self.distance(place, other) == 1}

    def after(self, place: int) -> "Board":
        """Return the board after the tile at a place has gone into the gap."""
        tile = self.tiles[place - 1]
        return Board(tuple({0: tile, tile: 0}.get(each, each) for each in self.tiles))


class Tiles(Program[Board, Slide, Board], HasScenes[Board], KnowsUnsolvable[Board]):
    """Sliding puzzles with n x n places. Those that are drawn for n = 4 are at most 30 moves away from the goal."""

    name = "tiles"
    sizes = range(2, 5)
    problems = Forms(Form.of(Board, "{tiles}"))
    actions = Forms(Form.of(Slide, "Slide the tile at {place}."))
    main = solve

    def _problem(self, n: int, rng: random.Random) -> Board:
        """Return a board that can be solved: any for n < 4; for n = 4, one at most 30 moves away from the goal."""
        board, before = Board(tuple(rng.sample(range(n * n), n * n))), 0
        if n < 4:
            return board if board.is_solvable else Board(tuple({1: 2, 2: 1}.get(tile, tile) for tile in board.tiles))
        board = Board((*range(1, n * n), 0))
        for _ in range(30):
            place = rng.choice([each for each in board.beside(board.gap).values() if each != before])
            board, before = board.after(place), board.gap
        return board

    def size(self, problem: Board) -> int:
        return problem.side

    def unsolvable(self, problem: Board) -> str | None:
        return None if problem.is_solvable else "to exchange two tiles takes an odd number of exchanges"

    def begin(self, problem: Board) -> tuple[Call, Sequence[Record]]:
        board = {place: Place.at(0) for place in range(1, len(problem.tiles) + 1)}
        beside = {place: problem.beside(place) for place in board}
        home = {tile: place for place, tile in enumerate(problem.tiles, 1) if tile}
        spots = {key: Spot.at(0) for key in product(home, board, OPPOSITE)}
        for (tile, place, came), spot in spots.items():
            before = beside[place].get(OPPOSITE[came], place)
            spot.nearer = problem.distance(home[tile], place) < problem.distance(home[tile], before)
            for goes in OPPOSITE:
                setattr(spot, goes, spots[tile, beside[place].get(goes, place), goes])
        ways, first = dict[Any, Way](), dict[Any, Way]()
        for place, came, goes in product(board, OPPOSITE, reversed(OPPOSITE)):
            if goes in beside[place] and goes != OPPOSITE[came]:
                way = ways[place, came, goes] = Way.at(0, {"next": first.get((place, came))})
                way.to, way.tile, first[place, came] = board[beside[place][goes]], OPPOSITE[goes], way
        for (place, _, goes), way in ways.items():
            way.then = first[beside[place][goes], goes]
        for place in board:
            board[place].tile = spots[min(place, len(home)), place, "left"]
        left = [Number() for _ in range(1 + sum(problem.distance(home[tile], tile) for tile in home))]
        gap = board[len(board)]
        call = solve(gap, first[len(board), "left"], gap.tile, linked(left, "less"), left[-1])
        return begun(call, board.values())

    def kinds(self) -> Iterable[Call | Record]:
        return (each for each in self.every_kind() if not (isinstance(each, Way) and each.tile == "up" and each.next))

    def initial(self, problem: Board) -> Board:
        return problem

    def every_action(self, state: Board) -> Iterable[Slide]:
        return map(Slide, state.beside(state.gap).values())

    def apply(self, state: Board, action: Slide) -> Board:
        if action not in self.every_action(state):
            raise ActionFault(f"P{action.place} is not beside the gap at P{state.gap}")
        return state.after(action.place)

    def is_goal(self, problem: Board, state: Board) -> bool:
        return state.tiles == (*range(1, len(state.tiles)), 0)

    def scene(self, state: Board) -> Scene:
        tiles = ((Item(f"{tile}", f"{tile}", kind="tile"),) if tile else () for tile in state.tiles)
        return Scene(tuple(Column("", tile) for tile in tiles), kind="grid", width=state.side)
