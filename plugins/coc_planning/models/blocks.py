"""BlocksWorld, with four operators, which take and place blocks, or with three, which move them."""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_planning.lifted import Atom, Facts, Lifted, Operator, UnsupportedError
from coc_planning.models.base import Action, PlanningModel, Reading, renamed

_HAND = Lifted.of(
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
_NO_HAND = Lifted.of(
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
_PLACED = re.compile(r"b([0-9]+) from (table|b[0-9]+) to (table|b[0-9]+)")


class BlocksModel(PlanningModel):
    """Any start and any goal: the four operators are coc's actions."""

    domain = "blocks"

    def lifted(self, problem: Any) -> Lifted:
        return _HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (_HAND,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return _written(problem, scene, hand=True)

    def action(self, scene: Scene, move: str) -> Action:
        name, *blocks = move.split(" ")
        words = _words(scene)
        return name, tuple(words[block] for block in blocks)

    def move(self, scene: Scene, action: Action) -> str:
        names = {word: name for name, word in _words(scene).items()}
        for word in action[1]:
            if word not in names:
                raise ValueError(f"there is no block {word:.60}")
        return " ".join((action[0], *(names[word] for word in action[1])))

    def read(self, facts: Facts) -> Reading:
        usual = all(map(_NAME.fullmatch, facts.objects)) and len({*map(str.lower, facts.objects)}) == len(facts.objects)
        ours = {each: each if usual else f"b{number}" for number, each in enumerate(facts.objects, 1)}
        held = [ours[block] for (block,) in facts.holding("holding")]
        towers = _towers(facts.pairs("on"), [block for (block,) in facts.holding("ontable")])
        start = ", ".join(f"[{', '.join(ours[block] for block in tower)}]" for tower in towers)
        goal = ", ".join(" ".join((atom.predicate, *(ours[each] for each in atom.arguments))) for atom in facts.goal)
        names = {name.lower(): block for block, name in ours.items()}
        return Reading(f"start=[{start}] & hand=[{', '.join(held)}] & goal=[{goal}]", names)


class MovedBlocksModel(BlocksModel):
    """The same problems with three operators: each takes a block and places it."""

    def lifted(self, problem: Any) -> Lifted:
        return _NO_HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (_NO_HAND,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return _written(problem, scene, hand=False)

    def writer(self) -> Callable[[Scene, str], Action | None]:
        taken_from = ""

        def write(scene: Scene, move: str) -> Action | None:
            nonlocal taken_from
            name, (block, *others) = self.action(scene, move)
            if name in ("pick-up", "unstack"):
                taken_from = others[0] if others else ""
                return None
            place = others[0] if others else ""
            if place == taken_from:
                return None
            if not place:
                return "move-to-table", (block, taken_from)
            return ("move", (block, taken_from, place)) if taken_from else ("move-from-table", (block, place))

        return write


class TowersModel(PlanningModel):
    """The paper's BlocksWorlds, whose goal is one tower of all blocks. Elsewhere such problems are `blocks`."""

    def __init__(self, domain: str) -> None:
        self.domain = domain  # type: ignore[misc]

    def lifted(self, problem: Any) -> Lifted:
        return _NO_HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return ()

    def facts(self, problem: Any, scene: Scene) -> Facts:
        goal = [f"b{block}" for block in problem.goal]
        atoms = (Atom("ontable", (goal[0],)), *(Atom("on", pair) for pair in zip(goal[1:], goal, strict=False)))
        state = renamed(_state(scene, hand=False), _words(scene))
        return Facts(tuple(sorted(goal, key=lambda name: int(name[1:]))), frozenset(state), atoms)

    def action(self, scene: Scene, move: str) -> Action:
        found = _PLACED.fullmatch(move)
        assert found is not None
        block, source, target = f"b{found[1]}", found[2], found[3]
        if target == "table":
            return "move-to-table", (block, source)
        return ("move-from-table", (block, target)) if source == "table" else ("move", (block, source, target))

    def move(self, scene: Scene, action: Action) -> str:
        match action:
            case "move-to-table", (block, source):
                return f"{block} from {source} to table"
            case "move-from-table", (block, target):
                return f"{block} from table to {target}"
            case "move", (block, source, target):
                return f"{block} from {source} to {target}"
        raise ValueError("it is none of move-to-table, move-from-table and move")

    def read(self, facts: Facts) -> Reading:
        raise UnsupportedError("such problems are read as those of blocks")


def _words(scene: Scene) -> dict[str, str]:
    """The names of the blocks in PDDL, where capitals make no difference, by coc's names."""
    names = sorted(item.name for column in scene.columns for item in column.items)
    if len({name.lower() for name in names}) == len(names):
        return {name: name.lower() for name in names}
    return {name: f"b{number}" for number, name in enumerate(names, 1)}


def _written(problem: Any, scene: Scene, *, hand: bool) -> Facts:
    words = _words(scene)
    goal = (Atom(name, tuple(blocks)) for name, *blocks in problem.goal)
    return Facts(
        tuple(words[name] for name in problem.names),
        frozenset(renamed(_state(scene, hand=hand), words)),
        tuple(renamed(goal, words)),
    )


def _state(scene: Scene, *, hand: bool) -> frozenset[Atom]:
    """The atoms of a scene, whose hand, if it has one, is a column of that name."""
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


def _towers(below: Mapping[str, str], bases: Iterable[str]) -> list[list[str]]:
    above = {lower: upper for upper, lower in below.items()}
    found = []
    for base in bases:
        tower = [base]
        while tower[-1] in above and len(tower) <= len(below):
            tower.append(above[tower[-1]])
        found.append(tower)
    return found
