"""Quantities in sentences: `1 step`, `2,048 steps`, `3 ms`."""

from collections.abc import Iterable


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun, which is by default made plural by an `s`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it: microseconds to milliseconds as `0.4 ms`, then `3.21 s`, then `2 min 05 s`."""
    if seconds < 0.01:
        return f"{1_000 * seconds:.1f} ms"
    if seconds < 0.9995:
        return f"{1_000 * seconds:.0f} ms"
    if seconds < 99.95:
        return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest:02} s"


def format_sizes(sizes: Iterable[int]) -> str:
    """Sizes of problems, each once and in ascending order, such as `1-3,5`."""
    runs: list[list[int]] = []
    for size in sorted(set(sizes)):
        if runs and runs[-1][-1] == size - 1:
            runs[-1][1:] = [size]
        else:
            runs.append([size])
    return ",".join("-".join(map(str, run)) for run in runs)
