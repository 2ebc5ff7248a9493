"""Which problems are drawn, and which are listed. Their blocks are called B1 to Bn."""

import random
from collections.abc import Iterator
from itertools import chain, combinations, pairwise, permutations

from coc_puzzles.blocksworld.blocks.problem import Problem, atoms_of
from coc_puzzles.blocksworld.towers import cut

Towers = tuple[tuple[str, ...], ...]
Arrangement = tuple[Towers, tuple[str, ...]]
"""Towers, and the block in the hand."""


def drawn(n: int, rng: random.Random) -> Problem:
    """Draw a problem.

    One arrangement in six has one tower, one in six has each block on the table, and in the others the number of towers
    is uniform. One in eight has a block in the hand. One goal in eight is at most three moves away from the start. Half
    of the goals lack atoms: each is kept with the same probability, which is uniform from 0.3 to 1.
    """
    names = [f"B{number}" for number in range(1, n + 1)]
    start = _arranged(names, rng)
    atoms = tuple(atoms_of(*(_moved(start, rng) if rng.randrange(8) == 0 else _arranged(names, rng))))
    if rng.randrange(2):
        share = rng.uniform(0.3, 1)
        atoms = tuple(atom for atom in atoms if rng.random() < share)
    return Problem(*start, atoms)


def _arranged(names: list[str], rng: random.Random) -> Arrangement:
    blocks = tuple(rng.sample(names, len(names)))
    held = int(rng.randrange(8) == 0)
    hand, blocks = blocks[:held], blocks[held:]
    most = len(blocks)
    count = rng.choice((1, most, *(rng.randint(1, most) for _ in range(4)))) if blocks else 0
    return cut(blocks, sorted(rng.sample(range(1, most), max(count - 1, 0)))), hand


def _moved(arrangement: Arrangement, rng: random.Random) -> Arrangement:
    """Return the arrangement after up to three blocks have been put elsewhere; a block in the hand stays there."""
    towers = [list(tower) for tower in arrangement[0]]
    for _ in range(rng.randrange(4) if towers else 0):
        block = rng.choice(towers).pop()
        towers = [tower for tower in towers if tower]
        rng.choice([*towers, new := list[str]()]).append(block)
        towers += [new] if new else []
    return tuple(map(tuple, towers)), arrangement[1]


def listed(n: int) -> Iterator[Problem]:
    """Yield every pair of arrangements of `n` blocks, the second of which is the goal, with all its atoms.

    Since names mean nothing, a goal has B1, B2, and so on from tower to tower, the tallest first.
    """
    names = tuple(f"B{number}" for number in range(1, n + 1))
    for held in (0, 1):
        for heights in _partitions(n - held, n):
            ends = [sum(heights[:count]) for count in range(1, len(heights))]
            goal = tuple(atoms_of(cut(names[: n - held], ends), names[n - held :]))
            yield from (Problem(*start, goal) for start in _arrangements(names))


def _arrangements(names: tuple[str, ...]) -> Iterator[Arrangement]:
    """Yield every arrangement once: its towers come in the order of their lowest blocks."""
    for hand in ((), *((name,) for name in names)):
        places = range(1, len(names) - len(hand))
        for blocks in permutations(name for name in names if name not in hand):
            for cuts in chain.from_iterable(combinations(places, count) for count in range(len(places) + 1)):
                towers = cut(blocks, cuts)
                if all(names.index(one[0]) < names.index(other[0]) for one, other in pairwise(towers)):
                    yield towers, hand


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of descending numbers, the first of which is at most `most`."""
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        yield from ((first, *rest) for rest in _partitions(total - first, first))
