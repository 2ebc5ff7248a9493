"""`coc eval --against`: a second model on the same problems, and the comparison for a person."""

from coc_core.cli import console
from coc_core.text import counted
from coc_learn.measure.comparison import Paired, together


def show(sizes: list[Paired], first: str, second: str) -> None:
    """Print how many problems both models solved, one of them, or none, and whether that can be chance."""
    total = together(sizes)
    table = console.table(
        "n", "solved by both", "by the first only", "by the second only", "by neither", justify="right"
    )
    for name, each in [(str(each.n), each) for each in sizes] + ([("all", total)] if len(sizes) > 1 else []):
        counts = (each.both, each.only_first, each.only_second, each.neither)
        table.add_row(name, *(f"{count:,}" for count in counts))
    console.details().print(table)
    text = f"McNemar's exact test: p = {total.p_value:.3g}"
    if not total.only_first + total.only_second:
        text = "no problem tells the two models apart"
    console.line(f"{counted(total.problems, 'problem')}, first model: {first}; second model: {second}; {text}")
