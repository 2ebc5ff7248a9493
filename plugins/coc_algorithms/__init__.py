"""Algorithms as programs: ordinary Python generator functions, compiled to steps, as a plugin."""

from coc_core.plugin import CheckpointSpec, DomainSpec, hookimpl

_DOMAINS = {
    "maze": ("maze:Maze", "shortest ways in grids and graphs, by breadth-first search"),
    "maze-dfs": ("maze:MazeDepthFirst", "ways in grids and graphs, by depth-first search"),
    "sort": ("sort:MergeSort", "sort numbers of any length, by merging"),
    "sort-insertion": ("insertion:InsertionSort", "sort numbers of any length, by insertion"),
    "exact-cover": ("exact_cover:ExactCover", "Sudokus, queens, tilings and other exact covers"),
    "tiles": ("tiles:Tiles", "fewest moves of the 8-puzzle and the 15-puzzle, by IDA*"),
}


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(name, factory=f"coc_algorithms.{factory}", summary=summary, memories=("heap",))
        for name, (factory, summary) in _DOMAINS.items()
    ]


@hookimpl
def coc_checkpoints() -> list[CheckpointSpec]:
    return [
        CheckpointSpec(
            name,
            folder=f"coc_algorithms:checkpoints/{name}",
            dialects=(f"{name}/heap/symbolic",),
            summary="for problems of all sizes, trained on all prompts that there are",
        )
        for name in _DOMAINS
    ]
