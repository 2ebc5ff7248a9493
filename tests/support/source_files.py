"""The Python files of the repository, and their syntax trees."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def sources(*folders):
    """The Python files of some folders of the repository."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, folders
    return found


def named(path):
    """What a failed test calls a file."""
    return str(path.relative_to(ROOT))


@cache
def tree(path):
    return ast.parse(path.read_text("utf-8"))
