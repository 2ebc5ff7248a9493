"""The files of the repository, and the syntax trees of those in Python."""

import ast
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIST = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
LISTED = subprocess.run(LIST, cwd=ROOT, capture_output=True, text=True, check=False)
FILES = [path for line in LISTED.stdout.splitlines() if (path := ROOT / line).is_file()]

needs_git = pytest.mark.skipif(LISTED.returncode != 0, reason="this is no git checkout, so there is no list of files")


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
