"""The paper's BlocksWorlds, whose goal is one tower of all blocks."""

from collections.abc import Sequence
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts
from coc_planning.models.base import Action, LazyScene, Reader, Reading, Writer, on, renamed
from coc_planning.models.blocks import AnyBlocks, by_hand, standing_towers, state_atoms, towers, without_hand
from coc_planning.pddl.task import Atom


class TowersModel(AnyBlocks):
    """Such problems are solved as those of `blocks`, unless the domain is named. There may be `several` towers at the
    beginning.
    """

    reads = False

    def __init__(self, domain: str, *, several: bool, hand: bool) -> None:
        super().__init__(hand=hand)
        self.domain = domain  # type: ignore[misc]
        self.several = several

    def facts(self, problem: Any, scene: Scene) -> Facts:
        goal = [f"b{block}" for block in problem.goal]
        state = renamed(state_atoms(scene, hand=self.hand), {block.upper(): block for block in goal})
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


def _atoms(tower: Sequence[str]) -> tuple[Atom, ...]:
    """Return what says that these blocks stand on each other, from the base up."""
    return Atom("ontable", (tower[0],)), *on([tower])
