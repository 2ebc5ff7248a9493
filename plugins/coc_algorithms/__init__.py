"""Algorithms as programs: ordinary Python generator functions, compiled to steps, as a plugin."""

from collections.abc import Mapping

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl

Domains = Mapping[str, tuple[str, str]]
"""The factory, below a package, and the summary of each domain of a plugin."""

_DOMAINS = {
    "maze": ("maze:Maze", "shortest ways in grids and graphs, by breadth-first search"),
    "maze-dfs": ("maze:MazeDepthFirst", "ways in grids and graphs, by depth-first search"),
    "sort": ("sort:MergeSort", "sort numbers of any length, by merging"),
    "sort-insertion": ("sort:InsertionSort", "sort numbers of any length, by insertion"),
    "exact-cover": ("exact_cover:ExactCover", "Sudokus, queens, tilings and other exact covers"),
    "tiles": ("tiles:Tiles", "fewest moves of the 8-puzzle and the 15-puzzle, by IDA*"),
}


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
    return domains("coc_algorithms", _DOMAINS)


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return checkpoints("coc_algorithms", _DOMAINS)
