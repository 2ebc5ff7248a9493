"""Python with only what some `pip install` brings: every other distribution of this environment is hidden.

As a script, it reads argument lists of `coc` as JSON from standard input, runs each in this process with only what
`pip install .` brings, and prints how each ended: its exit code, and what it wrote to standard output and standard error.
"""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.hidden_modules import hide

OURS = "chain-of-computation"


def brought_by(wanted):
    """The distributions that these requirements bring, directly or not."""
    found, left = set(), [(canonicalize_name(each.name), each.extras) for each in map(Requirement, wanted)]
    while left:
        name, extras = left.pop()
        for extra in {(name, each) for each in ("", *extras)} - found:
            found.add(extra)
            for each in map(Requirement, _requires(name)):
                if each.marker is None or each.marker.evaluate({"extra": extra[1]}):
                    left.append((canonicalize_name(each.name), each.extras))
    return {name for name, _ in found}


def _requires(name):
    try:
        return requires(name) or ()
    except PackageNotFoundError:  # not installed here either
        return ()


@cache
def hidden_after(*wanted):
    """The modules and distributions of this environment that coc and these requirements, as `numpy>=2`, do not bring."""
    kept = brought_by((OURS, "pip", *wanted))
    modules = {module: set(map(canonicalize_name, names)) for module, names in packages_distributions().items()}
    others = set().union(*modules.values()) - kept
    return frozenset(
        {module for module, names in modules.items() if not kept & names} | {each.replace("-", "_") for each in others}
    )


def main():
    hide(hidden_after())
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
