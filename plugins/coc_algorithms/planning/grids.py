"""Grids whose places are joined in four directions, by whatever names these have."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from coc_algorithms.planning.world import RecordT

STEPS = ((1, 0), (-1, 0), (0, -1), (0, 1))
"""What the directions up, down, left and right change: the row, and the column."""

Place = tuple[int, int]


def coordinates(
    places: Sequence[RecordT], beside: Callable[[RecordT, int], Iterable[RecordT]]
) -> Mapping[RecordT, Place]:
    """Return the row and the column of each place of a grid, whose parts may be separate.

    Args:
        places: The places.
        beside: What lies beside a place in the direction of that number.

    Raises:
        ValueError: The places do not lie in a grid.
    """
    found: dict[RecordT, Place] = {}
    for number, first in enumerate(places):
        if first in found:
            continue
        part = [first]
        found[first] = (0, 2 * number * len(places))  # so that no part reaches the next one
        for here in part:
            row, column = found[here]
            for direction, (up, right) in enumerate(STEPS):
                for other in beside(here, direction):
                    there = (row + up, column + right)
                    if other not in found:
                        part.append(other)
                    if found.setdefault(other, there) != there:
                        raise ValueError("the places do not lie in a grid")
    if len({*found.values()}) < len(found):
        raise ValueError("the places do not lie in a grid")
    return found
