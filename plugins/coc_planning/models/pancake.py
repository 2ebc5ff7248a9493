"""Pancakes: an operator for each number of pancakes that can be flipped, and a predicate for each place."""

from collections.abc import Iterable
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, Reading, SingleMoves
from coc_planning.pddl.task import Atom

_MOST, _MOST_UNUSED = 64, 3  # pancakes


class PancakeModel(SingleMoves):
    """Places are counted from the top. Flipping k pancakes has the pancakes that change places as parameters."""

    domain = "pancake"

    def lifted(self, problem: Any) -> Lifted:
        return _lifted(len(problem.start))

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        most = min(len(theirs.operators) + 1, len(theirs.predicates))  # some of them may have no use here
        return [_lifted(n) for n in range(most, max(most - _MOST_UNUSED, 2) - 1, -1) if n <= _MOST]

    def facts(self, problem: Any, scene: Scene) -> Facts:
        names = tuple(f"p{number}" for number in sorted(problem.start))
        goal = tuple(Atom(f"at{place}", (f"p{each}",)) for place, each in enumerate(reversed(problem.goal), 1))
        initial = frozenset(Atom(f"at{place}", (each,)) for place, each in enumerate(_from_top(scene), 1))
        return Facts(names, initial, goal)

    def action(self, scene: LazyScene, move: str) -> Action:
        count = int(move.removeprefix("flip "))
        return f"flip{count}", _flipped(scene(), count)

    def move(self, scene: LazyScene, action: Action) -> str:
        name, arguments = action
        digits = name.removeprefix("flip")
        count = int(digits) if digits.isdecimal() and len(digits) < 4 else 0
        if not 2 <= count <= len(_from_top(scene())) or len(arguments) != len(_changing(count)):
            raise ValueError("it is not (flipK PANCAKE...)")
        if (right := _flipped(scene(), count)) != arguments:
            raise ValueError(f"the pancakes of {name} are {' '.join(right)}")
        return f"flip {count}"

    def read(self, facts: Facts) -> Reading:
        start, goal = ({atom.predicate: atom.arguments[0] for atom in atoms} for atoms in (facts.initial, facts.goal))
        places = [f"at{place}" for place in range(len(facts.objects), 0, -1)]  # from the bottom up
        if not start.keys() == goal.keys() == {*places}:
            raise UnsupportedError("pancake needs a place for every pancake, in the start and in the goal")
        order = [goal[place] for place in places]
        numbers = {pancake: number for number, pancake in enumerate(order, 1)}
        exact = len({*facts.goal}) == len(places)  # or one pancake would be in two places, or two in one
        if not exact or numbers.keys() != {*facts.objects} or numbers.keys() != {*start.values()}:
            raise UnsupportedError("pancake needs one place for every pancake, in the start and in the goal")
        texts = (", ".join(f"P{numbers[each[place]]}" for place in places) for each in (start, goal))
        names = {f"p{number}": pancake for pancake, number in numbers.items()}
        return Reading("start=[{}] & goal=[{}]".format(*texts), names)


def _lifted(n: int) -> Lifted:
    return Lifted.of("pancake", *(_flip(count) for count in range(2, n + 1)))


def _flip(count: int) -> Operator:
    places = _changing(count)
    before = " ".join(f"(at{place} ?p{place})" for place in places)
    after = " ".join(f"(at{count + 1 - place} ?p{place})" for place in places)
    return Operator.of(f"flip{count} {' '.join(f'?p{place}' for place in places)}", before, after, before)


def _changing(count: int) -> list[int]:
    """Return the places, counted from the top, whose pancakes change places when so many are flipped."""
    return [place for place in range(1, count + 1) if 2 * place != count + 1]


def _flipped(scene: Scene, count: int) -> tuple[str, ...]:
    """Return the pancakes that change places when so many are flipped."""
    top = _from_top(scene)
    return tuple(top[place - 1] for place in _changing(count))


def _from_top(scene: Scene) -> list[str]:
    (pile,) = scene.columns
    return [item.name.lower() for item in reversed(pile.items)]
