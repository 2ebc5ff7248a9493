"""The program that `coc new puzzle` writes, as a plugin in one file."""

from itertools import count
from pathlib import Path

from coc_check.scaffold import render

_COUNT = count(1)

_HOOK = """

from coc_core.plugin import DomainSpec, hookimpl


@hookimpl
def coc_domains():
    return [DomainSpec("cards", factory="{module}:CardsProgram", summary="a sort", memories=("heap",))]
"""


def write_program(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write a plugin with the domain `cards`, in which each first text of the changes is replaced by the second.

    Its file, and so its module, has a name of its own.
    """
    text = render("puzzle", "cards")["src/coc_cards/puzzle.py"]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"cards_{next(_COUNT)}.py"
    path.write_text(text + _HOOK.replace("{module}", path.stem), "utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    """The number of the first line that has a text."""
    lines = path.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
