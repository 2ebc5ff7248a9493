"""Planning domains that are stated as operators, as in PDDL, and solved by programs.

Inherit from `PlanningProgram`. State the operators, the class of records for the objects of each kind, what is true in
every state, the policy, how a problem's records are linked, and how problems are drawn. This domain switches lamps on:

    >>> from coc_algorithms.planning import PlanningProgram, linked, named, operators
    >>> from coc_programs import Record, chain, procedure
    >>> (Switch,) = operators("switch ?lamp: (dark ?lamp) -> (bright ?lamp) (not (dark ?lamp))")
    >>> class Lamp(Record):
    ...     next: "Lamp | None" = None
    >>> @procedure
    ... def light(lamps: Lamp | None) -> None:
    ...     for lamp in chain(lamps, "next"):
    ...         yield Switch(lamp)
    >>> class Lamps(PlanningProgram):
    ...     name = "lamps"
    ...     main = light
    ...     operators = (Switch,)
    ...     classes = {"lamp": Lamp}
    ...     exactly_one = ("(dark ?lamp) (bright ?lamp)",)
    ...     goals = "(bright ?lamp)"
    ...     def build(self, world):
    ...         return light(linked(world.left("bright", Lamp)))
    ...     def draw(self, n, rng):
    ...         lamps = named("lamp", n)
    ...         return {"lamp": lamps}, [f"dark {lamp}" for lamp in lamps], [f"bright {rng.choice(lamps)}"]
    >>> domain = Lamps()
    >>> domain.problems.format(domain.problem(2))
    'start=[lamp lamp1, lamp lamp2, dark lamp1, dark lamp2] & goal=[bright lamp1]'
"""

from coc_algorithms.planning.domain import Drawn, PlanningProgram, named, operators
from coc_algorithms.planning.problem import Problem
from coc_algorithms.planning.world import World
from coc_algorithms.shared import linked
from coc_planning.strips import Drawing

__all__ = ["Drawing", "Drawn", "PlanningProgram", "Problem", "World", "linked", "named", "operators"]
