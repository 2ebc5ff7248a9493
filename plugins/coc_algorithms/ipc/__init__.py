"""Domains of the planning competitions, stated by operators and solved by programs, as a plugin."""

from coc_algorithms import checkpoints, domains
from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl

_DOMAINS = {
    "logistics": ("logistics:Logistics", "bring packages to places by trucks and airplanes"),
    "gripper": ("gripper:GripperProgram", "bring balls to rooms, one in each gripper"),
    "ferry": ("ferry:Ferry", "bring cars to places, one at a time"),
    "miconic": ("miconic:Miconic", "take passengers to their floors by a lift"),
    "spanner": ("spanner:SpannerProgram", "tighten nuts with spanners that lie on the way"),
    "childsnack": ("childsnack:ChildSnack", "make sandwiches, some without gluten, and bring them to children"),
    "transport": ("transport:Transport", "bring packages to places by roads, in vehicles with little room"),
    "satellite": ("satellite:SatelliteProgram", "take images of directions by instruments on satellites"),
    "rovers": ("rovers:Rovers", "send samples and images to a lander, by rovers"),
    "floortile": ("grids.floortile:FloorTile", "paint a floor by robots, each in its own columns"),
    "sokoban": ("grids.sokoban:Sokoban", "push boxes to their goals, one after the other"),
    "visit-all": ("visit_all:VisitAll", "visit all places of a grid or a graph"),
}


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return domains("coc_algorithms.ipc", _DOMAINS, plan_formats=("pddl",))


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return checkpoints("coc_algorithms.ipc", _DOMAINS)
