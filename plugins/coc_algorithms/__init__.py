"""Algorithms as programs: ordinary Python generator functions, compiled to steps, as a plugin."""

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains() -> list[DomainSpec]:
    return [
        DomainSpec(
            "exact-cover",
            factory="coc_algorithms.exact_cover:ExactCover",
            summary="Sudokus, queens, tilings and other exact covers",
            memories=("heap",),
        ),
        DomainSpec(
            "sort",
            factory="coc_algorithms.sort:MergeSort",
            summary="sort numbers of any length, by merging",
            memories=("heap",),
        ),
        DomainSpec(
            "sort-insertion",
            factory="coc_algorithms.insertion:InsertionSort",
            summary="sort numbers of any length, by insertion",
            memories=("heap",),
        ),
    ]
