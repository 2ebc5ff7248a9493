"""Exact covers by a plain search, against which a run is judged, and by which problems are drawn."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache

from coc_algorithms.cover_problems import Cover, Row


def covers(problem: Cover) -> Iterator[tuple[Row, ...]]:
    """Return all exact covers, one by one, found by a plain search that takes a column with the fewest rows."""

    def search(left: Mapping[Hashable, Sequence[Row]]) -> Iterator[tuple[Row, ...]]:
        if not left:
            yield ()
            return
        for row in min(left.values(), key=len):
            names = {*row.columns}
            rest = {
                name: [other for other in rows if names.isdisjoint(other.columns)]
                for name, rows in left.items()
                if name not in names
            }
            for found in search(rest):
                yield (row, *found)

    left: dict[Hashable, list[Row]] = {name: [] for name in problem.columns()}
    for row in problem.rows():
        for name in row.columns:
            left[name].append(row)
    return search(left)


@lru_cache(8)
def has_no_cover(problem: Cover) -> bool:
    """Return whether there is no exact cover."""
    return next(covers(problem), None) is None
