"""Floortile: robots paint a floor in colours. They paint the tile above them, and nobody enters what is painted.

Each robot has some columns to itself: its own, and those to its left that no other robot begins in; the last robot has
those to its right, too. It goes up to the second row, and paints row by row on its way down, left and right in turns.
"""

import math
from collections.abc import Mapping
from random import Random
from typing import Literal

from coc_algorithms.planning import Drawing, Drawn, PlanningProgram, World, named, operators
from coc_algorithms.planning.grids import STEPS, Place, coordinates
from coc_programs import Call, Record, Steps, each, procedure, read
from coc_programs.library import List

ChangeColor, PaintUp, PaintDown, MoveUp, MoveDown, MoveRight, MoveLeft = operators("""
change_color ?robot - robot ?old ?new - color: (robot-has ?robot ?old) (available-color ?new)
    -> (robot-has ?robot ?new) (not (robot-has ?robot ?old))
paint_up ?robot - robot ?painted ?tile - tile ?color: (robot-has ?robot ?color) (robot-at ?robot ?tile)
    (up ?painted ?tile) (clear ?painted) -> (painted ?painted ?color) (not (clear ?painted))
paint_down ?robot - robot ?painted ?tile - tile ?color: (robot-has ?robot ?color) (robot-at ?robot ?tile)
    (down ?painted ?tile) (clear ?painted) -> (painted ?painted ?color) (not (clear ?painted))
move_up ?robot - robot ?start ?end - tile: (robot-at ?robot ?start) (up ?end ?start) (clear ?end)
    -> (robot-at ?robot ?end) (not (robot-at ?robot ?start)) (clear ?start) (not (clear ?end))
move_down ?robot - robot ?start ?end - tile: (robot-at ?robot ?start) (down ?end ?start) (clear ?end)
    -> (robot-at ?robot ?end) (not (robot-at ?robot ?start)) (clear ?start) (not (clear ?end))
move_right ?robot - robot ?start ?end - tile: (robot-at ?robot ?start) (right ?end ?start) (clear ?end)
    -> (robot-at ?robot ?end) (not (robot-at ?robot ?start)) (clear ?start) (not (clear ?end))
move_left ?robot - robot ?start ?end - tile: (robot-at ?robot ?start) (left ?end ?start) (clear ?end)
    -> (robot-at ?robot ?end) (not (robot-at ?robot ?start)) (clear ?start) (not (clear ?end))
""")


WAYS = ("up", "down", "left", "right")


class Color(Record):
    """A colour, and whether robots can change to it."""

    available: bool


class Tile(Record):
    """A tile: those beside it that belong to the same robot, and the colour that the one above shall get."""

    above: "Tile | None" = None
    below: "Tile | None" = None
    left: "Tile | None" = None
    right: "Tile | None" = None
    color: Color | None = None


class Robot(Record):
    """A robot, where it begins, its colour, and the end of its rows that is nearer."""

    tile: Tile
    color: Color
    end: Literal["left", "right"]


@procedure
def paint(robots: List[Robot]) -> Steps[None]:
    """Let one robot after the other paint its columns."""
    for robot in each(robots):
        tile = yield climb(robot, (yield read(robot)).tile)
        start = yield read(robot)
        yield leave(robot, tile, start.color, start.end)


@procedure
def climb(robot: Robot, tile: Tile) -> Steps[Tile]:
    """Go to the second row from above. Returns where that is."""
    here = yield read(tile)
    if not here.above:
        yield MoveDown(robot, tile, here.below)
        return here.below
    if not (yield read(here.above)).above:
        return tile
    yield MoveUp(robot, tile, here.above)
    return (yield climb(robot, here.above))


@procedure
def leave(robot: Robot, tile: Tile, color: Color, end: Literal["left", "right"]) -> Steps[None]:
    """Go to an end of the row, and paint from there."""
    here = yield read(tile)
    if end == "left" and here.left:
        yield MoveLeft(robot, tile, here.left)
        yield leave(robot, here.left, color, end)
    elif end == "right" and here.right:
        yield MoveRight(robot, tile, here.right)
        yield leave(robot, here.right, color, end)
    else:
        yield sweep(robot, tile, color, "right" if end == "left" else "left")


@procedure
def sweep(robot: Robot, tile: Tile, color: Color, to: Literal["left", "right"]) -> Steps[None]:
    """Paint what is above the tiles from here to an end of the row, and the rows below."""
    here = yield read(tile)
    if here.color:
        if here.color != color:
            yield ChangeColor(robot, color, here.color)
        color = here.color
        yield PaintUp(robot, here.above, tile, color)
    if to == "left" and here.left:
        yield MoveLeft(robot, tile, here.left)
        yield sweep(robot, here.left, color, to)
    elif to == "right" and here.right:
        yield MoveRight(robot, tile, here.right)
        yield sweep(robot, here.right, color, to)
    elif here.below:
        yield MoveDown(robot, tile, here.below)
        yield sweep(robot, here.below, color, "right" if to == "left" else "left")


class FloorTile(PlanningProgram):
    """n robots that paint a floor of up to 3n columns: all tiles but those of the lowest row."""

    name = "floortile"
    main = paint
    operators = (ChangeColor, PaintUp, PaintDown, MoveUp, MoveDown, MoveRight, MoveLeft)
    classes = {"robot": Robot, "tile": Tile, "color": Color}
    exactly_one = (
        "(robot-at ?robot _)",
        "(robot-has ?robot _)",
        "(clear ?tile) (robot-at _ ?tile) (painted ?tile _)",
    )
    picture = Drawing("tile", {"robot-at": "{0} in {1}"}, looks={"painted": "path"}, implied="clear", kind="grid")
    goals = "(painted ?tile _)"

    def build(self, world: World) -> Call:
        for robot in world[Robot]:
            robot.tile = world.start.one("robot-at", robot, Tile)
            robot.color, robot.end = world.start.one("robot-has", robot, Color), "left"
        for color in world[Color]:
            color.available = world.start.holds("available-color", color)
        if self.impossible(world) or not self._wanted(world):
            return paint(List.store([]))
        tile_at = self._grid(world)
        place_of = {tile: place for place, tile in tile_at.items()}
        column_of = {robot: place_of[robot.tile][1] for robot in world[Robot]}
        robots = sorted(column_of, key=column_of.__getitem__)
        if len({*column_of.values()}) < len(robots):
            raise ValueError("two robots begin in the same column")
        lasts = [*map(column_of.__getitem__, robots[:-1]), max(column for _, column in tile_at)]
        firsts = [min(column for _, column in tile_at), *(last + 1 for last in lasts[:-1])]
        busy = []
        for robot, first, last in zip(robots, firsts, lasts, strict=True):
            robot.end = "left" if column_of[robot] - first <= last - column_of[robot] else "right"
            if self._give(world, robot, {place: tile for place, tile in tile_at.items() if first <= place[1] <= last}):
                busy.append(robot)
        return paint(List.store(busy))

    def _wanted(self, world: World) -> Mapping[Tile, Color]:
        """Return the colours of the tiles that have to be painted."""
        goal, start = world.goal, world.start
        pairs = ((tile, color) for color in world[Color] for tile in goal.all("painted", Tile, color))
        return {tile: color for tile, color in pairs if not start.holds("painted", tile, color)}

    def _grid(self, world: World) -> Mapping[Place, Tile]:
        """Return the tiles by row and column."""
        start = world.start
        places = coordinates(world[Tile], lambda tile, number: start.all(WAYS[number], Tile, tile))
        tile_at: dict[Place, Tile] = {place: tile for tile, place in places.items()}
        for (row, column), tile in tile_at.items():
            for way, (up, right) in zip(WAYS, STEPS, strict=True):
                other = tile_at.get((row + up, column + right))
                if other and not start.holds(way, other, tile):
                    raise ValueError(f"{world.name(other)} is not {way} of {world.name(tile)}")
        if len(tile_at) != math.prod(len({*numbers}) for numbers in zip(*tile_at, strict=True)):
            raise ValueError("the tiles are not a rectangle")
        return tile_at

    def _give(self, world: World, robot: Robot, tile_at: Mapping[Place, Tile]) -> bool:
        """Give a robot its tiles, and return whether some of them have to be painted."""
        goals = self._wanted(world)
        if not {*goals} & {*tile_at.values()}:
            return False
        for (row, column), tile in tile_at.items():
            above, tile.below = tile_at.get((row + 1, column)), tile_at.get((row - 1, column))
            tile.left, tile.right = tile_at.get((row, column - 1)), tile_at.get((row, column + 1))
            tile.above, tile.color = above, goals.get(above) if above else None
            if not (tile == robot.tile or world.start.holds("clear", tile)):
                raise ValueError(f"{world.name(tile)} is painted, or a robot is there")
            if tile in goals and not tile.below:
                raise ValueError(f"{world.name(tile)} is in the lowest row, which no robot paints from below")
            if tile.color and not tile.color.available:
                raise ValueError(f"{world.name(tile.color)} is not available")
        return True

    def impossible(self, world: World) -> str | None:
        wanted = self._wanted(world)
        if wanted and not world[Robot]:
            return "there is no robot"
        done = [tile for tile in wanted if world.start.all("painted", tile, Color)]
        return f"{world.name(done[0])} is painted in another colour" if done else None

    def draw(self, n: int, rng: Random) -> Drawn:
        rows, columns = range(rng.randint(1, 4) + 1), range(n + rng.randrange(2 * n + 1))
        robots, colors = named("robot", n), ["white", "black"]
        tiles = {(row, column): f"tile_{row}-{column}" for row in rows for column in columns}
        places = [(rng.choice(rows), column) for column in rng.sample(columns, n)]
        start = [f"robot-at {robot} {tiles[place]}" for robot, place in zip(robots, places, strict=True)]
        start += [f"robot-has {robot} {rng.choice(colors)}" for robot in robots]
        start += [f"available-color {color}" for color in colors]
        start += [f"clear {tile}" for place, tile in tiles.items() if place not in places]
        for row, column in tiles:
            for way, (up, right) in zip(WAYS, STEPS, strict=True):
                if other := tiles.get((row + up, column + right)):
                    start.append(f"{way} {other} {tiles[row, column]}")
        share = rng.choice([1, 1, 0.7])
        goal = [
            f"painted {tile} {colors[sum(place) % 2]}"
            for place, tile in tiles.items()
            if place[0] and rng.random() < share
        ]
        return {"robot": robots, "tile": tiles.values(), "color": colors}, start, goal
