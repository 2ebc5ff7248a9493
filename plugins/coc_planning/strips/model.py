"""Domains that are stated as operators, in PDDL, with the same predicates, operators and objects."""

from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_core.text import message_of
from coc_planning.lifted import Facts, Lifted
from coc_planning.models.base import Action, LazyScene, Reading, SingleMoves, renamed
from coc_planning.strips.domain import StripsDomain


class StripsModel(SingleMoves):
    """A domain whose moves are actions in PDDL without parentheses."""

    def __init__(self, domain: StripsDomain[Any, Any]) -> None:
        self.domain = domain.name  # type: ignore[misc]
        others = (Lifted.of(domain.name, *(each.schema for each in some)) for some in domain.variants)
        self.forms = (domain.lifted, *others)
        self._stated = domain

    def facts(self, problem: Any, scene: Scene) -> Facts:
        return self._stated.facts(problem)

    def read(self, facts: Facts) -> Reading:
        try:
            problem, objects = self._stated.problem_of(facts)
        except LookupError:
            raise UnsupportedError(f"{self.domain} has no problem like it") from None
        except ValueError as error:
            raise UnsupportedError(message_of(error)) from None
        ours = self._stated.facts(problem)
        if len({*objects} & {*facts.objects}) != len(ours.objects):
            raise UnsupportedError(f"its objects are not those of a problem of {self.domain}")
        names = dict(zip(ours.objects, objects, strict=True))
        if wrong := {*renamed(ours.goal, names)} ^ {*facts.goal}:
            has = "lacks" if min(wrong) not in facts.goal else "has"
            raise UnsupportedError(f"the goal {has} {min(wrong)}, so this is not a problem of {self.domain}")
        return Reading(self._stated.problems.format(problem), names)

    def action(self, scene: LazyScene, move: str) -> Action:
        name, *arguments = move.split(" ")
        return name, tuple(arguments)

    def move(self, scene: LazyScene, action: Action) -> str:
        return " ".join((action[0], *action[1]))
