"""The paper's BlocksWorlds, whose goal is one tower of all blocks."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted
from coc_planning.models.base import Action, LazyScene, PlanningModel, Reading, SingleMoves, renamed
from coc_planning.models.blocks import HAND, NO_HAND, standing_towers, state_atoms, towers
from coc_planning.pddl.task import Atom

_TABLE = "table"
_MOVE = re.compile(r"(b[0-9]+) from (table|b[0-9]+) to (table|b[0-9]+)")


class _Towers(PlanningModel):
    """Such problems are solved as those of `blocks`, unless the domain is named. There may be `several` towers at the
    beginning, and a `hand`, if blocks are taken and placed by actions of their own.
    """

    reads = False
    hand: bool

    def __init__(self, domain: str, *, several: bool) -> None:
        self.domain = domain  # type: ignore[misc]
        self.several = several

    def lifted(self, problem: Any) -> Lifted:
        return HAND if self.hand else NO_HAND

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (self.lifted(None),)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        goal = [f"b{block}" for block in problem.goal]
        state = renamed(state_atoms(scene, hand=self.hand), {f"B{block}": f"b{block}" for block in problem.goal})
        return Facts(tuple(sorted(goal, key=lambda name: int(name[1:]))), frozenset(state), _atoms(goal))

    def read(self, facts: Facts) -> Reading:
        names = {block: f"B{number}" for number, block in enumerate(facts.objects, 1)}
        start = standing_towers(facts)
        if len(start) != 1 and not self.several:
            raise UnsupportedError(f"{self.domain} needs one tower of all blocks at the beginning")
        goal = self._goal(facts)
        implied = {*_atoms(goal), Atom("clear", (goal[-1],)), Atom("handempty", ())}
        wrong = next((atom for atom in facts.goal if atom not in implied), None)
        if wrong is not None:
            raise UnsupportedError(f"the goal {wrong} does not hold of the tower that the others are")
        *several, last = (f"[{', '.join(names[block] for block in tower)}]" for tower in (*start, goal))
        before = f"[{', '.join(several)}]" if self.several else several[0]
        return Reading(f"start={before} & goal={last}", {name.lower(): block for block, name in names.items()})

    def _goal(self, facts: Facts) -> list[str]:
        """Return the tower that the goal is, from its base up."""
        below = {atom.arguments[0]: atom.arguments[1] for atom in facts.goal if atom.predicate == "on"}
        bases = [block for block in facts.objects if block not in below]
        found = towers(below, bases[:1])
        if len(bases) != 1 or {*found[0]} != {*facts.objects}:
            raise UnsupportedError(f"{self.domain} needs one tower of all blocks in the goal")
        return found[0]


class TowersModel(_Towers, SingleMoves):
    """With three operators, which move blocks, as coc does."""

    hand = False

    def action(self, scene: Scene, move: str) -> Action:
        block, source, target = _parts(move)
        if target == _TABLE:
            return "move-to-table", (block, source)
        return ("move-from-table", (block, target)) if source == _TABLE else ("move", (block, source, target))

    def move(self, scene: Scene, action: Action) -> str:
        match action:
            case "move-to-table", (block, source):
                return f"{block} from {source} to table"
            case "move-from-table", (block, target):
                return f"{block} from table to {target}"
            case "move", (block, source, target):
                return f"{block} from {source} to {target}"
        raise ValueError("it is none of move-to-table, move-from-table and move")


class TowersByHandModel(_Towers):
    """With four operators, two for each move."""

    hand = True

    def writer(self, problem: Any) -> Callable[[LazyScene, str], Sequence[Action]]:
        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            block, source, target = _parts(move)
            taken = ("pick-up", (block,)) if source == _TABLE else ("unstack", (block, source))
            return taken, ("put-down", (block,)) if target == _TABLE else ("stack", (block, target))

        return write

    def reader(self, problem: Any) -> Callable[[LazyScene, Action], str | None]:
        held: tuple[str, str] | None = None

        def read(scene: LazyScene, action: Action) -> str | None:
            nonlocal held
            match held, action:
                case None, ("pick-up", (block,)):
                    held = block, _TABLE
                    return None
                case None, ("unstack", (block, source)):
                    held = block, source
                    return None
                case (taken, source), ("put-down", (block,)) if taken == block:
                    held = None
                    return f"{block} from {source} to table"
                case (taken, source), ("stack", (block, target)) if taken == block:
                    held = None
                    return f"{block} from {source} to {target}"
            if held is None:
                raise ValueError("it is neither (pick-up BLOCK) nor (unstack BLOCK FROM)")
            raise ValueError(f"it is neither (put-down {held[0]}) nor (stack {held[0]} TO)")

        return read


def _atoms(tower: Sequence[str]) -> tuple[Atom, ...]:
    """Return what says that these blocks stand on each other, from the base up."""
    return Atom("ontable", (tower[0],)), *(Atom("on", (upper, lower)) for lower, upper in pairwise(tower))


def _parts(move: str) -> tuple[str, ...]:
    found = _MOVE.fullmatch(move)
    assert found is not None
    return found.groups()
