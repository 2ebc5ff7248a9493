"""Python with only what `pip install .` brings: every other distribution of this environment is hidden.

As a script, it reads argument lists of `coc` as JSON from standard input, runs each in this process, and prints how each
ended: its exit code, and what it wrote to standard output and standard error.
"""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import packages_distributions, requires
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "chain-of-computation"


def installed_by_default() -> set[str]:
    """The distributions that coc requires, directly or not, without any extra."""
    found, left = {OURS}, [OURS]
    while left:
        for line in requires(left.pop()) or ():
            requirement = Requirement(line)
            name = canonicalize_name(requirement.name)
            if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
                found.add(name)
                left.append(name)
    return found


class Hiding:
    """A finder of modules in place of another one: it finds nothing of other distributions."""

    def __init__(self, finder: Any, hidden: set[str]) -> None:
        self._finder, self._hidden = finder, hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return None if name.partition(".")[0] in self._hidden else self._finder.find_spec(name, path, target)


def hide_the_others() -> None:
    """Hide what is not installed by default from imports in this process."""
    kept = installed_by_default()
    hidden = {
        module
        for module, distributions in packages_distributions().items()
        if not kept & {canonicalize_name(name) for name in distributions}
    }
    sys.meta_path[:] = [Hiding(finder, hidden) for finder in sys.meta_path]


def main() -> None:
    hide_the_others()
    from coc_core.cli import main as coc

    results = []
    for arguments in json.load(sys.stdin):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = coc(arguments)
        results.append((code, out.getvalue(), err.getvalue()))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
