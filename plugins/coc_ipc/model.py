"""Domains that are stated by operators, in PDDL, with the same predicates, operators and objects."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from coc_core.domain import Scene
from coc_ipc.tasks import ATOMS
from coc_planning.lifted import Facts, Lifted
from coc_planning.models import Action, PlanningModel, Reading, renamed
from coc_planning.models.base import LazyScene

_USUAL = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)


class StatedModel(PlanningModel):
    """A domain whose problems are atoms, and whose moves are actions in PDDL without parentheses."""

    def __init__(self, domain: str, lifted: Lifted) -> None:
        self.domain = domain  # type: ignore[misc]
        self._lifted = lifted

    def lifted(self, problem: Any) -> Lifted:
        return self._lifted

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return (self._lifted,)

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return Facts(problem.objects, frozenset(problem.start), problem.goal)

    def read(self, facts: Facts) -> Reading:
        usual = all(map(_USUAL.fullmatch, facts.objects))
        ours = {name: name if usual else f"o{number}" for number, name in enumerate(facts.objects, 1)}
        start, goal = (
            ATOMS.format(tuple(renamed(atoms, ours))) for atoms in (sorted(facts.initial, key=str), facts.goal)
        )
        return Reading(f"start={start} & goal={goal}", {name: theirs for theirs, name in ours.items()})

    def writer(self, problem: Any) -> Callable[[LazyScene, str], Sequence[Action]]:
        def write(scene: LazyScene, move: str) -> Sequence[Action]:
            name, *arguments = move.split(" ")
            return ((name, tuple(arguments)),)

        return write

    def reader(self, problem: Any) -> Callable[[LazyScene, Action], str | None]:
        return lambda scene, action: " ".join((action[0], *action[1]))
