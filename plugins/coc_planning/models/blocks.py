"""BlocksWorld, with four operators, which take and place blocks, or with three, which move them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, PlanningModel, Reading, renamed
from coc_planning.pddl.task import Atom

HAND = Lifted.of(
    "blocks",
    Operator.of(
        "pick-up ?x",
        "(clear ?x) (ontable ?x) (handempty)",
        "(holding ?x)",
        "(clear ?x) (ontable ?x) (handempty)",
    ),
    Operator.of("put-down ?x", "(holding ?x)", "(clear ?x) (ontable ?x) (handempty)", "(holding ?x)"),
    Operator.of(
        "stack ?x ?y",
        "(holding ?x) (clear ?y)",
        "(clear ?x) (on ?x ?y) (handempty)",
        "(holding ?x) (clear ?y)",
    ),
    Operator.of(
        "unstack ?x ?y",
        "(clear ?x) (on ?x ?y) (handempty)",
        "(holding ?x) (clear ?y)",
        "(clear ?x) (on ?x ?y) (handempty)",
    ),
)
NO_HAND = Lifted.of(
    "blocks-moved",
    Operator.of("move-to-table ?x ?from", "(clear ?x) (on ?x ?from)", "(ontable ?x) (clear ?from)", "(on ?x ?from)"),
    Operator.of(
        "move-from-table ?x ?to",
        "(clear ?x) (ontable ?x) (clear ?to)",
        "(on ?x ?to)",
        "(ontable ?x) (clear ?to)",
    ),
    Operator.of(
        "move ?x ?from ?to",
        "(clear ?x) (on ?x ?from) (clear ?to)",
        "(on ?x ?to) (clear ?from)",
        "(on ?x ?from) (clear ?to)",
    ),
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)


class _AnyBlocks(PlanningModel):
    """Any start and any goal."""

    domain = "blocks"

    def reader(self, problem: Any) -> Callable[[LazyScene, Action], str]:
        names = {word: name for name, word in _words(problem.names).items()}

        def read(scene: LazyScene, action: Action) -> str:
            for word in action[1]:
                if word not in names:
                    raise ValueError(f"there is no block {word:.60}")
            return " ".join((action[0], *(names[word] for word in action[1])))

        return read


class BlocksModel(_AnyBlocks):
    """The four operators are coc's actions."""

    def lifted(self, problem: Any) -> Lifted:
        return HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (HAND,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return _written(problem, scene, hand=True)

    def read(self, facts: Facts) -> Reading:
        return _reading(facts)

    def writer(self, problem: Any) -> Callable[[LazyScene, str], Sequence[Action]]:
        words = _words(problem.names)

        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            name, *blocks = move.split(" ")
            return ((name, tuple(words[block] for block in blocks)),)

        return write


class MovedBlocksModel(_AnyBlocks):
    """The same problems with three operators: each takes a block and places it."""

    def lifted(self, problem: Any) -> Lifted:
        return NO_HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (NO_HAND,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return _written(problem, scene, hand=False)

    def read(self, facts: Facts) -> Reading:
        for atom in facts.goal:
            if atom.predicate == "on" and len({*atom.arguments}) == 1:  # these operators can do that, and coc can not
                raise UnsupportedError(f"the goal {atom} puts a block on itself")
        return _reading(facts)

    def writer(self, problem: Any) -> Callable[[LazyScene, str], Sequence[Action]]:
        words = _words(problem.names)
        taken_from = ""

        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            nonlocal taken_from
            name, *blocks = move.split(" ")
            block, *others = (words[each] for each in blocks)
            if name in ("pick-up", "unstack"):
                taken_from = others[0] if others else ""
                return ()
            place = others[0] if others else ""
            if place == taken_from:
                return ()
            if not place:
                return (("move-to-table", (block, taken_from)),)
            return (("move", (block, taken_from, place)) if taken_from else ("move-from-table", (block, place)),)

        return write


def _reading(facts: Facts) -> Reading:
    usual = all(map(_NAME.fullmatch, facts.objects)) and len({*map(str.lower, facts.objects)}) == len(facts.objects)
    ours = {each: each if usual else f"b{number}" for number, each in enumerate(facts.objects, 1)}
    held = [ours[block] for (block,) in facts.holding("holding")]
    start = ", ".join(f"[{', '.join(ours[block] for block in tower)}]" for tower in standing_towers(facts))
    goal = ", ".join(" ".join((atom.predicate, *(ours[each] for each in atom.arguments))) for atom in facts.goal)
    names = {name.lower(): block for block, name in ours.items()}
    return Reading(f"start=[{start}] & hand=[{', '.join(held)}] & goal=[{goal}]", names)


def _words(names: Iterable[str]) -> dict[str, str]:
    """Return the names of the blocks in PDDL, where capitals make no difference, by coc's names."""
    ours = sorted(names)
    if len({name.lower() for name in ours}) == len(ours):
        return {name: name.lower() for name in ours}
    return {name: f"b{number}" for number, name in enumerate(ours, 1)}


def _written(problem: Any, scene: Scene, *, hand: bool) -> Facts:
    words = _words(problem.names)
    goal = (Atom(name, tuple(blocks)) for name, *blocks in problem.goal)
    return Facts(
        tuple(words[name] for name in problem.names),
        frozenset(renamed(state_atoms(scene, hand=hand), words)),
        tuple(renamed(goal, words)),
    )


def state_atoms(scene: Scene, *, hand: bool) -> frozenset[Atom]:
    """Return the atoms of a scene, whose hand, if it has one, is a column of that name."""
    atoms = set[Atom]()
    held: tuple[str, ...] = ()
    for column in scene.columns:
        names = [item.name for item in column.items]
        if column.label == "hand":
            held = tuple(names)
        elif names:
            atoms |= {Atom("ontable", (names[0],)), Atom("clear", (names[-1],))}
            atoms |= {Atom("on", (upper, lower)) for lower, upper in pairwise(names)}
    if hand:
        atoms.add(Atom("holding", held) if held else Atom("handempty", ()))
    return frozenset(atoms)


def standing_towers(facts: Facts) -> list[list[str]]:
    """Return the towers at the beginning, each from its base up."""
    return towers(facts.pairs("on"), [block for (block,) in facts.holding("ontable")])


def towers(below: Mapping[str, str], bases: Iterable[str]) -> list[list[str]]:
    """Return the towers on these bases, where `below` has the block that each other block is on."""
    above = {lower: upper for upper, lower in below.items()}
    found = []
    for base in bases:
        tower = [base]
        while tower[-1] in above and len(tower) <= len(below):
            tower.append(above[tower[-1]])
        found.append(tower)
    return found
