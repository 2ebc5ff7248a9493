"""BlocksWorld, with four operators, which take and place blocks, or with three, which move them; and the paper's."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, PlanningModel, Reader, Reading, Writer, on, renamed, standing
from coc_planning.pddl.task import Atom

_LYING, _STACKED = "(clear ?x) (ontable ?x) (handempty)", "(clear ?x) (on ?x ?y) (handempty)"
_HELD = "(holding ?x)"
_HAND = Lifted.of(
    "blocks",
    Operator.of("pick-up ?x", _LYING, _HELD, _LYING),
    Operator.of("put-down ?x", _HELD, _LYING, _HELD),
    Operator.of("stack ?x ?y", f"{_HELD} (clear ?y)", _STACKED, f"{_HELD} (clear ?y)"),
    Operator.of("unstack ?x ?y", _STACKED, f"{_HELD} (clear ?y)", _STACKED),
)
_ON, _ONTO, _ON_TABLE = "(on ?x ?from)", "(on ?x ?to)", "(ontable ?x)"
_NO_HAND = Lifted.of(
    "blocks-moved",
    Operator.of("move-to-table ?x ?from", f"(clear ?x) {_ON}", f"{_ON_TABLE} (clear ?from)", _ON),
    Operator.of("move-from-table ?x ?to", f"(clear ?x) {_ON_TABLE} (clear ?to)", _ONTO, f"{_ON_TABLE} (clear ?to)"),
    Operator.of("move ?x ?from ?to", f"(clear ?x) {_ON} (clear ?to)", f"{_ONTO} (clear ?from)", f"{_ON} (clear ?to)"),
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_TABLE = "table"

Move = tuple[str, ...]
"""A block, and what it is moved from and to."""


class AnyBlocks(PlanningModel):
    """BlocksWorld, with a `hand`, if blocks are taken and placed by actions of their own, or without one."""

    def __init__(self, *, hand: bool) -> None:
        self.hand = hand
        self.forms = (_HAND if hand else _NO_HAND,)

    def written(self, move: Move) -> Sequence[Action]:
        """Return the actions that move a block."""
        block, source, target = move
        if self.hand:
            taken = ("pick-up", (block,)) if source == _TABLE else ("unstack", (block, source))
            return taken, ("put-down", (block,)) if target == _TABLE else ("stack", (block, target))
        name = "move-to-table" if target == _TABLE else "move-from-table" if source == _TABLE else "move"
        return ((name, tuple(each for each in move if each != _TABLE)),)


class BlocksModel(AnyBlocks):
    """Any start and any goal. The four operators are coc's actions."""

    domain = "blocks"

    def facts(self, problem: Any, scene: Scene) -> Facts:
        words = _words(problem.names)
        return Facts(
            tuple(words[name] for name in problem.names),
            frozenset(renamed(state_atoms(scene, hand=self.hand), words)),
            tuple(renamed((Atom(name, tuple(blocks)) for name, *blocks in problem.goal), words)),
        )

    def read(self, facts: Facts) -> Reading:
        for atom in facts.goal:
            if not self.hand and atom.predicate == "on" and len({*atom.arguments}) == 1:
                # these operators can do that, and coc can not
                raise UnsupportedError(f"the goal {atom} puts a block on itself")
        usual = all(map(_NAME.fullmatch, facts.objects)) and len({*map(str.lower, facts.objects)}) == len(facts.objects)
        ours = {each: each if usual else f"b{number}" for number, each in enumerate(facts.objects, 1)}
        held = [ours[block] for (block,) in facts.holding("holding")]
        start = ", ".join(f"[{', '.join(ours[block] for block in tower)}]" for tower in standing_towers(facts))
        goal = ", ".join(" ".join((atom.predicate, *(ours[each] for each in atom.arguments))) for atom in facts.goal)
        names = {name.lower(): block for block, name in ours.items()}
        return Reading(f"start=[{start}] & hand=[{', '.join(held)}] & goal=[{goal}]", names)

    def writer(self, problem: Any) -> Writer:
        words, taken = _words(problem.names), by_hand()

        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            name, *blocks = move.split(" ")
            action = name, tuple(words[block] for block in blocks)
            if self.hand:
                return (action,)
            moved = taken(action)
            return () if moved is None or moved[1] == moved[2] else self.written(moved)

        return write

    def reader(self, problem: Any) -> Reader:
        names = {word: name for name, word in _words(problem.names).items()}

        def read(scene: LazyScene, action: Action) -> str:
            for word in action[1]:
                if word not in names:
                    raise ValueError(f"there is no block {word:.60}")
            return " ".join((action[0], *(names[word] for word in action[1])))

        return read


class TowersModel(AnyBlocks):
    """The paper's BlocksWorlds, whose goal is one tower of all blocks, and which may have `several` at the beginning.
    Such problems are solved as those of `blocks`, unless the domain is named.
    """

    reads = False

    def __init__(self, domain: str, *, several: bool, hand: bool) -> None:
        super().__init__(hand=hand)
        self.domain = domain  # type: ignore[misc]
        self.several = several

    def facts(self, problem: Any, scene: Scene) -> Facts:
        goal = [f"b{block}" for block in problem.goal]
        state = renamed(state_atoms(scene, hand=self.hand), {block.upper(): block for block in goal})
        return Facts(tuple(sorted(goal, key=lambda name: int(name[1:]))), frozenset(state), _tower_atoms(goal))

    def read(self, facts: Facts) -> Reading:
        names = {block: f"B{number}" for number, block in enumerate(facts.objects, 1)}
        start = standing_towers(facts)
        if len(start) != 1 and not self.several:
            raise UnsupportedError(f"{self.domain} needs one tower of all blocks at the beginning")
        goal = self._goal(facts)
        implied = {*_tower_atoms(goal), Atom("clear", (goal[-1],)), Atom("handempty", ())}
        wrong = next((atom for atom in facts.goal if atom not in implied), None)
        if wrong is not None:
            raise UnsupportedError(f"the goal {wrong} does not hold of the tower that the others are")
        *several, last = (f"[{', '.join(names[block] for block in tower)}]" for tower in (*start, goal))
        before = f"[{', '.join(several)}]" if self.several else several[0]
        return Reading(f"start={before} & goal={last}", {name.lower(): block for block, name in names.items()})

    def _goal(self, facts: Facts) -> list[str]:
        """Return the tower that the goal is, from its base up."""
        below = facts.wanted.pairs("on")
        bases = [block for block in facts.objects if block not in below]
        found = towers(below, bases[:1])
        if len(bases) != 1 or {*found[0]} != {*facts.objects}:
            raise UnsupportedError(f"{self.domain} needs one tower of all blocks in the goal")
        return found[0]

    def writer(self, problem: Any) -> Writer:
        return lambda scene, move: self.written(tuple(move.split(" ")[::2]))

    def reader(self, problem: Any) -> Reader:
        moved = by_hand() if self.hand else without_hand

        def read(scene: LazyScene, action: Action) -> str | None:
            found = moved(action)
            return None if found is None else "{} from {} to {}".format(*found)

        return read


def _tower_atoms(tower: Sequence[str]) -> tuple[Atom, ...]:
    """Return what says that these blocks stand on each other, from the base up."""
    return Atom("ontable", (tower[0],)), *on([tower])


def _words(names: Iterable[str]) -> dict[str, str]:
    """Return the names of the blocks in PDDL, where capitals make no difference, by coc's names."""
    ours = sorted(names)
    if len({name.lower() for name in ours}) == len(ours):
        return {name: name.lower() for name in ours}
    return {name: f"b{number}" for number, name in enumerate(ours, 1)}


def by_hand() -> Callable[[Action], Move | None]:
    """Return what is given each action of a hand in order, and gives each move when it is complete; ValueError if an
    action does not go on with the one before.
    """
    held: tuple[str, str] | None = None

    def take(action: Action) -> Move | None:
        nonlocal held
        match held, action:
            case None, ("pick-up", (block,)):
                held = block, _TABLE
                return None
            case None, ("unstack", (block, source)):
                held = block, source
                return None
            case (taken, source), ("put-down" | "stack" as name, (block, *target)) if taken == block and len(
                target
            ) == (name == "stack"):
                held = None
                return block, source, *(target or [_TABLE])
        if held is None:
            raise ValueError("it is neither (pick-up BLOCK) nor (unstack BLOCK FROM)")
        raise ValueError(f"it is neither (put-down {held[0]}) nor (stack {held[0]} TO)")

    return take


def without_hand(action: Action) -> Move:
    """Return the move that an action is; ValueError if it is none."""
    match action:
        case "move-to-table", (block, source):
            return block, source, _TABLE
        case "move-from-table", (block, target):
            return block, _TABLE, target
        case "move", (_, _, _) as move:
            return move
    raise ValueError("it is none of move-to-table, move-from-table and move")


def state_atoms(scene: Scene, *, hand: bool) -> frozenset[Atom]:
    """Return the atoms of a scene, whose hand, if it has one, is a column of that name."""
    columns = [(column.label, tuple(item.name for item in column.items)) for column in scene.columns if column.items]
    piles = [names for label, names in columns if label != "hand"]
    atoms = {*standing(piles), *(Atom("ontable", (pile[0],)) for pile in piles)}
    if hand:
        held = dict(columns).get("hand")
        atoms.add(Atom("holding", held) if held else Atom("handempty", ()))
    return frozenset(atoms)


def standing_towers(facts: Facts) -> list[list[str]]:
    """Return the towers at the beginning, each from its base up."""
    return towers(facts.pairs("on"), [block for (block,) in facts.holding("ontable")])


def towers(below: Mapping[str, str], bases: Iterable[str]) -> list[list[str]]:
    """Return what stands on these bases, and they, where `below` has what each other thing is on."""
    above = {lower: upper for upper, lower in below.items()}
    found = []
    for base in bases:
        tower = [base]
        while tower[-1] in above and len(tower) <= len(below):
            tower.append(above[tower[-1]])
        found.append(tower)
    return found
