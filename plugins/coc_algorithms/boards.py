"""Boards of sliding puzzles, which are problems and states, and the action."""

import random
from itertools import combinations
from math import isqrt
from typing import Annotated, Literal

from attrs import frozen

from coc_core.text import Codec, item_codec, parse_decimal

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


def drawn(n: int, rng: random.Random) -> Board:
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
