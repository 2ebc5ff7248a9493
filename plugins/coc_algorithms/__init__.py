"""Algorithms as programs: ordinary Python generator functions, compiled to steps, as a plugin."""

from collections.abc import Mapping

from attrs import evolve

from coc_core.plugin import CheckpointSpec, DomainSpec, ProblemFormatSpec, hookimpl

Domains = Mapping[str, tuple[str, str]]
"""The factory, below a package, and the summary of each domain of a plugin."""

_DOMAINS = {
    "maze": ("maze:Maze", "shortest ways in grids and graphs, by breadth-first search"),
    "maze-dfs": ("maze:MazeDepthFirst", "ways in grids and graphs, by depth-first search"),
    "sort": ("sort:MergeSort", "sort numbers of any length, by merging"),
    "sort-insertion": ("sort:InsertionSort", "sort numbers of any length, by insertion"),
    "exact-cover": ("exact_cover:ExactCover", "Sudokus, queens and other exact covers"),
    "exact-cover-unique": ("exact_cover:TwoCovers", "whether such a problem has one solution only"),
    "rotten-oranges": ("oranges:RottenOranges", "how long it takes until all oranges of a grid are rotten"),
    "tiles": ("tiles:Tiles", "fewest moves of the 8-puzzle and the 15-puzzle, by IDA*"),
}

_WITH_ITEMS = {"maze", "sort", "exact-cover", "rotten-oranges"}


def domains(package: str, named: Domains, plan_formats: tuple[str, ...] = ()) -> list[DomainSpec]:
    """Return the domains of a package, each of which is a program."""
    return [
        DomainSpec(name, f"{package}.{factory}", summary, memories=("heap",), plan_formats=plan_formats)
        for name, (factory, summary) in named.items()
    ]


def checkpoints(package: str, named: Domains) -> list[CheckpointSpec]:
    """Return the checkpoints of a package, one for each domain."""
    trained = "for problems of all sizes, trained on all prompts that there are"
    return [
        CheckpointSpec(name, f"{package}:checkpoints/{name}", (f"{name}/heap/symbolic",), trained) for name in named
    ]


@hookimpl
def coc_domains() -> list[DomainSpec]:
    found = domains("coc_algorithms", _DOMAINS)
    return [evolve(spec, plan_formats=("reasoning-gym",)) if spec.name in _WITH_ITEMS else spec for spec in found]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return checkpoints(
        "coc_algorithms", {name: each for name, each in _DOMAINS.items() if name != "exact-cover-unique"}
    )


@hookimpl
def coc_problem_formats() -> list[ProblemFormatSpec]:
    return [ProblemFormatSpec("scen", factory="coc_algorithms.written:scenarios", summary="mazes on MovingAI's maps")]
