"""Blocks on a table with room for three stacks: a block lies on a block or a stack, and is moved onto a clear one."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import ActionFault, UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, Reading, SingleMoves
from coc_planning.pddl.task import Atom

_STACKS = ("stack1", "stack2", "stack3")
_MOVE = re.compile(r"Move B([0-9]+) from ([0-9]+) to ([0-9]+)")


def _domain(typed: str = "") -> Lifted:
    return Lifted.of(
        "blocks-3",
        Operator.of(
            "move ?block ?from ?to",
            f"{typed} (on ?block ?from) (clear ?block) (clear ?to)",
            "(clear ?from) (on ?block ?to)",
            "(on ?block ?from) (clear ?to)",
            forbids="(= ?block ?to)",
        ),
    )


_LIFTED, _TYPED = _domain(), _domain("(type:block ?block)")


class StacksModel(SingleMoves):
    """Any start; a goal that says where each block belongs."""

    domain = "blocks-3"

    def lifted(self, problem: Any) -> Lifted:
        return _LIFTED

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return _LIFTED, _TYPED

    def facts(self, problem: Any, scene: Scene) -> Facts:
        blocks = tuple(f"b{number}" for number in sorted(block for stack in problem.goal for block in stack))
        goal = [[place, *(f"b{block}" for block in stack)] for place, stack in zip(_STACKS, problem.goal, strict=True)]
        return Facts((*blocks, *_STACKS), frozenset(_atoms(_piles(scene))), tuple(_on(goal)))

    def typed(self, problem: Any) -> frozenset[Atom]:
        return frozenset(Atom("type:block", (f"b{block}",)) for stack in problem.goal for block in stack)

    def action(self, scene: Scene, move: str) -> Action:
        found = _MOVE.fullmatch(move)
        assert found is not None
        _, source, target = map(int, found.groups())
        piles = _piles(scene)
        return "move", (piles[source - 1][-1], piles[source - 1][-2], piles[target - 1][-1])

    def move(self, scene: Scene, action: Action) -> str:
        name, arguments = action
        places = {thing: (number, pile) for number, pile in enumerate(_piles(scene), 1) for thing in pile}
        if name != "move" or len(arguments) != 3 or not places.keys() >= {*arguments} or arguments[0] in _STACKS:
            raise ValueError("it is not (move BLOCK FROM TO)")
        block, lower, target = arguments
        (source, pile), (place, onto) = places[block], places[target]
        if pile[pile.index(block) - 1] != lower:
            raise ActionFault(f"{block} is not on {lower}")
        if onto[-1] != target:
            raise ActionFault(f"{target} is not clear")
        return f"Move B{block[1:]} from {source} to {place}"

    def read(self, facts: Facts) -> Reading:
        start, goal = facts.pairs("on"), {}
        for atom in facts.goal:
            if atom.predicate == "on":
                goal[atom.arguments[0]] = atom.arguments[1]
        stacks = [each for each in facts.objects if each not in start]
        if len(stacks) != len(_STACKS):
            raise UnsupportedError(f"it has room for {len(stacks)} stacks; blocks-3 has room for {len(_STACKS)}")
        blocks = [each for each in facts.objects if each in start]
        wanted = [_pile(stack, goal) for stack in stacks]
        placed = [block for pile in wanted for block in pile[1:]]
        if sorted(placed) != sorted(blocks) or not {*facts.goal} <= _atoms(wanted):
            raise UnsupportedError("blocks-3 needs one place for every block in the goal")
        numbers = {block: number for number, block in enumerate(blocks, 1)}
        texts = (
            ", ".join(f"[{', '.join(f'B{numbers[block]}' for block in _pile(stack, below)[1:])}]" for stack in stacks)
            for below in (start, goal)
        )
        names = {f"b{number}": block for block, number in numbers.items()} | dict(zip(_STACKS, stacks, strict=True))
        return Reading("start=[{}] & goal=[{}]".format(*texts), names)


def _piles(scene: Scene) -> list[list[str]]:
    """Return each stack with its blocks from the table up."""
    return [
        [place, *(item.name.lower() for item in column.items)]
        for place, column in zip(_STACKS, scene.columns, strict=True)
    ]


def _pile(stack: str, below: dict[str, str]) -> list[str]:
    """Return a stack with the blocks on it, if every block is on what `below` says."""
    above = {lower: block for block, lower in below.items()}
    pile = [stack]
    while pile[-1] in above and len(pile) <= len(below):
        pile.append(above[pile[-1]])
    return pile


def _on(piles: Iterable[list[str]]) -> list[Atom]:
    return [Atom("on", (upper, lower)) for pile in piles for lower, upper in pairwise(pile)]


def _atoms(piles: list[list[str]]) -> set[Atom]:
    """Return all atoms that hold."""
    return {*_on(piles), *(Atom("clear", (pile[-1],)) for pile in piles)}
