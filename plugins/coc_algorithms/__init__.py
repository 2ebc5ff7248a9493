"""Algorithms that are written as programs: search in mazes and in sliding puzzles."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "maze",
            factory="coc_algorithms.maze:Maze",
            summary="shortest ways in grids and graphs, by breadth-first search",
            memories=("heap",),
        ),
        DomainSpec(
            "maze-dfs",
            factory="coc_algorithms.maze:MazeDepthFirst",
            summary="ways in grids and graphs, by depth-first search",
            memories=("heap",),
        ),
        DomainSpec(
            "tiles",
            factory="coc_algorithms.tiles:Tiles",
            summary="fewest moves of the 8-puzzle and the 15-puzzle, by IDA*",
            memories=("heap",),
        ),
    ]
