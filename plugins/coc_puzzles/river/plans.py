"""Shortest plans for small boats, each found by breadth-first search: who crosses, to the right and back in turn."""

from coc_puzzles.river.people import People, parse_person

Plan = tuple[People, ...]


def _plan(crossings: str) -> Plan:
    return tuple(tuple(map(parse_person, people.split())) for people in crossings.split(","))


PLANS: dict[int, tuple[Plan, ...]] = {
    1: (),
    2: (
        _plan("A1 a1"),
        _plan("A1 a1, A1, A1 A2, a1, a1 a2"),
        _plan("A1 a1, A1, a2 a3, a1, A2 A3, A2 a2, A1 A2, a3, a1 a2, a1, a1 a3"),
    ),
    3: (
        _plan("A1 a1"),
        _plan("A1 a1 A2, a1, a1 a2"),
        _plan("a1 a2 a3, a1, A1 A2 A3, A1, A1 a1"),
        _plan("a1 a2 a3, a1, a1 a4, a1, A2 A3 A4, A2 a2, A1 a1 A2, a1, a1 a2"),
        _plan("a1 a2 a3, a1, a1 a4 a5, a1 a2, A3 A4 A5, A3 a3, A1 A2 A3, a4, a1 a2 a3, a1, a1 a4"),
    ),
}
"""For each boat, by how many people it takes, the plans for 1, 2, 3 ... pairs. More pairs can't cross in it."""
